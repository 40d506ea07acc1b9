"""The distinct words of a segment while it is compiled, as arrays: Python's strings would take ten times more."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.columns import Array, Column, narrow_type
from apps.search.runs import hash_runs, places_of, slices
from apps.search.vocabulary import order_of

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]

MISSING: Final = np.iinfo(np.int32).min
# Letters that become Python words together.
SLICE_LETTERS: Final = 1 << 17


def words_from(codes: Array, lengths: Array) -> list[str]:
    """Return words from their code points, one word after another."""
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    ends = np.cumsum(lengths, dtype=np.int64)
    return [text[start:end] for start, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True)]


class HashTable:
    """Numbers by hash, kept in two arrays."""

    def __init__(self) -> None:
        self._hashes: Hashes = np.zeros(0, dtype=np.uint64)
        self._numbers: Numbers = np.zeros(0, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, hashes: Hashes) -> Numbers:
        """Return the number under each hash, or `MISSING`."""
        if not len(self):
            return np.full(len(hashes), MISSING, dtype=np.int32)
        at = np.searchsorted(self._hashes, hashes)
        at[at == len(self)] = 0
        return np.where(self._hashes[at] == hashes, self._numbers[at], np.int32(MISSING))

    def add(self, hashes: Hashes, numbers: Numbers) -> None:
        """Put numbers under hashes that have none."""
        order = np.argsort(hashes)
        hashes = hashes[order]
        at = np.searchsorted(self._hashes, hashes)
        self._hashes = np.insert(self._hashes, at, hashes)
        self._numbers = np.insert(self._numbers, at, numbers[order])


class WordList:
    """Words numbered in the order in which they first came."""

    def __init__(self) -> None:
        self._table = HashTable()
        self._letters: list[Array] = []
        self._lengths = Column()
        self._is_plain: npt.NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def __len__(self) -> int:
        return self._lengths.size

    def numbers_of(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of distinct words; new ones get the next."""
        codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype="<u4")
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        ends = np.cumsum(lengths)
        hashes = hash_runs(codes, ends - lengths, ends)
        numbers = self._table.find(hashes)
        new = numbers == MISSING
        numbers[new] = np.arange(len(self), len(self) + int(new.sum()))
        self._table.add(hashes[new], numbers[new])
        letters = codes[np.repeat(new, lengths)]
        if len(letters):
            self._letters.append(letters.astype(narrow_type(0, int(letters.max()))))
        self._lengths.add(lengths[new])
        return numbers

    def note_plain(self, numbers: Numbers) -> None:
        """Note that runs written as these words mean them and nothing else."""
        self._is_plain.resize(len(self), refcheck=False)
        self._is_plain[numbers] = True

    def plain(self, hashes: Hashes) -> Numbers:
        """Return the number of the word that each run plainly is, or `MISSING`."""
        numbers = self._table.find(hashes)
        known = numbers != MISSING
        known[known] = self._is_plain[numbers[known]]
        return np.where(known, numbers, np.int32(MISSING))

    def in_turn(self) -> list[str]:
        """Return the words by their numbers."""
        letters = np.concatenate([np.zeros(0, dtype=np.uint8), *self._letters])
        return words_from(letters, self._lengths.as_array())

    def in_order(self) -> "OrderedWords":
        """Return the words in the order of a vocabulary; this list is empty afterwards."""
        self._table = HashTable()
        alphabet = _distinct(self._letters)
        letters = np.empty(sum(map(len, self._letters)), dtype=narrow_type(0, max(0, len(alphabet) - 1)))
        end = len(letters)
        while self._letters:
            piece = self._letters.pop()
            letters[end - len(piece) : end] = np.searchsorted(alphabet, piece)
            end -= len(piece)
        return OrderedWords(alphabet, letters, self._lengths.as_array())


def _distinct(pieces: Sequence[Array]) -> Array:
    distinct = [np.unique(piece) for piece in pieces]
    return np.unique(np.concatenate(distinct)) if distinct else np.zeros(0, dtype=np.uint8)


class OrderedWords:
    """Words in the order of a vocabulary: their lengths, and the place of each by its old number."""

    def __init__(self, alphabet: Array, letters: Array, lengths: Array) -> None:
        self.alphabet = alphabet
        self.letters = letters
        starts = np.zeros(len(lengths), dtype=np.uint32)
        np.cumsum(lengths[:-1], dtype=np.uint32, out=starts[1:])
        initials = alphabet[letters[starts]]
        order = order_of(letters, starts, lengths, (initials >= ord("0")) & (initials <= ord("9")))
        self.ranks: npt.NDArray[np.uint32] = np.empty(len(order), dtype=np.uint32)
        self.ranks[order] = np.arange(len(order), dtype=np.uint32)
        self.lengths: Array = lengths[order]
        self._starts = starts[order]

    def slices(self) -> Iterator[tuple[Array, list[str]]]:
        """Yield the letters, by their places in the alphabet, and the words, some at a time."""
        for start, end in slices(self.lengths, SLICE_LETTERS):
            lengths = self.lengths[start:end]
            letters = self.letters[places_of(self._starts[start:end], lengths)]
            yield letters, words_from(self.alphabet[letters], lengths)
