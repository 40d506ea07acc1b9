"""Finds words at most two edits from another: so few edits change few letters and few neighbourhoods of letters.

A word has two signatures of bits. The first tells which letters it has, by buckets, and of frequent ones also which
it has twice. The second tells which letters stand side by side, the edges of the word taken for letters. Both tell
the length, in a code in which lengths that differ by one differ in one bit. So an edit changes at most two bits of
the first signature, and six of both together:

    edit                      letters   neighbours   length, in both
    a letter more or less           1            3                 2
    another letter                  2            4                 0
    two neighbours swapped          0            6                 0
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from apps.search.words import LONGEST_FUZZY

Array = npt.NDArray[np.integer]
# Bits of one word, or of many.
Bits = TypeVar("Bits", int, npt.NDArray[np.uint64])

_EDITS: Final = 2
_MOST_OFF: Final = 2 * _EDITS
_MOST_OFF_TOGETHER: Final = 6 * _EDITS

# Frequent letters have a bucket each, the others share those behind the first ones.
_FREQUENT: Final = "ايولترمسنبكهفدجعزقحشصطخ"
_BUCKETS: Final = len(_FREQUENT)
_TOLD_TWICE: Final = 6
_SHARED: Final = range(_TOLD_TWICE, _BUCKETS)
_CODES: Final = 1 << 16
_SLOTS: Final = 61
_SLOT_STEP: Final = 7
_LENGTH_CODES: Final = (0b000, 0b001, 0b011, 0b111, 0b110, 0b100)


def _bucket_bits() -> npt.NDArray[np.uint64]:
    buckets = _SHARED[0] + np.arange(_CODES, dtype=np.uint64) % np.uint64(len(_SHARED))
    buckets[[ord(letter) for letter in _FREQUENT]] = np.arange(_BUCKETS)
    bits: npt.NDArray[np.uint64] = np.left_shift(np.uint64(1), buckets)
    return bits


_BUCKET_BITS: Final = _bucket_bits()
# The same as plain numbers, for the few letters of one word.
_PLAIN_BUCKET_BITS: Final = _BUCKET_BITS.data


class Signatures:
    """The signatures of words in the order of their lengths, which is also that of their numbers."""

    def __init__(self, words: Sequence[tuple[int, Array]]) -> None:
        """Take words, those of a length together: the number of the first, and the letters, a row for each word."""
        letters, neighbours = [np.zeros(0, dtype=np.uint32)], [np.zeros(0, dtype=np.uint64)]
        counts = [0] * (LONGEST_FUZZY + 1)
        for _, rows in words:
            count, length = rows.shape
            counts[length] = count
            one = np.ones(count, dtype=np.uint64)
            found = _signatures(rows.T.astype(np.uint64), length, one, _BUCKET_BITS.__getitem__)
            letters.append(found[0].astype(np.uint32))
            neighbours.append(found[1])
        self._letters, self._neighbours = np.concatenate(letters), np.concatenate(neighbours)
        self._first = words[0][0] if words else 0
        # For each length where its words begin.
        self._starts = [0, *accumulate(counts)]

    def near(self, word: str) -> list[int]:
        """Return all words at most two edits from a word, and some others."""
        length = len(word)
        start = self._starts[length - _EDITS]
        end = self._starts[min(length + _EDITS, LONGEST_FUZZY) + 1]
        letters, neighbours = _signatures(map(ord, word), length, 1, _PLAIN_BUCKET_BITS.__getitem__)
        off = np.bitwise_count(self._letters[start:end] ^ np.uint32(letters))
        near = (off <= _MOST_OFF).nonzero()[0]
        off_together = off[near] + np.bitwise_count(self._neighbours[start:end][near] ^ np.uint64(neighbours))
        found: list[int] = (near[off_together <= _MOST_OFF_TOGETHER] + (self._first + start)).tolist()
        return found


def _signatures(
    letters: Iterable[Bits], length: int, one: Bits, bucket_bit: Callable[[Bits], Bits]
) -> tuple[Bits, Bits]:
    """Return both signatures of one word or of many, whose letters come place by place."""
    once = twice = neighbours = last = one - one
    for letter in letters:
        bit = bucket_bit(letter % _CODES)
        twice = twice | once & bit
        once = once | bit
        neighbours = neighbours | one << (last * _SLOT_STEP + letter) % _SLOTS
        last = letter
    neighbours = neighbours | one << last * _SLOT_STEP % _SLOTS
    told_twice = twice % (1 << _TOLD_TWICE) << _BUCKETS
    length_code = _LENGTH_CODES[length % len(_LENGTH_CODES)]
    # To the type checker an array of unsigned numbers is none any longer beside a plain number.
    both: tuple[Any, Any] = (
        once | told_twice | length_code << _BUCKETS + _TOLD_TWICE,
        neighbours | length_code << _SLOTS,
    )
    return both
