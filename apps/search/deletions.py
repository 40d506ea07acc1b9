"""Finds words at most one edit from another: they are equal, or become it when each loses at most one letter."""

from collections.abc import Iterator, Sequence
from operator import mul
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from apps.search.words import LONGEST_FUZZY

Array = npt.NDArray[np.integer]
Hashes = npt.NDArray[np.uint64]
# A letter of one word, or the letters that stand at one place of many words.
Letter = TypeVar("Letter", int, Hashes)

_HASH_BITS: Final = 64
_ALL_BITS: Final = (1 << _HASH_BITS) - 1
_MIX: Final = 0x9E3779B97F4A7C15
# What a letter counts by its place.
_STEP: Final = 0xD6E8FEB86659FD93
_WEIGHTS: Final = [pow(_STEP, place, 1 << _HASH_BITS) for place in range(1, LONGEST_FUZZY + 1)]
_NUMBER_BITS: Final = np.uint64(32)


class Deletions:
    """Words by what is left of them, as they stand and without one of their letters, in slots by its hash."""

    def __init__(self, words: Sequence[tuple[int, Array]]) -> None:
        """Take words, those of a length together: the number of the first, and the letters, a row for each word."""
        entries = [
            (hashes * np.uint64(_MIX) >> _NUMBER_BITS << _NUMBER_BITS)
            + np.arange(first, first + len(rows), dtype=np.uint64)
            for first, rows in words
            for hashes in _hashes([*rows.T.astype(np.uint64)])
        ]
        packed = np.concatenate([np.zeros(0, dtype=np.uint64), *entries])
        del entries
        # Ordered by hash, for that stands above the number of the word.
        packed.sort()
        # About as many slots as entries, so that few share one.
        slot_bits = max(1, len(packed).bit_length())
        self._shift = _HASH_BITS - slot_bits
        self._numbers = packed.astype(np.uint32).data
        packed >>= np.uint64(self._shift)
        edges = np.zeros((1 << slot_bits) + 1, dtype=np.uint32)
        np.cumsum(np.bincount(packed.view(np.int64), minlength=1 << slot_bits), out=edges[1:])
        self._edges = edges.data

    def near(self, word: str) -> set[int]:
        """Return all words at most one edit from a word, and few others."""
        edges, numbers, shift = self._edges, self._numbers, self._shift
        found: set[int] = set()
        for hashed in _hashes([*map(ord, word)]):
            slot = (hashed * _MIX & _ALL_BITS) >> shift
            found.update(numbers[edges[slot] : edges[slot + 1]])
        return found


def _hashes(letters: Sequence[Letter]) -> Iterator[Letter]:
    """Yield the hash of a word, and of what is left without its first letter, without the second, and so on."""
    yield sum(map(mul, letters, _WEIGHTS))
    left = sum(map(mul, letters[1:], _WEIGHTS))
    yield left
    for letter, following, weight in zip(letters, letters[1:], _WEIGHTS, strict=False):
        # Without the following one instead, which stood in the place where the letter now does.
        left = left + (letter - following) * weight
        yield left
