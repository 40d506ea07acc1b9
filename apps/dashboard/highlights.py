"""Cutting a hit's text into marked and plain pieces, so that the template escapes each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


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
