"""Cuts the text of a source into chunks, the units that a search finds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CELL_SEPARATOR: Final = " — "
_GROUP_MARK: Final = "### "
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_LINE_END_KEPT: Final = re.compile(r"(\r\n|\n|\r)")
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


def _stripped_lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, _LINE_END.split(text)))


def feed_lines(text: str, *, header: bool) -> list[Chunk]:
    """Return the items of a feed's text; its header line and group headings are context, not items."""
    chunks: list[Chunk] = []
    group: str | None = None
    for number, line in enumerate(_stripped_lines(text)):
        if header and number == 0:
            continue
        if line.startswith(_GROUP_MARK):
            group = line[len(_GROUP_MARK) :].strip()
            continue
        chunks.append(Chunk(line, group))
    return chunks


def paragraphs(text: str, limit: int = 800) -> list[Chunk]:
    """Paragraphs between blank lines; a longer one is cut at a sentence end, else a space, else hard."""
    return [Chunk(piece) for block in _blocks(text) for piece in _cut(block, limit)]


def _blocks(text: str) -> Iterator[str]:
    """Runs of lines without a blank one, with the line ends inside them as written."""
    block: list[str] = []
    parts = _LINE_END_KEPT.split(text)
    for line, end in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if line.strip():
            block += (line, end)
        elif block:
            yield "".join(block).strip()
            block = []
    if block:
        yield "".join(block).strip()


def _cut(paragraph: str, limit: int) -> Iterator[str]:
    start = 0
    while len(paragraph) - start > limit:
        end = _cut_point(paragraph, start, start + limit)
        yield paragraph[start:end].rstrip()
        start = end
        while start < len(paragraph) and paragraph[start].isspace():
            start += 1
    if start < len(paragraph):
        yield paragraph[start:]


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
