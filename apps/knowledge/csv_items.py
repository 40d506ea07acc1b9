"""Reads the records of a CSV text as items: a record is one chunk, its cells joined, its columns as fields."""

import csv
import io
import re
from collections.abc import Container, Iterator
from itertools import chain, count
from typing import Final

from apps.search.chunks import CELL_SEPARATOR, Chunk, is_blank

DELIMITERS: Final = (",", ";", "\t")

_STATED_DELIMITER: Final = re.compile(r'"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_BREAK_IN_CELL: Final = re.compile(r"\s*[\r\n]+\s*")
# Stands after the last line while reading. Content cannot hold NUL, so a record that swallows it was never closed.
_END: Final = "\0"


class CsvError(ValueError):
    """The text cannot be read as records; `line` is where the faulty one starts."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class UnclosedQuoteError(CsvError):
    """A quotation mark opens a cell and never closes it."""


class CellTooLongError(CsvError):
    """A cell is longer than the reader takes."""


class ItemTooLongError(CsvError):
    """A record or the header makes a longer text than an item may have."""


def items(text: str, *, header: bool, delimiter: str | None, max_length: int) -> Iterator[Chunk]:
    """The items of a CSV text in order; a record without a filled cell is none.

    Raises `CsvError`. A first line ``sep=X`` wins over `delimiter`: the file itself says how it was written.
    """
    stated = _STATED_DELIMITER.match(text)
    body = text[stated.end() :] if stated else text
    records = _records(
        body, delimiter=stated[1] if stated else delimiter or detect_delimiter(body), first_line=2 if stated else 1
    )
    names: list[str] | None = None
    for line, record in records:
        cells = [_clean(cell) for cell in record]
        joined = CELL_SEPARATOR.join(filter(None, cells))
        if len(joined) > max_length:
            raise ItemTooLongError(line)
        if not joined:
            continue
        if header and names is None:
            names = _column_names(cells)
        else:
            yield Chunk(joined, None, None if names is None else _fields(names, cells))


def detect_delimiter(text: str) -> str:
    """The one of `DELIMITERS` that stands most often outside of quotes in the first record; comma on a tie."""
    counts = dict.fromkeys(DELIMITERS, 0)
    quoted = False
    before = ","
    for character in text.lstrip(" \r\n"):
        if character == '"' and (quoted or before in counts):
            quoted = not quoted
        elif not quoted and character in "\r\n":
            break
        elif not quoted and character in counts:
            counts[character] += 1
        before = character
    return max(DELIMITERS, key=counts.__getitem__)


def _records(text: str, *, delimiter: str, first_line: int) -> Iterator[tuple[int, list[str]]]:
    """Each record with the number of its first line."""
    reader = csv.reader(chain(split_lines(text), [_END]), delimiter=delimiter)
    while True:
        line = reader.line_num + first_line
        try:
            record = next(reader)
        except csv.Error as error:
            raise CellTooLongError(line) from error
        if record == [_END]:
            return
        if record and record[-1].endswith(_END):
            raise UnclosedQuoteError(line)
        yield line, record


def split_lines(text: str) -> Iterator[str]:
    """Lines with their ends, which are CRLF, LF and CR only; the last one gets an end if it has none."""
    lines = io.StringIO(text, newline="")
    for line in lines:
        yield line if line.endswith(("\r", "\n")) else line + "\n"


def _clean(cell: str) -> str:
    stripped = cell.strip()
    if is_blank(stripped):
        return ""
    if "\n" in stripped or "\r" in stripped:
        return _BREAK_IN_CELL.sub(" ", stripped)
    return stripped


def _column_names(header: list[str]) -> list[str]:
    """Names that differ: an empty one becomes its column's number, a repeated one gets the next free number."""
    names: dict[str, None] = {}
    for column, cell in enumerate(header, start=1):
        names[_free_name(cell or str(column), names)] = None
    return list(names)


def _free_name(name: str, taken: Container[str]) -> str:
    if name not in taken:
        return name
    return next(free for number in count(2) if (free := f"{name} {number}") not in taken)


def _fields(names: list[str], cells: list[str]) -> dict[str, str]:
    """The record's cells by column, empty ones too; filled ones past the header go by their column's number."""
    fields = dict(zip(names, cells, strict=False))
    for column, cell in enumerate(cells[len(names) :], start=len(names) + 1):
        if cell:
            fields[_free_name(str(column), fields)] = cell
    return fields
