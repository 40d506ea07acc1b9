"""How a difference between two contents is shown: marked words, and long lines cut to what matters in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.dashboard.highlights import Piece, clipped, pieces
from apps.knowledge.differences import Difference


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
        lines = [
            ShownLine(line.sign, line.number, clipped(list(pieces(line.text, line.marked)))) for line in hunk.lines
        ]
        yield ShownHunk(hunk.skipped, lines)
