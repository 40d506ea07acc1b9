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
from apps.search.words import Word, words_of

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
    """A line among the best of its part, with all that orders it."""

    worth: int
    length: int
    rank: int
    at: int
    chunk: Chunk

    @property
    def order(self) -> tuple[int, int, int, int]:
        return -self.worth, self.length, self.rank, self.at


def search(parts: Sequence[Part], query: str, *, limit: int = MOST_HITS) -> SearchResult:
    """Search the parts and return the best chunks of all of them."""
    read = read_query(query, lambda word: any(part.knows(word) for part in parts))
    unknown = frozenset(term.folded for term in read.terms if not any(part.knows(term.folded) for part in parts))
    sought = Sought(read, unknown)
    scale = Scale(len(read.terms))
    found: list[_Found] = []
    answers = _Answers(sought)
    for part in parts if read.terms else ():
        matches = find_matches(part.index, sought)
        answers.learn(part.index, matches)
        found += _best_of(part, matches, scale, limit)
    found.sort(key=lambda line: line.order)
    return SearchResult(
        words=[QueryWord(term.word, term.folded, term.max_edits) for term in read.terms],
        ignored=list(read.ignored),
        hits=[_hit(line, answers, scale) for line in found[:limit]],
        only_stop_words=read.only_stop_words,
        no_words=not read.terms,
    )


def _best_of(part: Part, matches: Matches, scale: Scale, limit: int) -> Iterator[_Found]:
    total = worth_of_lines(part.index, matches, scale)
    for lines in part.left_out():
        total[lines] = 0
    lengths = part.index.text_lengths
    for line in best_lines(total, lengths, part.line_ranks(), scale, limit):
        rank, at, chunk = part.locate(line)
        yield _Found(int(total[line]), int(lengths[line]), rank, at, chunk)


class _Answers:
    """What answers each term, by the word itself, so that the places in the text of a hit can be shown."""

    def __init__(self, sought: Sought) -> None:
        self.costs: list[dict[str, int]] = [{} for _ in sought.terms]
        self.pairs: dict[str, int] = {joined: first for first, joined in sought.pairs()}
        self.splits: dict[tuple[str, str], int] = {(left, right): number for number, left, right in sought.splits()}

    def learn(self, index: Index, matches: Matches) -> None:
        words = index.vocabulary.words
        for known, costs in zip(self.costs, matches.costs, strict=True):
            known.update((words[word], cost) for word, cost in costs.items())

    def options(self, words: Sequence[Word]) -> tuple[list[list[Option]], list[tuple[int, int]]]:
        """Return the words of a line that each term may take, by number, and the range of text of every number."""
        options: list[list[Option]] = [[] for _ in self.costs]
        spans: list[tuple[int, int]] = []
        for at, word in enumerate(words):
            for term, costs in enumerate(self.costs):
                if word.text in costs:
                    options[term].append((costs[word.text], len(spans)))
            spans.append((word.start, word.end))
            if word.text in self.pairs:
                for term in (self.pairs[word.text], self.pairs[word.text] + 1):
                    options[term].append((FORM, len(spans)))
                    spans.append((word.start, word.end))
            following = words[at + 1] if at + 1 < len(words) else word
            split = self.splits.get((word.text, following.text)) if self.splits else None
            if split is not None and following is not word:
                options[split].append((FORM, len(spans)))
                spans.append((word.start, following.end))
        return options, spans


def _hit(line: _Found, answers: _Answers, scale: Scale) -> Hit:
    matched, edits = scale.read(line.worth)
    options, spans = answers.options(words_of(line.chunk.text))
    chosen = [choice for choice in assign(options, scale) if choice is not None]
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
        highlights=[list(span) for span in sorted({spans[number] for _, number in chosen})],
    )
