"""Where words occur: the arrays that a segment stores and a join of segments builds."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search.vocabulary import Vocabulary

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The words of every line in their order: how many a line has, and for each its word and where it stands.

    The gap is counted from the end of the word before; words of one run of text stand at a negative gap.
    """

    counts: Array
    words: Array
    gaps: Array
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


class LineWords(NamedTuple):
    """The words of some lines, one line after another: each line's words are those from its edge to the next.

    Where a word ends is counted on through all lines: the end of the line before is still to be taken off.
    """

    edges: list[int]
    words: list[int]
    lengths: list[int]
    ends: list[int]


class Answering:
    """The words that answer a term, by number, each with its cost; as arrays the dearest come first."""

    def __init__(self, costs: dict[int, int]) -> None:
        self.costs = costs
        dearest_first = sorted(costs, key=costs.__getitem__, reverse=True)
        self.words = np.array(dearest_first, dtype=np.int64)
        self.word_costs = np.array([costs[word] for word in dearest_first], dtype=np.uint8)


class Index:
    """A vocabulary with the lines of its words and the words of its lines; shared by threads, and never changed."""

    def __init__(
        self, vocabulary: Vocabulary, postings: Postings, occurrences: Occurrences, text_lengths: Array
    ) -> None:
        self.vocabulary = vocabulary
        self.text_lengths = text_lengths
        self._postings = postings
        # What answered the words of recent queries, by their spellings.
        self.remembered: dict[tuple[str, ...], Answering] = {}
        self._occurrences = occurrences

    @property
    def line_count(self) -> int:
        return len(self.text_lengths)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the index takes, Python words included."""
        columns = (
            self._postings.counts,
            self._postings.lines,
            self._occurrences.counts,
            self._occurrences.words,
            self._occurrences.gaps,
            self._occurrences.lengths,
            self.text_lengths,
        )
        return sum(column.nbytes for column in columns) + self.vocabulary.nbytes

    @cached_property
    def _word_starts(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self._postings.counts, dtype=np.int64)))

    @cached_property
    def _line_starts(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self._occurrences.counts, dtype=np.int64)))

    def lines_of(self, word: int) -> Array:
        """Return the lines of all occurrences of a word."""
        return self._postings.lines[self._word_starts[word] : self._word_starts[word + 1]]

    def lines_of_each(self, words: Ints) -> list[Array]:
        """Return for each of some words the lines of all its occurrences."""
        lines = self._postings.lines
        starts, ends = self._word_starts[words].tolist(), self._word_starts[words + 1].tolist()
        return [lines[start:end] for start, end in zip(starts, ends, strict=True)]

    def counts_of(self, words: Ints) -> Array:
        """Return how often each of some words occurs."""
        counts: Array = self._postings.counts[words]
        return counts

    def words_of(self, lines: Array) -> tuple[Array, Ints]:
        """Return the words of some lines, one line after another, and for each which of the lines it is in."""
        places, counts = self._places_of(lines)
        return self._occurrences.words[places], np.arange(len(lines)).repeat(counts)

    def words_in(self, lines: Ints) -> LineWords:
        """Return the words of some lines, and where they stand in their texts."""
        places, counts = self._places_of(lines)
        lengths = self._occurrences.lengths[places].astype(np.int64)
        ends = (self._occurrences.gaps[places] + lengths).cumsum()
        return LineWords(
            [0, *counts.cumsum().tolist()],
            self._occurrences.words[places].tolist(),
            lengths.tolist(),
            ends.tolist(),
        )

    def _places_of(self, lines: Array) -> tuple[Ints, Ints]:
        """Return where the words of some lines stand among all occurrences, and how many words each line has."""
        starts = self._line_starts[lines]
        counts = self._line_starts[lines + 1] - starts
        ends = counts.cumsum()
        places: Ints = (starts - ends + counts).repeat(counts)
        places += np.arange(len(places))
        return places, counts

    def lines_of_neighbours(self, left: int, right: int) -> Array:
        """Return the lines where one word stands right before another."""
        rarer = min(left, right, key=self._postings.counts.__getitem__)
        lines = np.unique(self.lines_of(rarer)).astype(np.int64)
        words, owner = self.words_of(lines)
        together = (words[:-1] == left) & (words[1:] == right) & (owner[:-1] == owner[1:])
        found: Ints = lines[np.unique(owner[:-1][together])]
        return found
