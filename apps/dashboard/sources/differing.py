"""How a difference between two contents is shown: marked words, and long lines cut to what matters in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.dashboard.highlights import Piece, pieces
from apps.knowledge.differences import Difference, Line

# Of unchanged text between marks only so much is shown on either side.
_AROUND: Final = 120
_ELLIPSIS: Final = " … "
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class ShownLine:
    sign: str
    number: int
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class ShownHunk:
    skipped: int
    lines: Sequence[ShownLine]


def shown_hunks(difference: Difference) -> Iterator[ShownHunk]:
    for hunk in difference.hunks:
        yield ShownHunk(hunk.skipped, [_shown(line) for line in hunk.lines])


def _shown(line: Line) -> ShownLine:
    """A short line whole, of a long one what is around its marks; one without marks from its beginning."""
    cut = list(pieces(line.text, line.marked))
    if len(line.text) > _LONGEST:
        cut = [_clipped(piece, at == 0, at == len(cut) - 1) for at, piece in enumerate(cut)]
    return ShownLine(line.sign, line.number, cut)


def _clipped(piece: Piece, is_first: bool, is_last: bool) -> Piece:  # noqa: FBT001 -- the two places that differ
    if piece.marked or (is_first and is_last):
        return Piece(_head(piece.text, _LONGEST), piece.marked)
    if len(piece.text) <= 2 * _AROUND:
        return piece
    start = "" if is_first else piece.text[:_AROUND]
    end = "" if is_last else piece.text[-_AROUND:]
    return Piece(start + _ELLIPSIS + end, marked=False)


def _head(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + _ELLIPSIS
