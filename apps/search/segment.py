"""The compiled form of a source: its chunks and an index of their words in one immutable buffer, used in place."""

import json
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

import numpy as np
import numpy.typing as npt

from apps.search.chunks import CELL_SEPARATOR, Chunk
from apps.search.compiler import compile_segment
from apps.search.index import Index, Occurrences, Postings
from apps.search.layout import ALIGNMENT, COLUMNS, ENTRY, HEADER, MAGIC, SEGMENT_FORMAT
from apps.search.vocabulary import Vocabulary

__all__ = ["SEGMENT_FORMAT", "Segment", "compile_segment"]

Array = npt.NDArray[np.integer]


class Segment:
    """A compiled source, read from its buffer without copying; immutable and shared by threads."""

    def __init__(self, buffer: bytes | memoryview) -> None:
        count = len(COLUMNS)
        if bytes(buffer[: HEADER.size]) != HEADER.pack(MAGIC, SEGMENT_FORMAT, count):
            raise ValueError("This is no search segment of the current format.")
        self._buffer = buffer
        self._columns: dict[str, Array] = {}
        offset = HEADER.size + ENTRY.size * count
        for number, name in enumerate(COLUMNS):
            code, size = ENTRY.unpack_from(buffer, HEADER.size + ENTRY.size * number)
            column = np.frombuffer(buffer, dtype=f"<{code.decode('ascii')}", count=size, offset=offset)
            self._columns[name] = column
            offset += column.nbytes + -column.nbytes % ALIGNMENT
        if offset != len(buffer):
            raise ValueError("This search segment is cut short or too long.")
        self.nbytes = offset
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
        names = ("line_counts", "occurrences", "starts", "lengths")
        return Occurrences(*(self._columns[name] for name in names))

    def chunk(self, at: int) -> Chunk:
        return Chunk(*self.contents([at])[0])

    def contents(self, chunks: Sequence[int]) -> list[tuple[str, str | None, dict[str, str] | None]]:
        """Return for each of some chunks its text, its group and its fields."""
        edges, texts = self._text_edges, self._texts
        read = [str(texts[edges[at] : edges[at + 1]], "utf-8", "surrogatepass") for at in chunks]
        return [(text, self._group(at), self._fields(at, text)) for at, text in zip(chunks, read, strict=True)]

    def _group(self, at: int) -> str | None:
        if not self._has_groups:
            return None
        number = int(self._columns["group"][at])
        return self._tables["groups"][number - 1] if number else None

    def _fields(self, at: int, text: str) -> dict[str, str] | None:
        if not self._has_fields:
            return None
        number = int(self._columns["shape"][at])
        if not number:
            return None
        names = self._tables["shapes"][number - 1]
        first = self._first_cells[at]
        lengths = self._columns["cells"][first : first + len(names)].tolist()
        return dict(zip(names, _cells(text, lengths), strict=True))

    @cached_property
    def _text_edges(self) -> memoryview:
        """Where each text begins, and where the last one ends; a view, for it gives plain numbers faster."""
        edges = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(self._columns["text_bytes"], out=edges[1:])
        return edges.data

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
