"""Several segments searched as one, so that a thousand small sources cost one pass over one vocabulary."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from apps.search.index import Index, postings_by_word
from apps.search.segment import Segment
from apps.search.tokens import hash_runs
from apps.search.vocabulary import Vocabulary, order_of

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[np.integer]


class Join:
    """The segments of several sources in one index; their lines are numbered one after another."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.bases: Ints = np.cumsum([0, *map(len, self.segments)])
        self.index = _join(self.segments, self.bases)
        self.nbytes = self.index.nbytes

    def __len__(self) -> int:
        return int(self.bases[-1])

    def locate(self, line: int) -> tuple[int, int]:
        """Return the number of the segment that a line belongs to, and its number there."""
        segment = int(np.searchsorted(self.bases, line, side="right")) - 1
        return segment, line - int(self.bases[segment])


def _join(segments: Sequence[Segment], bases: Ints) -> Index:
    lengths = _concatenated([segment.word_lengths for segment in segments]).astype(np.int64)
    letters = _concatenated([segment.letters for segment in segments]).astype(np.uint32)
    keys = _concatenated([segment.word_keys for segment in segments])
    ends = np.cumsum(lengths)
    merged, numbers = _merged(letters, ends - lengths, ends)
    vocabulary = Vocabulary(_letters_of(letters, lengths, ends, merged), lengths[merged], keys[merged])
    postings = [segment.postings for segment in segments]
    counts = _concatenated([posting.counts for posting in postings])
    lines = _concatenated([posting.lines for posting in postings]).astype(np.int64)
    lines += np.repeat(bases[:-1], [len(posting.lines) for posting in postings])
    places = _concatenated([posting.places for posting in postings])
    return Index(
        vocabulary,
        postings_by_word(np.repeat(numbers, counts), lines.astype(np.uint32), places, len(merged)),
        _concatenated([segment.text_lengths for segment in segments]),
    )


def _concatenated(columns: Sequence[Array]) -> Array:
    return np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)


def _merged(letters: Array, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return one representative of each distinct word in vocabulary order, and for each word its number there."""
    if not len(starts):
        return starts, starts
    _, first, inverse = np.unique(hash_runs(letters, starts, ends), return_index=True, return_inverse=True)
    initial = letters[starts[first]]
    order = order_of((ends - starts)[first], (initial >= ord("0")) & (initial <= ord("9")))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse]


def _letters_of(letters: Array, lengths: Ints, ends: Ints, words: Ints) -> Array:
    counts = lengths[words]
    stops = np.cumsum(counts)
    return letters[np.arange(counts.sum()) + np.repeat(ends[words] - stops, counts)]
