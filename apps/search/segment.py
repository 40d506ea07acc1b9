"""The compiled form of a source: its chunks and an index of their words in one immutable buffer, used in place."""

import json
import struct
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from apps.search import scripts
from apps.search.chunks import CELL_SEPARATOR, Chunk
from apps.search.index import Index, Occurrences, Postings, postings_of
from apps.search.tokens import Tokens, tokens_of
from apps.search.vocabulary import Vocabulary, order_of
from apps.search.words import is_number

# Raised whenever folding, words, units or the layout change, so that stored segments are compiled again.
SEGMENT_FORMAT: Final = 3

_MAGIC: Final = b"MWRD"
_HEADER: Final = struct.Struct("<4sHH")
_ENTRY: Final = struct.Struct("<2sxxxxxxQ")
_ALIGNMENT: Final = 8
_COLUMNS: Final = (
    "text",
    "text_bytes",
    "text_lengths",
    "alphabet",
    "letters",
    "word_lengths",
    "word_keys",
    "word_counts",
    "lines",
    "line_counts",
    "occurrences",
    "gaps",
    "lengths",
    "group",
    "shape",
    "cells",
    "tables",
)

Array = npt.NDArray[np.integer]


def compile_segment(chunks: Sequence[Chunk]) -> bytes:
    """Compile chunks into the bytes of a segment."""
    texts = [chunk.text for chunk in chunks]
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    words, occurrences = _in_order(tokens_of(texts), len(texts))
    postings = postings_of(occurrences, len(words))
    alphabet, letters = np.unique(
        np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4"), return_inverse=True
    )
    groups, group = _numbered([chunk.group for chunk in chunks])
    shapes, shape = _numbered([None if chunk.fields is None else tuple(chunk.fields) for chunk in chunks])
    cells = [len(value) for chunk in chunks if chunk.fields is not None for value in _checked_cells(chunk)]
    tables = json.dumps({"groups": groups, "shapes": shapes}, ensure_ascii=True, separators=(",", ":"))
    return _pack(
        {
            "text": np.frombuffer(b"".join(encoded), dtype=np.uint8),
            "text_bytes": _narrow([len(part) for part in encoded]),
            "text_lengths": _narrow([len(text) for text in texts]),
            "alphabet": _narrow(alphabet),
            "letters": _narrow(letters),
            "word_lengths": _narrow([len(word) for word in words]),
            "word_keys": _narrow(scripts.keys(words)),
            "word_counts": _narrow(postings.counts),
            "lines": _narrow(postings.lines),
            "line_counts": _narrow(occurrences.counts),
            "occurrences": _narrow(occurrences.words),
            "gaps": _narrow(occurrences.gaps),
            "lengths": _narrow(occurrences.lengths),
            "group": _narrow(group),
            "shape": _narrow(shape),
            "cells": _narrow(cells),
            "tables": np.frombuffer(tables.encode("ascii"), dtype=np.uint8),
        }
    )


def _in_order(tokens: Tokens, chunk_count: int) -> tuple[list[str], Occurrences]:
    """Order the words as a vocabulary and number the words of the lines by it."""
    lengths = np.fromiter(map(len, tokens.words), dtype=np.int64, count=len(tokens.words))
    are_numbers = np.fromiter(map(is_number, tokens.words), dtype=np.bool_, count=len(tokens.words))
    order = order_of(lengths, are_numbers)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    counts = np.bincount(tokens.chunk, minlength=chunk_count)
    ends_before = np.concatenate(([0], tokens.end[:-1]))[: len(tokens.end)]
    ends_before[np.diff(tokens.chunk, prepend=-1) != 0] = 0
    occurrences = Occurrences(counts, rank[tokens.word], tokens.start - ends_before, tokens.end - tokens.start)
    return [tokens.words[at] for at in order.tolist()], occurrences


