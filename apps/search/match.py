"""Finds the words of an index that answer the words of a query, and what each costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from apps.search.costs import ACROSS, EDIT, EXACT, FORM
from apps.search.index import Index
from apps.search.measures import amounts_of_pair, amounts_of_word
from apps.search.query import Query, Term
from apps.search.scripts import can_cross
from apps.search.vocabulary import Vocabulary

_SHORTEST_PART: Final = 2
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
            if one.place + 1 == other.place and {one.folded, other.folded} & self.unknown:
                yield first, one.folded + other.folded

    def splits(self) -> Iterator[tuple[tuple[int, ...], str, str]]:
        """Yield terms that may be two neighbouring words of a line, with these words.

        An unknown term may be two words written as one; an amount may be written otherwise, both its words at once.
        """
        for number, term in enumerate(self.terms):
            if term.folded in self.unknown:
                for at in range(_SHORTEST_PART, len(term.folded) - _SHORTEST_PART + 1):
                    yield (number,), term.folded[:at], term.folded[at:]
            for amount in amounts_of_word(term.folded):
                yield (number,), *amount
        for (first, one), (_, other) in pairwise(enumerate(self.terms)):
            if one.place + 1 == other.place:
                for amount in amounts_of_pair(one.folded, other.folded):
                    yield (first, first + 1), *amount


@dataclass(slots=True)
class Matches:
    """For each term the words that answer it, with their cost; words that answer two terms; two words for one."""

    costs: list[dict[int, int]]
    pairs: dict[int, tuple[int, int]] = field(default_factory=dict)
    splits: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)


def find_matches(index: Index, sought: Sought) -> Matches:
    """Return every word of an index that answers a term."""
    vocabulary = index.vocabulary
    ids = vocabulary.ids
    matches = Matches([_costs_of(vocabulary, term) for term in sought.terms])
    for first, joined in sought.pairs():
        if joined in ids:
            matches.pairs[ids[joined]] = (first, first + 1)
    for terms, left, right in sought.splits():
        if left in ids and right in ids:
            matches.splits.append((terms, ids[left], ids[right]))
    return matches


def _costs_of(vocabulary: Vocabulary, term: Term) -> dict[int, int]:
    """Return what answers a term, remembered for a while: customers ask for the same words again and again."""
    remembered = vocabulary.answers.get(term.spellings)
    if remembered is not None:
        return remembered
    if len(vocabulary.answers) >= _MOST_REMEMBERED:
        vocabulary.answers.clear()
    costs = vocabulary.answers[term.spellings] = _work_out_costs(vocabulary, term)
    return costs


def _work_out_costs(vocabulary: Vocabulary, term: Term) -> dict[int, int]:
    """Collect answers from the dearest to the cheapest, so that the cheapest stays."""
    costs: dict[int, int] = {}
    if can_cross(term.folded):
        costs.update(dict.fromkeys(vocabulary.across(term.folded), ACROSS))
    if term.max_edits:
        costs.update([(word, edits * EDIT) for word, edits in vocabulary.within(term.folded, term.max_edits)])
    ids = vocabulary.ids
    costs.update(dict.fromkeys(vocabulary.other_forms(term.folded), FORM))
    costs.update([(ids[spelling], EXACT) for spelling in term.spellings if spelling in ids])
    return costs
