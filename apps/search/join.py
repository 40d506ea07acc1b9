"""Several segments searched as one, so that a thousand small sources cost one pass over one vocabulary."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from apps.search.index import Index, Occurrences, Postings, postings_of
from apps.search.runs import hash_runs
from apps.search.segment import Segment
from apps.search.vocabulary import Vocabulary, order_of

Ints = npt.NDArray[np.int64]
Letters = npt.NDArray[np.uint32]
Array = npt.NDArray[np.integer]

_NO_LETTERS = np.zeros(0, dtype=np.uint32)


class Join:
    """The segments of several sources in one index; their lines are numbered one after another."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.bases: Ints = np.cumsum([0, *map(len, self.segments)])
        self.index = _join(self.segments)
        self.nbytes = self.index.nbytes

    def __len__(self) -> int:
        return int(self.bases[-1])

    def located(self, lines: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return for each line the number of the segment it belongs to, and its number there."""
        sources = self.bases.searchsorted(lines, side="right") - 1
        return sources.tolist(), (lines - self.bases[sources]).tolist()


def _join(segments: Sequence[Segment]) -> Index:
    lengths = _concatenated([segment.word_lengths for segment in segments]).astype(np.int64)
    letters = np.concatenate([segment.letters.astype(np.uint32) for segment in segments] or [_NO_LETTERS])
    keys = _concatenated([segment.word_keys for segment in segments])
    ends = np.cumsum(lengths)
    merged, numbers = _merged(letters, ends - lengths, ends)
    vocabulary = Vocabulary(_letters_of(letters, lengths, ends, merged), lengths[merged], keys[merged])
    parts = [segment.occurrences for segment in segments]
    # The words of each segment were numbered from 0; in the join they follow those of the segments before it.
    first_words = np.cumsum([0, *(len(segment.word_lengths) for segment in segments)])[:-1]
    words = _concatenated([part.words for part in parts]).astype(np.int64)
    words += np.repeat(first_words, [len(part.words) for part in parts])
    occurrences = Occurrences(
        _concatenated([part.counts for part in parts]),
        numbers[words].astype(np.uint32),
        _concatenated([part.starts for part in parts]),
        _concatenated([part.lengths for part in parts]),
    )
    postings = postings_of(occurrences, len(merged))
    lines = postings.lines.astype(np.uint32)
    return Index(
        vocabulary,
        Postings(postings.counts, lines),
        occurrences,
        _concatenated([segment.text_lengths for segment in segments]),
    )


def _concatenated(columns: Sequence[Array]) -> Array:
    return np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)


def _merged(letters: Letters, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return one representative of each distinct word in vocabulary order, and for each word its number there."""
    if not len(starts):
        return starts, starts
    _, first, inverse = np.unique(hash_runs(letters, starts, ends), return_index=True, return_inverse=True)
    initial = letters[starts[first]]
    order = order_of(letters, starts[first], (ends - starts)[first], (initial >= ord("0")) & (initial <= ord("9")))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse]


def _letters_of(letters: Letters, lengths: Ints, ends: Ints, words: Ints) -> Letters:
    counts = lengths[words]
    stops = np.cumsum(counts)
    taken: Letters = letters[np.arange(counts.sum()) + np.repeat(ends[words] - stops, counts)]
    return taken
