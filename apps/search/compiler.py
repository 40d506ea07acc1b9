"""Compiles chunks into the bytes of a segment, block by block: what one hostile text can take is bounded."""

import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from apps.search import scripts
from apps.search.chunks import CELL_SEPARATOR, Chunk
from apps.search.columns import Array, Column, narrow_type
from apps.search.layout import ALIGNMENT, COLUMNS, ENTRY, HEADER, MAGIC, SEGMENT_FORMAT
from apps.search.tokens import Limits, Tokenizer, blocks
from apps.search.wordlist import OrderedWords

# Numbers that are changed into their final type together.
_WRITTEN_AT_ONCE: Final = 1 << 16


def compile_segment(chunks: Iterable[Chunk], limits: Limits | None = None) -> bytes:
    """Compile chunks into the bytes of a segment; raises `TooMuchTextError` past the limits."""
    output = _Output()
    tokenizer = Tokenizer(limits)
    lines = _Lines()
    for block in blocks(chunks):
        output.write(lines.read(block))
        lines.place(block, tokenizer)
    output.end_column("text", np.dtype(np.uint8), lines.text_size)
    output.column("text_bytes", lines.text_bytes)
    output.column("text_lengths", lines.text_lengths)
    words = tokenizer.words
    del tokenizer
    _write_places(output, lines, _write_words(output, words.in_order()))
    output.column("group", lines.groups.column)
    output.column("shape", lines.shapes.column)
    output.column("cells", lines.cells)
    tables = {"groups": lines.groups.values, "shapes": lines.shapes.values}
    output.array("tables", np.frombuffer(json.dumps(tables, separators=(",", ":")).encode("ascii"), dtype=np.uint8))
    return output.finish()


