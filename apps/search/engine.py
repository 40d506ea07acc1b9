"""Searches compiled sources for a query in Arabic or Latin script: one ranking over all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search.answers import places_of_answers
from apps.search.costs import Scale, scale_for
from apps.search.index import Index
from apps.search.join import Join
from apps.search.match import Sought, find_matches
from apps.search.query import Known, fold_query, read_query
from apps.search.rank import best_lines
from apps.search.segment import Segment

__all__ = ["Hit", "Join", "Part", "QueryWord", "SearchResult", "fold_query", "search"]

MOST_HITS: Final = 25
_EDIT_PENALTY: Final = 0.1


@dataclass(frozen=True)
class Part:
    """A segment or a join to search, with the rank of each of its sources; a source of rank None is left out."""

    indexed: Segment | Join
    ranks: Sequence[int | None]

    @property
    def index(self) -> Index:
        return self.indexed.index

    def located(self, lines: list[int]) -> tuple[list[int], list[int], list[Segment]]:
        """Return for each line the rank of its source, its number there, and the segment."""
        if isinstance(self.indexed, Segment):
            return [self.ranks[0] or 0] * len(lines), lines, [self.indexed] * len(lines)
        sources, places = self.indexed.located(lines)
        return [self.ranks[at] or 0 for at in sources], places, [self.indexed.segments[at] for at in sources]

    @cached_property
    def bounds(self) -> Sequence[int]:
        """Where the lines of each source begin, and where the last one ends."""
        return (0, len(self.indexed)) if isinstance(self.indexed, Segment) else self.indexed.bases.tolist()

    @property
    def _has_left_out(self) -> bool:
        return None in self.ranks

    def left_out(self) -> Iterator[slice]:
        """Yield the lines of the sources left out."""
        for source, rank in enumerate(self.ranks if self._has_left_out else ()):
            if rank is None:
                yield slice(self.bounds[source], self.bounds[source + 1])

    def line_ranks(self) -> npt.NDArray[np.int64] | None:
        """Return the rank of every line's source, or None when the lines stand in that order already."""
        ranks = [rank for rank in self.ranks if rank is not None]
        if len(ranks) == 1 or all(one <= other for one, other in pairwise(ranks)):
            return None
        return np.repeat([rank or 0 for rank in self.ranks], np.diff(self.bounds))

    @property
    def known(self) -> Known:
        """Return what tells whether a word stands in a source that is not left out."""
        return self._knows if self._has_left_out else self.index.vocabulary.ids.__contains__

    def _knows(self, word: str) -> bool:
        number = self.index.vocabulary.ids.get(word)
        if number is None:
            return False
        lines = self.index.lines_of(number)
        sources = np.unique(np.searchsorted(self.bounds, lines, side="right") - 1)
        return any(self.ranks[source] is not None for source in sources.tolist())


class QueryWord(NamedTuple):
    """A word of the query that counts, as typed and folded, and the edits that a word found may need."""

    word: str
    folded: str
    max_edits: int


class Hit(NamedTuple):
    """A chunk found; `position` counts from 1, `highlights` are half-open ranges of code points of the text."""

    source_rank: int
    position: int
    text: str
    group: str | None
    fields: dict[str, str] | None
    matched_words: int
    total_words: int
    full_match: bool
    edits: int
    score: float
    highlights: list[list[int]]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a query found: its words, those ignored as typed, the hits, and why there may be no words.

    `sought` is the query as the sources made it be read, for explaining the hits.
    """

    sought: Sought
    words: list[QueryWord]
    ignored: list[str]
    hits: list[Hit]
    only_stop_words: bool
    no_words: bool


# A line among the best of its part: first all that orders it (its place by worth and length, the rank of its
# source, its number there), then its segment, its worth, and where the answers stand.
_Found = tuple[int, int, int, Segment, int, list[list[int]]]
_order = itemgetter(0, 1, 2)
_segment = itemgetter(3)


def search(parts: Sequence[Part], query: str, *, limit: int = MOST_HITS) -> SearchResult:
    """Search the parts and return the best chunks of all of them."""
    known = _known_to(parts)
    read = read_query(query, known)
    sought = Sought(read, frozenset(term.folded for term in read.terms if not known(term.folded)))
    scale = scale_for(len(read.terms))
    found = [line for part in parts if read.terms for line in _best_of(part, sought, scale, limit)]
    if len(parts) > 1:
        found.sort(key=_order)
    return SearchResult(
        sought=sought,
        words=[QueryWord(term.word, term.folded, term.max_edits) for term in read.terms],
        ignored=list(read.ignored),
        hits=_hits(found[:limit], scale),
        only_stop_words=read.only_stop_words,
        no_words=not read.terms,
    )


def _known_to(parts: Sequence[Part]) -> Known:
    if len(parts) == 1:
        return parts[0].known
    each = [part.known for part in parts]

    def known(word: str) -> bool:
        return any(knows(word) for knows in each)

    return known


def _best_of(part: Part, sought: Sought, scale: Scale, limit: int) -> Iterator[_Found]:
    index = part.index
    matches = find_matches(index, sought)
    best, places, worths = best_lines(
        index, matches, scale, limit, left_out=part.left_out(), ranks=part.line_ranks()
    )
    highlights = places_of_answers(index, matches, best, scale)
    return zip(places, *part.located(best), worths, highlights, strict=True)


def _hits(found: Sequence[_Found], scale: Scale) -> list[Hit]:
    # Most hits share their worth with others, so what it says is worked out once.
    said = {worth: _said_by(worth, scale) for worth in {worth for *_, worth, _ in found}}
    contents = [
        content
        for segment, lines in groupby(found, _segment)
        for content in segment.contents([at for _, _, at, *_ in lines])
    ]
    return [
        Hit._make((rank, at + 1, *content, *said[worth], highlights))
        for (_, rank, at, _, worth, highlights), content in zip(found, contents, strict=True)
    ]


def _said_by(worth: int, scale: Scale) -> tuple[int, int, bool, int, float]:
    """Return matched words, all words, whether these are as many, edits and score."""
    matched, edits = scale.read(worth)
    score = round(max(0.0, (matched - _EDIT_PENALTY * edits) / scale.terms), 4)
    return matched, scale.terms, matched == scale.terms, edits, score
