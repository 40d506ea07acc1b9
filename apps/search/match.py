"""Finds the words of an index that answer the words of a query, and what each costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from apps.search.costs import ACROSS, EDIT, EXACT, FORM
from apps.search.forms import halves_of, other_articles
from apps.search.index import Index
from apps.search.measures import amounts_of_pair, amounts_of_word, dual_of
from apps.search.query import Query, Term, max_edits
from apps.search.remembered import Answers
from apps.search.scripts import can_cross
from apps.search.vocabulary import Vocabulary

_cost = itemgetter(1)


class Sought(NamedTuple):
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
                if one.folded in self.unknown or other.folded in self.unknown:
                    yield first, one.folded + other.folded
                yield from ((first, dual) for dual in dual_of(one.folded, other.folded))

    def knows_neither(self, first: int, second: int) -> bool:
        """Whether two terms are both unknown."""
        return self.terms[first].folded in self.unknown and self.terms[second].folded in self.unknown

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


@dataclass
class Matches:
    """The words that answer each term, the cheapest first; words that answer two terms; two words for one."""

    costs: list[Answers]
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    splits: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)

    @cached_property
    def contested(self) -> set[int]:
        """The words that several terms want."""
        wanted: set[int] = set()
        contested: set[int] = set()
        for costs in self.costs:
            contested.update(wanted.intersection(costs))
            wanted.update(costs)
        return contested


def find_matches(index: Index, sought: Sought) -> Matches:
    """Return every word of an index that answers a term."""
    vocabulary = index.vocabulary
    ids = vocabulary.ids
    matches = Matches([_answering(index, term) for term in sought.terms])
    for first, joined in sought.pairs():
        together = first, first + 1
        if joined in ids:
            matches.pairs[ids[joined]] = together
        elif sought.knows_neither(*together) and can_cross(joined):
            # As ماك بوك for MacBook.
            matches.pairs |= dict.fromkeys(vocabulary.across(joined), together)
    for terms, left, right in sought.splits():
        if left in ids and right in ids:
            matches.splits.append((terms, ids[left], ids[right]))
    return matches


def _answering(index: Index, term: Term) -> Answers:
    """Return what answers a term."""
    answers = index.remembered.get(term.spellings)
    if answers is None:
        answers = _costs_of(index.vocabulary, term)
        index.remembered.put(term.spellings, answers)
    return answers


def _costs_of(vocabulary: Vocabulary, term: Term) -> Answers:
    """Collect answers from the cheapest to the dearest, so that the cheapest stays."""
    ids, small = vocabulary.ids, vocabulary.function_words
    costs = dict.fromkeys([ids[spelling] for spelling in term.spellings if spelling in ids], EXACT)
    forms = vocabulary.other_forms(term.folded)
    for number in forms:
        costs.setdefault(number, FORM)
    for number, cost in _less_like(vocabulary, term, has_forms=bool(forms)):
        # The small words of a line answer only themselves.
        if number not in small:
            costs.setdefault(number, cost)
    return costs


def _less_like(vocabulary: Vocabulary, term: Term, *, has_forms: bool) -> Iterator[tuple[int, int]]:
    """Yield what answers a term with edits or in the other script, and what it costs, the cheapest first."""
    near = vocabulary.within(term.folded, term.max_edits) if term.max_edits else {}
    for number, edits in sorted(near.items(), key=_cost):
        yield number, edits * EDIT
    if not near and not has_forms:
        yield from _with_other_article(vocabulary, term)
    if can_cross(term.folded):
        for number in vocabulary.across(term.folded):
            yield number, ACROSS


def _with_other_article(vocabulary: Vocabulary, term: Term) -> list[tuple[int, int]]:
    """Return what answers a word whose article is put on or taken off, counted as another form, cheapest first."""
    found: dict[int, int] = {}
    for other in other_articles(term.folded):
        edits = min(term.max_edits, max_edits(other))
        near = vocabulary.within(other, edits) if edits else {}
        found.update((number, needed * EDIT + FORM) for number, needed in near.items())
    return sorted(found.items(), key=_cost)