class _Numbered:
    """Distinct values, and for each line the number of its value from 1, or 0 for none; all 0 are no column."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._column = Column()

    def add(self, values: Iterable[Any]) -> None:
        numbers = self._numbers
        self._column.add(
            np.array([0 if value is None else numbers.setdefault(value, len(numbers) + 1) for value in values])
        )

    @property
    def values(self) -> list[Any]:
        return list(self._numbers)

    @property
    def column(self) -> Column:
        return self._column if self._numbers else Column()


class _Lines:
    """The columns of the lines, and the words of the lines by their numbers of the tokenizer."""

    def __init__(self) -> None:
        self.text_size = 0
        self.text_bytes = Column()
        self.text_lengths = Column()
        self.groups = _Numbered()
        self.shapes = _Numbered()
        self.cells = Column()
        self.words = Column()
        self.starts = Column()
        self.lengths = Column()
        self.counts = Column()

    def read(self, block: list[Chunk]) -> bytes:
        """Note all but the words of a block; returns its text."""
        encoded = [chunk.text.encode("utf-8", "surrogatepass") for chunk in block]
        self.text_bytes.add(np.array([len(part) for part in encoded]))
        self.text_lengths.add(np.array([len(chunk.text) for chunk in block]))
        self.groups.add(chunk.group for chunk in block)
        self.shapes.add(None if chunk.fields is None else tuple(chunk.fields) for chunk in block)
        with_fields = [_checked_cells(chunk) for chunk in block if chunk.fields is not None]
        self.cells.add(np.array([len(value) for values in with_fields for value in values]))
        text = b"".join(encoded)
        self.text_size += len(text)
        return text

    def place(self, block: list[Chunk], tokenizer: Tokenizer) -> None:
        """Note the words of a block."""
        counts = np.zeros(len(block), dtype=np.int64)
        for found in tokenizer.read([chunk.text for chunk in block]):
            if not len(found.word):
                continue
            counts += np.bincount(found.chunk, minlength=len(block))
            self.words.add(found.word)
            self.starts.add(found.start)
            self.lengths.add(found.end - found.start)
        self.counts.add(counts)


def _checked_cells(chunk: Chunk) -> list[str]:
    values = list((chunk.fields or {}).values())
    if CELL_SEPARATOR.join(filter(None, values)) != chunk.text:
        raise ValueError("The text of a record must be its cells that are not empty, joined.")
    return values


def _write_words(output: "_Output", words: OrderedWords) -> npt.NDArray[np.uint32]:
    """Write the columns of the vocabulary; returns the place of each word in it by its earlier number."""
    output.array("alphabet", words.alphabet)
    keys = Column()
    for letters, some in words.slices():
        output.write(letters.tobytes())
        keys.add(np.array(scripts.keys(some), dtype=np.int64))
    output.end_column("letters", words.letters.dtype, words.letters.size)
    output.array("word_lengths", words.lengths)
    output.column("word_keys", keys)
    return words.ranks


def _write_places(output: "_Output", lines: _Lines, ranks: npt.NDArray[np.uint32]) -> None:
    """Write where words occur, first by word, then by line."""
    words = Column()
    word_counts = np.zeros(len(ranks), dtype=np.uint32)
    for piece in lines.words.take():
        ranked = ranks[piece]
        np.add.at(word_counts, ranked, 1)
        words.add(ranked)
    output.array("word_counts", word_counts)
    output.array("lines", _lines_by_word(words, lines.counts))
    output.column("line_counts", lines.counts)
    output.column("occurrences", words)
    output.column("starts", lines.starts)
    output.column("lengths", lines.lengths)


def _lines_by_word(words: Column, line_counts: Column) -> npt.NDArray[np.uint32]:
    """List the lines of each word, one word after another."""
    # Sorting word and line as one number is several times faster than a stable sort of the words.
    packed = np.empty(words.size, dtype="<u8")
    halves = packed.view("<u4").reshape(-1, 2)
    end = 0
    for piece in words:
        halves[end : end + piece.size, 1] = piece
        end += piece.size
    end = line = 0
    for counts in line_counts:
        owners = np.repeat(np.arange(line, line + counts.size, dtype=np.uint32), counts)
        halves[end : end + owners.size, 0] = owners
        end += owners.size
        line += counts.size
    packed.sort()
    return halves[:, 0]


class _Output:
    """A segment while it is written, column by column in their order; the head is filled in at the end."""

    def __init__(self) -> None:
        self._sink = BytesIO()
        self._entries: list[bytes] = []
        self._sink.write(bytes(HEADER.size + ENTRY.size * len(COLUMNS)))

    def write(self, data: bytes) -> None:
        """Write a piece of the next column."""
        self._sink.write(data)

    def column(self, name: str, column: Column) -> None:
        """Write a column, which is empty afterwards."""
        self._write_all(name, column.dtype, column.size, column.take())

    def array(self, name: str, values: Array) -> None:
        dtype = narrow_type(int(values.min()), int(values.max())) if values.size else np.dtype(np.uint8)
        starts = range(0, values.size, _WRITTEN_AT_ONCE)
        self._write_all(name, dtype, values.size, (values[start : start + _WRITTEN_AT_ONCE] for start in starts))

    def _write_all(self, name: str, dtype: np.dtype[Any], size: int, pieces: Iterator[Array]) -> None:
        for piece in pieces:
            self.write(piece.astype(dtype).tobytes())
        self.end_column(name, dtype, size)

    def end_column(self, name: str, dtype: np.dtype[Any], size: int) -> None:
        if COLUMNS[len(self._entries)] != name:
            raise ValueError("Columns are written in the order of the layout.")
        self._entries.append(ENTRY.pack(dtype.str[1:].encode("ascii"), size))
        self._sink.write(bytes(-size * dtype.itemsize % ALIGNMENT))

    def finish(self) -> bytes:
        self._sink.seek(0)
        self._sink.write(HEADER.pack(MAGIC, SEGMENT_FORMAT, len(COLUMNS)) + b"".join(self._entries))
        # Gives the buffer away without a copy.
        return self._sink.getvalue()
