"""Writes the chunks of a source as CSV for spreadsheets, in which no cell can start a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Protocol

from apps.search.chunks import Chunk

# Excel takes a file for UTF-8 only with the mark.
_MARK: Final = "\ufeff"
_FORMULA_STARTS: Final = frozenset("=+-@")
_BREAKS: Final = frozenset("\t\r\n")
_COLUMNS: Final = ("position", "group", "text")


class Chunks(Protocol):
    """What can be read one chunk at a time, as a segment can."""

    def __len__(self) -> int: ...
    def chunk(self, at: int) -> Chunk: ...


def guarded_cell(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would calculate it."""
    starts_formula = text[:1] in _BREAKS or text.lstrip()[:1] in _FORMULA_STARTS
    return "'" + text if starts_formula else text


def written(chunks: Chunks) -> Iterator[str]:
    """The file in pieces, a record each: a chunk's position, group and text, then its fields by column."""
    names = _field_names(chunks)
    yield _MARK + _record([*_COLUMNS, *names])
    for position, chunk in enumerate(_each(chunks), start=1):
        cells = [str(position), chunk.group or "", chunk.text]
        fields = chunk.fields or {}
        yield _record([*cells, *(fields.get(name, "") for name in names)])


def _each(chunks: Chunks) -> Iterator[Chunk]:
    return (chunks.chunk(at) for at in range(len(chunks)))


def _field_names(chunks: Chunks) -> Sequence[str]:
    """All columns that some chunk has, in the order of their first appearance."""
    return list(dict.fromkeys(chain.from_iterable(chunk.fields or () for chunk in _each(chunks))))


class _Record:
    """A file that hands on what is written to it: the standard library writes CSV to files only."""

    def write(self, text: str) -> str:
        return text


_writer: Final = csv.writer(_Record())


def _record(cells: Iterable[str]) -> str:
    record: str = _writer.writerow(map(guarded_cell, cells))
    return record
