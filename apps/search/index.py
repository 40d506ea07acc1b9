"""Where words occur: the arrays that a segment stores and a join of segments builds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.vocabulary import Vocabulary

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]

_FEW: Final = 48


@dataclass(frozen=True, slots=True)
class Postings:
    """For each word, one after another, the lines where it occurs and its place among the words of the line.

    A word that occurs twice in a line stands there twice; lines ascend within a word.
    """

    counts: Array
    lines: Array
    places: Array


def postings_by_word(word: Array, line: Array, place: Array, word_count: int) -> Postings:
    """Order occurrences by word; those of one word keep their order."""
    # Sorting word and occurrence as one number is several times faster than a stable sort of the words.
    packed = np.sort((word.astype(np.uint64) << np.uint64(32)) | np.arange(len(word), dtype=np.uint64))
    occurrence = (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)
    return Postings(np.bincount(word, minlength=word_count), line[occurrence], place[occurrence])


class Index:
    """A vocabulary with the lines of its words; immutable and shared by threads."""

    def __init__(self, vocabulary: Vocabulary, postings: Postings, text_lengths: Array) -> None:
        self.vocabulary = vocabulary
        self.text_lengths = text_lengths
        self._postings = postings

    @property
    def line_count(self) -> int:
        return len(self.text_lengths)

    @cached_property
    def _starts(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self._postings.counts, dtype=np.int64)))

    def lines_of(self, words: Sequence[int]) -> Array:
        """Return the lines of all occurrences of some words, one word after another."""
        return self._gather(self._postings.lines, words)

    def counts_of(self, words: Sequence[int]) -> Array:
        """Return how often each of some words occurs."""
        return self._postings.counts[list(words)]

    def _gather(self, column: Array, words: Sequence[int]) -> Array:
        starts = self._starts
        if len(words) == 1:
            return column[starts[words[0]] : starts[words[0] + 1]]
        if len(words) <= _FEW:
            return np.concatenate([column[starts[word] : starts[word + 1]] for word in words])
        wanted = np.array(words)
        firsts, counts = starts[wanted], self._postings.counts[wanted].astype(np.int64)
        ends = np.cumsum(counts)
        return column[np.arange(ends[-1]) + np.repeat(firsts - (ends - counts), counts)]

    def lines_of_neighbours(self, left: int, right: int) -> Array:
        """Return the lines where one word stands right before another."""
        span = np.int64(1) << np.int64(32)
        left_keys, right_keys = (
            self._gather(self._postings.lines, [word]) * span + self._gather(self._postings.places, [word])
            for word in (left, right)
        )
        return np.intersect1d(left_keys + 1, right_keys, assume_unique=True) // span

    @property
    def nbytes(self) -> int:
        """Return about how much memory the index takes beyond the buffer of a segment, Python words included."""
        columns = (self._postings.counts, self._postings.lines, self._postings.places, self.text_lengths)
        return sum(column.nbytes for column in columns) + self.vocabulary.nbytes
