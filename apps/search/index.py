"""Where words occur: the arrays that a segment stores and a join of segments builds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search.remembered import Remembered
from apps.search.vocabulary import Vocabulary

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The words of every line in their order: how many a line has, and for each its word and where it stands."""

    counts: Array
    words: Array
    starts: Array
    lengths: Array


@dataclass(frozen=True, slots=True)
class Postings:
    """For each word, one after another, how often it occurs and the lines where it does, ascending."""

    counts: Array
    lines: Array


def postings_of(occurrences: Occurrences, word_count: int) -> Postings:
    """List the lines of each word."""
    words = occurrences.words
    line = np.repeat(np.arange(len(occurrences.counts)), occurrences.counts)
    # Sorting word and line as one number is several times faster than a stable sort of the words.
    packed = np.sort((words.astype(np.uint64) << np.uint64(32)) | line.astype(np.uint64))
    return Postings(np.bincount(words, minlength=word_count), packed & np.uint64(0xFFFFFFFF))


def _edges(counts: Array) -> Ints:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))


class Ranges(NamedTuple):
    """Ranges of places in a column: where each begins, its length, and how long all are together up to its end."""

    starts: Ints
    counts: Ints
    ends: Ints

    @property
    def total(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    def places(self) -> Ints:
        """Return the places of one range after another."""
        places = (self.starts - self.ends + self.counts).repeat(self.counts)
        places += np.arange(len(places))
        return places


def _ranges(edges: Ints, chosen: Array) -> Ranges:
    """Return some of the ranges that lie in a column one after another, given where each begins and ends."""
    starts = edges[chosen]
    # The end of a range stands beside its beginning, so that reading it waits for nothing.
    counts = edges[1:][chosen] - starts
    return Ranges(starts, counts, counts.cumsum(dtype=np.intp))


class Index:
    """A vocabulary with the lines of its words and the words of its lines; shared by threads, and never changed."""

    def __init__(
        self, vocabulary: Vocabulary, postings: Postings, occurrences: Occurrences, text_lengths: Array
    ) -> None:
        self.vocabulary = vocabulary
        self.text_lengths = text_lengths
        self._postings = postings
        self.remembered = Remembered(len(vocabulary))
        self._occurrences = occurrences

    @property
    def line_count(self) -> int:
        return len(self.text_lengths)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the index takes, Python words too, but not what it comes to remember."""
        columns = (
            self._postings.counts,
            self._postings.lines,
            self._occurrences.counts,
            self._occurrences.words,
            self._occurrences.starts,
            self._occurrences.lengths,
            self.text_lengths,
        )
        return sum(column.nbytes for column in columns) + self.vocabulary.nbytes

    @cached_property
    def _word_starts(self) -> Ints:
        return _edges(self._postings.counts)

    @cached_property
    def _line_starts(self) -> Ints:
        return _edges(self._occurrences.counts)

    def lines_of(self, word: int) -> Array:
        """Return the lines of all occurrences of a word."""
        return self._postings.lines[self._word_starts[word] : self._word_starts[word + 1]]

    def ranges_of(self, words: Ints) -> Ranges:
        """Return where the lines of some words stand; `lines_in` reads them."""
        return _ranges(self._word_starts, words)

    def lines_in(self, ranges: Ranges) -> Ints:
        return self._postings.lines[ranges.places()].astype(np.intp)

    def words_of(self, lines: Array) -> tuple[Array, Ints]:
        """Return the words of some lines, one line after another, and for each which of the lines it is in."""
        ranges = _ranges(self._line_starts, lines)
        return self._occurrences.words[ranges.places()], np.arange(len(lines)).repeat(ranges.counts)

    def find(self, words: Iterable[int], lines: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Yield where some words stand in some lines: number of the line among these, word, start, length."""
        sought = np.zeros(len(self.vocabulary), dtype=np.bool_)
        sought[list(words)] = True
        ranges = _ranges(self._line_starts, np.array(lines, dtype=np.intp))
        places = ranges.places()
        found = sought[self._occurrences.words[places]].nonzero()[0]
        owners, places = ranges.ends.searchsorted(found, side="right"), places[found]
        columns = self._occurrences.words, self._occurrences.starts, self._occurrences.lengths
        return zip(owners.tolist(), *(column[places].tolist() for column in columns), strict=True)

    def words_in(self, line: int) -> tuple[list[int], list[list[int]]]:
        """Return the words of a line in their order, and the range of the text where each stands."""
        some = slice(*self._line_starts[line : line + 2].tolist())
        columns = self._occurrences.words, self._occurrences.starts, self._occurrences.lengths
        words, starts, lengths = (column[some].tolist() for column in columns)
        return words, [[start, start + length] for start, length in zip(starts, lengths, strict=True)]

    def lines_of_neighbours(self, left: int, right: int) -> Array:
        """Return the lines where one word stands right before another."""
        rarer = min(left, right, key=self._postings.counts.__getitem__)
        lines = np.unique(self.lines_of(rarer)).astype(np.int64)
        words, owner = self.words_of(lines)
        together = (words[:-1] == left) & (words[1:] == right) & (owner[:-1] == owner[1:])
        found: Ints = lines[np.unique(owner[:-1][together])]
        return found
