"""Cuts the text of a source into chunks, the units that a search finds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CELL_SEPARATOR: Final = " — "
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_LINE_END_KEPT: Final = re.compile(r"(\r\n|\n|\r)")
# White space, soft hyphen, fillers, zero-width signs, marks of direction, variation selectors.
_UNSEEN_RANGES: Final = ((0x2000, 0x2010), (0x2028, 0x2030), (0x205F, 0x2070), (0xFE00, 0xFE10))
_UNSEEN: Final = frozenset(
    " \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\xad\u034f\u061c\u115f\u1160\u1680"
    "\u17b4\u17b5\u180e\u3000\u3164\ufeff\uffa0"
).union(*(map(chr, range(*bounds)) for bounds in _UNSEEN_RANGES))
_SENTENCE_ENDS: Final = frozenset(".!?؟。…۔")
_CLOSERS: Final = frozenset("\"'”’»)]}")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One item or paragraph; `fields` are the cells of a CSV record by column name."""

    text: str
    group: str | None = None
    fields: dict[str, str] | None = None


def lines(text: str) -> list[Chunk]:
    """One chunk a line; only CRLF, LF and CR end a line, blank lines are no items."""
    return [Chunk(line) for line in _stripped_lines(text)]


def is_blank(text: str) -> bool:
    """Whether a person sees nothing of it: white space, and signs of format that have no shape of their own."""
    return not text or (text[0] in _UNSEEN and _UNSEEN.issuperset(text))


def _stripped_lines(text: str) -> Iterator[str]:
    return (line for line in map(str.strip, _LINE_END.split(text)) if not is_blank(line))


def paragraphs(text: str, limit: int = 800) -> list[Chunk]:
    """Paragraphs between blank lines; a longer one is cut at a sentence end, else a space, else hard."""
    return [Chunk(piece) for block in _blocks(text) for piece in _cut(block, limit)]


def _blocks(text: str) -> Iterator[str]:
    """Runs of lines without a blank one, with the line ends inside them as written."""
    block: list[str] = []
    parts = _LINE_END_KEPT.split(text)
    for line, end in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if not is_blank(line):
            block += (line, end)
        elif block:
            yield "".join(block).strip()
            block = []
    if block:
        yield "".join(block).strip()


def _cut(paragraph: str, limit: int) -> Iterator[str]:
    start = 0
    while len(paragraph) - start > limit:
        end = _after_space(paragraph, _cut_point(paragraph, start, start + limit), start + limit)
        if not is_blank(paragraph[start:end]):
            yield paragraph[start:end]
        start = end
    if start < len(paragraph):
        yield paragraph[start:]


def _after_space(paragraph: str, at: int, end: int) -> int:
    """Return where the white space from `at` ends; it stays with the piece before it, as far as that may reach."""
    while at < end and paragraph[at].isspace():
        at += 1
    return at


def _cut_point(paragraph: str, start: int, end: int) -> int:
    """Return where the piece from `start` ends, at most `end`; characters before it belong to the piece."""
    space: int | None = None
    for at in range(end, start, -1):
        if not paragraph[at].isspace():
            continue
        if _ends_sentence(paragraph, start, at):
            return at
        if space is None and not paragraph[at - 1].isspace():
            space = at
    return space if space is not None else end


def _ends_sentence(paragraph: str, start: int, at: int) -> bool:
    last = at - 1
    while last > start and paragraph[last] in _CLOSERS:
        last -= 1
    return paragraph[last] in _SENTENCE_ENDS
