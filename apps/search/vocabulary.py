"""The distinct words of a segment or a join: kept as one run of letters, ordered by length, numbers last."""

from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

from apps.search import scripts
from apps.search.words import LONGEST_FUZZY, is_number

Array = npt.NDArray[np.integer]

# One bit a letter, in the order of the folded Arabic and Latin alphabets; other letters share bits, which is harmless:
# signatures then only differ less than the words do.
_LETTER_BITS: Final = "ابتثجحخدذرزسشصضطظعغفقكلمنهويءabcdefghijklmnopqrstuvwxyz"

_BYTES_PER_WORD: Final = 200


def _bit_table() -> npt.NDArray[np.uint64]:
    spare = 64 - len(_LETTER_BITS)
    bits = [len(_LETTER_BITS) + code % spare for code in range(1 << 16)]
    for bit, letter in enumerate(_LETTER_BITS):
        bits[ord(letter)] = bit
    return np.left_shift(np.uint64(1), np.array(bits, dtype=np.uint64))


_BITS: Final = _bit_table()


def order_of(lengths: Array, are_numbers: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the order in which words stand in a vocabulary: words before numbers, short before long."""
    return np.lexsort((lengths, are_numbers))


class Vocabulary:
    """Words by number, numbers by word, and the words within some edits of another."""

    def __init__(self, letters: Array, lengths: Array, keys: Array) -> None:
        self._letters = letters
        self._lengths = lengths
        self._keys = keys

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the words take once they have been used, as Python objects too."""
        return _BYTES_PER_WORD * len(self) + self._letters.nbytes

    @cached_property
    def words(self) -> list[str]:
        return [word for at, end, length in self._stretches for word in self._decode(at, end, length)]

    @cached_property
    def ids(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self)), strict=True))

    @cached_property
    def _by_key(self) -> tuple[npt.NDArray[np.int64], Array]:
        """The words in the order of their keys for the other script, and these keys."""
        order = np.argsort(self._keys)
        return order, self._keys[order]

    def across(self, word: str) -> list[int]:
        """Return the words of the other script that sound like this one."""
        order, keys = self._by_key
        sought = np.array(scripts.keys_sought(word), dtype=np.uint32)
        firsts = np.searchsorted(keys, sought, side="left").tolist()
        ends = np.searchsorted(keys, sought, side="right").tolist()
        found = [at for first, end in zip(firsts, ends, strict=True) for at in order[first:end].tolist()]
        return [at for at in dict.fromkeys(found) if scripts.agree(word, self.words[at])]

    @cached_property
    def letter_ends(self) -> npt.NDArray[np.int64]:
        return np.cumsum(self._lengths, dtype=np.int64)

    @cached_property
    def _stretches(self) -> list[tuple[int, int, int]]:
        """Ranges of words of one length: first word, one past the last, length."""
        if not len(self):
            return []
        changes = np.flatnonzero(np.diff(self._lengths.astype(np.int64))) + 1
        edges = [0, *changes.tolist(), len(self)]
        return [(at, end, int(self._lengths[at])) for at, end in zip(edges[:-1], edges[1:], strict=True)]

    def _matrix(self, at: int, end: int, length: int) -> Array:
        stop = int(self.letter_ends[end - 1])
        return self._letters[stop - (end - at) * length : stop].reshape(end - at, length)

    def _decode(self, at: int, end: int, length: int) -> list[str]:
        letters = np.ascontiguousarray(self._matrix(at, end, length), dtype="<u4")
        decoded: list[str] = letters.view(f"<U{length}").ravel().tolist()
        return decoded

    @cached_property
    def _fuzzy_ranges(self) -> dict[int, tuple[int, int]]:
        """For each length up to the longest compared, the range of its words that are no numbers."""
        ranges: dict[int, tuple[int, int]] = {}
        for at, end, length in self._stretches:
            if length in ranges or is_number(self.words[at]):
                break
            if length <= LONGEST_FUZZY:
                ranges[length] = (at, end)
        return ranges

    @cached_property
    def _signatures(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """For each word that edits may reach: which letters occur, and which occur twice."""
        size = max((end for _, end in self._fuzzy_ranges.values()), default=0)
        once, twice = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint64)
        for length, (at, end) in self._fuzzy_ranges.items():
            bits = _BITS[self._matrix(at, end, length) & 0xFFFF]
            for column in range(length):
                twice[at:end] |= once[at:end] & bits[:, column]
                once[at:end] |= bits[:, column]
        return once, twice

    def within(self, word: str, edits: int) -> list[tuple[int, int]]:
        """Return the words at most `edits` edits from a word, as pairs of word number and edits, the word itself too.

        An edit changes at most two bits of a signature, a letter more or less at most one.
        """
        once, twice = self._signatures
        own_once, own_twice = _signature(word)
        survivors = []
        for length in range(len(word) - edits, len(word) + edits + 1):
            at, end = self._fuzzy_ranges.get(length, (0, 0))
            if at == end:
                continue
            differing = np.bitwise_count(once[at:end] ^ own_once)
            differing += np.bitwise_count(twice[at:end] ^ own_twice)
            near = np.flatnonzero(differing <= 2 * edits - abs(length - len(word)))
            near += at
            survivors += near.tolist()
        return self._verified(word, edits, survivors)

    def _verified(self, word: str, edits: int, survivors: list[int]) -> list[tuple[int, int]]:
        if not survivors:
            return []
        words = self.words
        distances = process.cdist(
            [word],
            [words[at] for at in survivors],
            scorer=OSA.distance,
            score_cutoff=edits,
            dtype=np.uint8,
        )[0]
        near = np.flatnonzero(distances <= edits)
        return [(survivors[at], int(distances[at])) for at in near.tolist()]


def _signature(word: str) -> tuple[np.uint64, np.uint64]:
    once = twice = 0
    for letter in word:
        bit = int(_BITS[ord(letter) & 0xFFFF])
        twice |= once & bit
        once |= bit
    return np.uint64(once), np.uint64(twice)
