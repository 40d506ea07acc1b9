"""What a word found costs against the word sought, and how the words of a line are shared out among the terms."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

# A cost counts half edits: an odd one is another form of a word.
EXACT: Final = 0
FORM: Final = 1
EDIT: Final = 2
# A word of the other script ranks below every word that two edits reach.
ACROSS: Final = 3 * EDIT

Option = tuple[int, int]  # cost, number of the line's word


class Scale:
    """Turns matched words, edits and other forms into one number: more is better, in this order."""

    def __init__(self, terms: int) -> None:
        self.terms = terms
        self._edit = terms + 1
        # One matched word is worth more than all costs of a line together.
        self._word = terms * (ACROSS // EDIT * self._edit + 1) + 1
        most = terms * self._word
        self.worth_type: np.dtype[Any] = np.min_scalar_type(most)
        # The worth of a word matched, by its cost.
        self.worths = [self._word - cost // EDIT * self._edit - cost % EDIT for cost in range(ACROSS + EDIT)]

        # The least worth of a line that matches all words, one word less, and so on.
        self.least_worths = [1 + matched * self._word for matched in reversed(range(terms))]

    def worth(self, cost: int) -> int:
        return self.worths[cost]

    def read(self, worth: int) -> tuple[int, int]:
        """Return matched words and edits of a line's whole worth."""
        matched = -(-worth // self._word)
        return matched, (matched * self._word - worth) // self._edit


@lru_cache
def scale_for(terms: int) -> Scale:
    """Return the scale of queries of so many terms; there are few."""
    return Scale(terms)


def assign(options: Sequence[Sequence[Option]], scale: Scale) -> list[Option | None]:
    """Give each term at most one word and each word to at most one term, for the greatest worth."""
    cheapest = [min(choices) if choices else None for choices in options]
    taken = [choice[1] for choice in cheapest if choice is not None]
    if len(set(taken)) == len(taken):
        return cheapest
    chosen = list(cheapest)
    for rivals in _rivals(options):
        shared_out = _assign_exactly([options[term] for term in rivals], scale)
        for term, choice in zip(rivals, shared_out, strict=True):
            chosen[term] = choice
    return chosen


def _rivals(options: Sequence[Sequence[Option]]) -> list[list[int]]:
    """Return the groups of terms that want some of the same words, directly or through others."""
    group_of_word: dict[int, list[int]] = {}
    for term, choices in enumerate(options):
        group = [term]
        for _, word in choices:
            other = group_of_word.get(word, group)
            if other is not group:
                group += other
                group_of_word = {known: group if old is other else old for known, old in group_of_word.items()}
            group_of_word[word] = group
    groups = {id(group): group for group in group_of_word.values() if len(group) > 1}
    return [sorted(group) for group in groups.values()]


def _assign_exactly(options: Sequence[Sequence[Option]], scale: Scale) -> list[Option | None]:
    # The others can take at most one word each, so a term needs no more choices than there are terms.
    kept = [sorted(choices)[: len(options)] for choices in options]
    words = sorted({word for choices in kept for _, word in choices})
    worth = [_worths(choices, words, scale) for choices in kept]
    return [
        (cost, words[column])
        if column < len(words) and (cost := _cost_of(choices, words[column])) is not None
        else None
        for choices, column in zip(kept, _best_columns(worth), strict=True)
    ]


def assign_greedily(options: Sequence[Sequence[Option]]) -> list[Option | None]:
    """Give words out cheapest first: the answer when there are too many lines to share out exactly."""
    chosen: list[Option | None] = [None] * len(options)
    taken: set[int] = set()
    for cost, word, term in sorted((cost, word, term) for term, each in enumerate(options) for cost, word in each):
        if chosen[term] is None and word not in taken:
            chosen[term] = (cost, word)
            taken.add(word)
    return chosen


def _worths(choices: Sequence[Option], words: Sequence[int], scale: Scale) -> list[int]:
    """Worth of each word for a term, then of as many places that stand for no word as there are terms."""
    by_word = {word: scale.worth(cost) for cost, word in reversed(choices)}
    return [by_word.get(word, 0) for word in words] + [0] * scale.terms


def _cost_of(choices: Sequence[Option], word: int) -> int | None:
    return min((cost for cost, other in choices if other == word), default=None)


def _best_columns(worth: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row its column in the assignment of the greatest worth (the Hungarian method)."""
    columns = len(worth[0])
    row_price, column_price = [0] * len(worth), [0] * (columns + 1)
    row_of = [-1] * (columns + 1)
    for row in range(len(worth)):
        row_of[columns] = row
        came = _cheapest_path(worth, row_price, column_price, row_of)
        column = came.pop()
        while column != columns:
            row_of[column] = row_of[came[column]]
            column = came[column]
    column_of = [0] * len(worth)
    for column, row in enumerate(row_of[:columns]):
        if row >= 0:
            column_of[row] = column
    return column_of


def _cheapest_path(
    worth: Sequence[Sequence[int]], row_price: list[int], column_price: list[int], row_of: list[int]
) -> list[int]:
    """Grow a tree from the new row, kept in the last column, to a free column, adjusting prices on the way.

    Return for each column the one before it on the path, and the free column as the last entry.
    """
    start = len(column_price) - 1
    slack = [1 << 60] * start
    came = [start] * start
    reached = [False] * (start + 1)
    column = start
    while row_of[column] >= 0:
        reached[column] = True
        row = row_of[column]
        for other in range(start):
            if reached[other]:
                continue
            price = -worth[row][other] - row_price[row] - column_price[other]
            if price < slack[other]:
                slack[other], came[other] = price, column
        nearest = min((slack[other], other) for other in range(start) if not reached[other])
        for other in range(start + 1):
            if reached[other]:
                row_price[row_of[other]] += nearest[0]
                column_price[other] -= nearest[0]
            elif other < start:
                slack[other] -= nearest[0]
        column = nearest[1]
    return [*came, column]
