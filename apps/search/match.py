"""Finds the words of an index that answer the words of a query, and what each costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from apps.search.costs import ACROSS, EDIT, EXACT, FORM
from apps.search.forms import halves_of, other_articles
from apps.search.index import Answering, Index
from apps.search.measures import amounts_of_pair, amounts_of_word, dual_of
from apps.search.query import Query, Term, max_edits
from apps.search.scripts import can_cross
from apps.search.vocabulary import Vocabulary

_MOST_REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True)
class Sought:
    """A query with what it takes from all searched sources together: which of its words none of them knows."""

    query: Query
    unknown: frozenset[str]

    @property
    def terms(self) -> Sequence[Term]:
        return self.query.terms

    def pairs(self) -> Iterator[tuple[int, str]]:
        """Yield neighbouring terms, one of them unknown, that may be one word of a line: first and joined."""
        for (first, one), (_, other) in pairwise(enumerate(self.terms)):
            if one.place + 1 == other.place:
                if {one.folded, other.folded} & self.unknown:
                    yield first, one.folded + other.folded
                yield from ((first, dual) for dual in dual_of(one.folded, other.folded))

    def splits(self) -> Iterator[tuple[tuple[int, ...], str, str]]:
        """Yield terms that may be two neighbouring words of a line, with these words.

        An unknown term may be two words written as one; an amount may be written otherwise, both its words at once.
        """
        for number, term in enumerate(self.terms):
            if term.folded in self.unknown:
                for halves in halves_of(term.folded):
                    yield (number,), *halves
            for amount in amounts_of_word(term.folded):
                yield (number,), *amount
        for (first, one), (_, other) in pairwise(enumerate(self.terms)):
            if one.place + 1 == other.place:
                for amount in amounts_of_pair(one.folded, other.folded):
                    yield (first, first + 1), *amount


@dataclass(slots=True)
class Matches:
    """For each term the words that answer it; words that answer two terms; two words for one."""

    terms: list[Answering]
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    splits: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)

    @property
    def costs(self) -> list[dict[int, int]]:
        return [answering.costs for answering in self.terms]


def find_matches(index: Index, sought: Sought) -> Matches:
    """Return every word of an index that answers a term."""
    vocabulary = index.vocabulary
    ids = vocabulary.ids
    matches = Matches([_answering(index, term) for term in sought.terms])
    for first, joined in sought.pairs():
        if joined in ids:
            matches.pairs[ids[joined]] = (first, first + 1)
    for terms, left, right in sought.splits():
        if left in ids and right in ids:
            matches.splits.append((terms, ids[left], ids[right]))
    return matches


def _answering(index: Index, term: Term) -> Answering:
    """Return what answers a term, remembered for a while: customers ask for the same words again and again."""
    remembered = index.remembered
    answering = remembered.get(term.spellings)
    if answering is None:
        if len(remembered) >= _MOST_REMEMBERED:
            remembered.clear()
        answering = remembered[term.spellings] = Answering(_costs_of(index.vocabulary, term))
    return answering


def _costs_of(vocabulary: Vocabulary, term: Term) -> dict[int, int]:
    """Collect answers from the dearest to the cheapest, so that the cheapest stays."""
    word, ids = term.folded, vocabulary.ids
    costs = dict.fromkeys(vocabulary.across(word), ACROSS) if can_cross(word) else {}
    near = {number: edits * EDIT for number, edits in _within(vocabulary, word, term.max_edits).items()}
    forms = vocabulary.other_forms(word)
    if not near and not forms:
        for other in other_articles(word):
            found = _within(vocabulary, other, min(term.max_edits, max_edits(other)))
            near.update((number, edits * EDIT + FORM) for number, edits in found.items())
    costs.update(near)
    # The small words of a line answer only themselves.
    for number in vocabulary.function_words.intersection(costs):
        del costs[number]
    costs.update(dict.fromkeys(forms, FORM))
    costs.update([(ids[spelling], EXACT) for spelling in term.spellings if spelling in ids])
    return costs


def _within(vocabulary: Vocabulary, word: str, edits: int) -> dict[int, int]:
    return vocabulary.within(word, edits) if edits else {}
