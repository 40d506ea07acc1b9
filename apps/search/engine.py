"""Searches compiled sources for a query in Arabic or Latin script: one ranking over all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.chunks import Chunk
from apps.search.costs import FORM, Option, Scale, assign
from apps.search.index import Index
from apps.search.join import Join
from apps.search.match import Matches, Sought, find_matches
from apps.search.query import Term, fold_query, read_query
from apps.search.rank import best_lines, worth_of_lines
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

    def locate(self, line: int) -> tuple[int, int, Chunk]:
        """Return the rank of a line's source, the line's number in it, and its chunk."""
        if isinstance(self.indexed, Segment):
            return self.ranks[0] or 0, line, self.indexed.chunk(line)
        source, at = self.indexed.locate(line)
        return self.ranks[source] or 0, at, self.indexed.segments[source].chunk(at)

    @cached_property
    def bounds(self) -> Sequence[int]:
        """Where the lines of each source begin, and where the last one ends."""
        return (0, len(self.indexed)) if isinstance(self.indexed, Segment) else self.indexed.bases.tolist()

    def left_out(self) -> Iterator[slice]:
        """Yield the lines of the sources left out."""
        for source, rank in enumerate(self.ranks):
            if rank is None:
                yield slice(self.bounds[source], self.bounds[source + 1])

    def line_ranks(self) -> npt.NDArray[np.int64] | None:
        """Return the rank of every line's source, or None when the lines stand in that order already."""
        ranks = [rank for rank in self.ranks if rank is not None]
        if all(one <= other for one, other in zip(ranks, ranks[1:], strict=False)):
            return None
        return np.repeat([rank or 0 for rank in self.ranks], np.diff(self.bounds))

    def knows(self, word: str) -> bool:
        """Whether a word stands in a source that is not left out."""
        number = self.index.vocabulary.ids.get(word)
        if number is None:
            return False
        if None not in self.ranks:
            return True
        lines = self.index.lines_of([number])
        sources = np.unique(np.searchsorted(self.bounds, lines, side="right") - 1)
        return any(self.ranks[source] is not None for source in sources.tolist())


@dataclass(frozen=True, slots=True)
class QueryWord:
    word: str
    folded: str
    max_edits: int


@dataclass(frozen=True, slots=True)
class Hit:
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
    words: list[QueryWord]
    ignored: list[str]
    hits: list[Hit]
    only_stop_words: bool
    no_words: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """A line among the best of its part, with all that orders it and what answers the terms there."""

    worth: int
    length: int
    rank: int
    at: int
    chunk: Chunk
    found_in: tuple[Index, int, Matches]

    @property
    def order(self) -> tuple[int, int, int, int]:
        return -self.worth, self.length, self.rank, self.at


def search(parts: Sequence[Part], query: str, *, limit: int = MOST_HITS) -> SearchResult:
    """Search the parts and return the best chunks of all of them."""

    def known(word: str) -> bool:
        return any(part.knows(word) for part in parts)

    read = read_query(query, known)
    sought = Sought(read, frozenset(term.folded for term in read.terms if not known(term.folded)))
    scale = Scale(len(read.terms))
    found = [line for part in parts if read.terms for line in _best_of(part, sought, scale, limit)]
    found.sort(key=lambda line: line.order)
    return SearchResult(
        words=[QueryWord(term.word, term.folded, term.max_edits) for term in read.terms],
        ignored=list(read.ignored),
        hits=[_hit(line, scale) for line in found[:limit]],
        only_stop_words=read.only_stop_words,
        no_words=not read.terms,
    )


def _best_of(part: Part, sought: Sought, scale: Scale, limit: int) -> Iterator[_Found]:
    index = part.index
    matches = find_matches(index, sought)
    total = worth_of_lines(index, matches, scale)
    for lines in part.left_out():
        total[lines] = 0
    for line in best_lines(total, index.text_lengths, part.line_ranks(), scale, limit):
        rank, at, chunk = part.locate(line)
        yield _Found(int(total[line]), int(index.text_lengths[line]), rank, at, chunk, (index, line, matches))


def _hit(line: _Found, scale: Scale) -> Hit:
    matched, edits = scale.read(line.worth)
    return Hit(
        source_rank=line.rank,
        position=line.at + 1,
        text=line.chunk.text,
        group=line.chunk.group,
        fields=line.chunk.fields,
        matched_words=matched,
        total_words=scale.terms,
        full_match=matched == scale.terms,
        edits=edits,
        score=round(max(0.0, (matched - _EDIT_PENALTY * edits) / scale.terms), 4),
        highlights=_highlights(*line.found_in, scale),
    )


def _highlights(index: Index, line: int, matches: Matches, scale: Scale) -> list[list[int]]:
    """Return where the words stand that answer the terms, a pair or a split as one range."""
    words, starts, ends = index.words_in(line)
    options: list[list[Option]] = [
        [(costs[word], at) for at, word in enumerate(words) if word in costs] for costs in matches.costs
    ]
    if matches.pairs or matches.splits:
        _add_joins(words, starts, ends, matches, options)
    chosen = {choice[1] for choice in assign(options, scale) if choice is not None}
    return sorted({(starts[at], ends[at]): [starts[at], ends[at]] for at in chosen}.values())


def _add_joins(
    words: Sequence[int], starts: list[int], ends: list[int], matches: Matches, options: list[list[Option]]
) -> None:
    """Add to the words of a line those that answer two terms, once for each, and neighbours that answer one."""
    splits = {(left, right): term for term, left, right in matches.splits}
    for at, word in enumerate(words):
        answers = [(term, at) for term in matches.pairs.get(word, ())]
        split = splits.get((words[at - 1], word)) if at else None
        if split is not None:
            answers.append((split, at - 1))
        for term, first in answers:
            options[term].append((FORM, len(starts)))
            starts.append(starts[first])
            ends.append(ends[at])