def _numbered(values: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return the distinct values but None, and for each value its number from 1, or 0 for None."""
    numbers: dict[Any, int] = {}
    column = [0 if value is None else numbers.setdefault(value, len(numbers) + 1) for value in values]
    return list(numbers), column if numbers else []


def _checked_cells(chunk: Chunk) -> list[str]:
    values = list((chunk.fields or {}).values())
    if CELL_SEPARATOR.join(filter(None, values)) != chunk.text:
        raise ValueError("The text of a record must be its cells that are not empty, joined.")
    return values


def _narrow(values: Any) -> Array:
    """Keep numbers in the fewest bytes that hold them all."""
    array = np.asarray(values, dtype=np.int64)
    if not array.size:
        return array.astype(np.uint8)
    lowest, largest = int(array.min()), int(array.max())
    return array.astype(np.result_type(np.min_scalar_type(lowest), np.min_scalar_type(largest)))


def _pack(columns: dict[str, Array]) -> bytes:
    parts = [_HEADER.pack(_MAGIC, SEGMENT_FORMAT, len(_COLUMNS))]
    parts += [_ENTRY.pack(columns[name].dtype.str[1:].encode("ascii"), columns[name].size) for name in _COLUMNS]
    for name in _COLUMNS:
        data = columns[name].tobytes()
        parts += (data, b"\0" * (-len(data) % _ALIGNMENT))
    return b"".join(parts)


class Segment:
    """A compiled source, read from its buffer without copying; immutable and shared by threads."""

    def __init__(self, buffer: bytes | memoryview) -> None:
        count = len(_COLUMNS)
        if bytes(buffer[: _HEADER.size]) != _HEADER.pack(_MAGIC, SEGMENT_FORMAT, count):
            raise ValueError("This is no search segment of the current format.")
        self._buffer = buffer
        self._columns: dict[str, Array] = {}
        offset = _HEADER.size + _ENTRY.size * count
        for number, name in enumerate(_COLUMNS):
            code, size = _ENTRY.unpack_from(buffer, _HEADER.size + _ENTRY.size * number)
            column = np.frombuffer(buffer, dtype=f"<{code.decode('ascii')}", count=size, offset=offset)
            self._columns[name] = column
            offset += column.nbytes + -column.nbytes % _ALIGNMENT
        if offset != len(buffer):
            raise ValueError("This search segment is cut short or too long.")
        self.nbytes = offset
        self._text_bytes = self._columns["text_bytes"]
        self._texts = self._columns["text"].data
        self._has_groups = len(self._columns["group"]) > 0
        self._has_fields = len(self._columns["shape"]) > 0

    def __len__(self) -> int:
        return len(self._columns["text_bytes"])

    @property
    def text_lengths(self) -> Array:
        return self._columns["text_lengths"]

    @property
    def letters(self) -> Array:
        """Return the letters of all words, one word after another."""
        return self._columns["alphabet"][self._columns["letters"]]

    @property
    def word_lengths(self) -> Array:
        return self._columns["word_lengths"]

    @property
    def word_keys(self) -> Array:
        return self._columns["word_keys"]

    @cached_property
    def index(self) -> Index:
        vocabulary = Vocabulary(self.letters, self.word_lengths, self.word_keys)
        return Index(vocabulary, self.postings, self.occurrences, self.text_lengths)

    @property
    def postings(self) -> Postings:
        return Postings(self._columns["word_counts"], self._columns["lines"])

    @property
    def occurrences(self) -> Occurrences:
        names = ("line_counts", "occurrences", "gaps", "lengths")
        return Occurrences(*(self._columns[name] for name in names))

    def text(self, at: int) -> str:
        end = self._text_ends[at]
        return str(self._texts[end - self._text_bytes[at] : end], "utf-8", "surrogatepass")

    def group(self, at: int) -> str | None:
        if not self._has_groups:
            return None
        number = int(self._columns["group"][at])
        return self._tables["groups"][number - 1] if number else None

    def fields(self, at: int) -> dict[str, str] | None:
        if not self._has_fields:
            return None
        number = int(self._columns["shape"][at])
        if not number:
            return None
        names = self._tables["shapes"][number - 1]
        first = self._first_cells[at]
        lengths = self._columns["cells"][first : first + len(names)].tolist()
        return dict(zip(names, _cells(self.text(at), lengths), strict=True))

    def chunk(self, at: int) -> Chunk:
        return Chunk(self.text(at), self.group(at), self.fields(at))

    @cached_property
    def _text_ends(self) -> npt.NDArray[np.int64]:
        return np.cumsum(self._columns["text_bytes"], dtype=np.int64)

    @cached_property
    def _tables(self) -> dict[str, list[Any]]:
        tables: dict[str, list[Any]] = json.loads(self._columns["tables"].tobytes())
        return tables

    @cached_property
    def _first_cells(self) -> list[int]:
        widths = [0, *map(len, self._tables["shapes"])]
        return [0, *accumulate(widths[number] for number in self._columns["shape"].tolist())]


def _cells(text: str, lengths: Sequence[int]) -> list[str]:
    """Cut the text of a record back into its cells; an empty cell left no trace in the text."""
    steps = (length + len(CELL_SEPARATOR) if length else 0 for length in lengths)
    starts = accumulate(chain([0], steps))
    return [text[start : start + length] for start, length in zip(starts, lengths, strict=False)]
