"""Cutting a hit's text into marked and plain pieces, so that the template escapes each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

# A longer text is cut to what is around its marks.
LONGEST_WHOLE: Final = 2_000
_AROUND: Final = 120
_ELLIPSIS: Final = " … "


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    marked: bool


def pieces(text: str, ranges: Sequence[Sequence[int]]) -> Iterator[Piece]:
    """The text in order; `ranges` are half-open, in code points, in any order."""
    position = 0
    for start, end in sorted((start, end) for start, end in ranges):
        if position < start:
            yield Piece(text[position:start], marked=False)
        if position < end:
            yield Piece(text[max(position, start) : end], marked=True)
            position = end
    if position < len(text):
        yield Piece(text[position:], marked=False)


def clipped(cut: Sequence[Piece]) -> list[Piece]:
    """The pieces of a short text whole; of a long one its marks with what is around them, or its beginning."""
    if sum(len(piece.text) for piece in cut) <= LONGEST_WHOLE:
        return list(cut)
    last = len(cut) - 1
    return [_clip(piece, is_first=at == 0, is_last=at == last) for at, piece in enumerate(cut)]


def _clip(piece: Piece, *, is_first: bool, is_last: bool) -> Piece:
    text = piece.text
    if piece.marked or (is_first and is_last):
        whole = len(text) <= LONGEST_WHOLE
        return piece if whole else Piece(text[:LONGEST_WHOLE] + _ELLIPSIS, piece.marked)
    if len(text) <= 2 * _AROUND:
        return piece
    before = "" if is_first else text[:_AROUND]
    after = "" if is_last else text[-_AROUND:]
    return Piece(before + _ELLIPSIS + after, marked=False)
