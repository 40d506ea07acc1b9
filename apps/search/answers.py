"""Shows where in the text of a hit the words stand that answer the query."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.costs import FORM, Option, Scale, assign
from apps.search.index import Index
from apps.search.match import Matches

Ints = npt.NDArray[np.int64]

_NO_ANSWER: Final = 255
_PLACE_BITS: Final = 32
_PLACE_MASK: Final = (1 << _PLACE_BITS) - 1
# What stands for a line whose words must be shared out one by one: a word wanted twice.
_CONTESTED: Final = [0, 0]


def places_of_answers(index: Index, matches: Matches, lines: Ints, scale: Scale) -> list[list[list[int]]]:
    """Return for each line the ranges of text of the words that answer, a pair or a split as one range."""
    if not len(lines):
        return []
    words, starts, ends, firsts = index.words_in(lines)
    if matches.pairs or matches.splits:
        chosen = [_CONTESTED] * len(lines)
    else:
        chosen = _cheapest_words(words, firsts, matches, len(index.vocabulary))
    places = []
    for taken, (first, end) in zip(chosen, pairwise([*firsts.tolist(), len(words)]), strict=True):
        if len(set(taken)) == len(taken):
            places.append(sorted([starts[at], ends[at]] for at in taken if at >= 0))
        else:
            line_words = words[first:end].tolist()
            places.append(_exact_places(line_words, starts[first:end], ends[first:end], matches, scale))
    return places


def _cheapest_words(words: npt.NDArray[np.integer], firsts: Ints, matches: Matches, known: int) -> list[list[int]]:
    """Return for each line which of the words answers each term most cheaply, a negative number for no word."""
    cost_of_word = np.full((len(matches.terms), known), _NO_ANSWER, dtype=np.uint8)
    for costs, answering in zip(cost_of_word, matches.terms, strict=True):
        costs[answering.words] = answering.word_costs
    ranked = (cost_of_word[:, words].astype(np.int64) << _PLACE_BITS) | np.arange(len(words))
    best = np.minimum.reduceat(ranked, firsts, axis=1)
    unanswered = best >= _NO_ANSWER << _PLACE_BITS
    # Each term without an answer gets a number of its own, so that equal numbers are one word wanted twice.
    nothing = -1 - np.arange(len(matches.terms))[:, np.newaxis]
    chosen: list[list[int]] = np.where(unanswered, nothing, best & _PLACE_MASK).T.tolist()
    return chosen


def _exact_places(
    words: Sequence[int], starts: list[int], ends: list[int], matches: Matches, scale: Scale
) -> list[list[int]]:
    """Share the words of one line out among the terms, where several want one or where words are joined."""
    options: list[list[Option]] = [
        [(costs[word], at) for at, word in enumerate(words) if word in costs] for costs in matches.costs
    ]
    _add_joins(words, starts, ends, matches, options)
    chosen = {choice[1] for choice in assign(options, scale) if choice is not None}
    return _apart(sorted([starts[at], ends[at]] for at in chosen))


def _apart(places: Sequence[list[int]]) -> list[list[int]]:
    """Make one range of ranges that overlap, as a word does with the pair it is part of."""
    apart: list[list[int]] = []
    for start, end in places:
        if apart and start < apart[-1][1]:
            apart[-1][1] = max(end, apart[-1][1])
        else:
            apart.append([start, end])
    return apart


def _add_joins(
    words: Sequence[int], starts: list[int], ends: list[int], matches: Matches, options: Sequence[list[Option]]
) -> None:
    """Add to the words of a line those that answer two terms, once for each, and neighbours that answer one."""
    splits = {(left, right): terms for terms, left, right in matches.splits}
    for at, word in enumerate(words):
        answers = [(term, at) for term in matches.pairs.get(word, ())]
        if at:
            answers += [(term, at - 1) for term in splits.get((words[at - 1], word), ())]
        for term, first in answers:
            options[term].append((FORM, len(starts)))
            starts.append(starts[first])
            ends.append(ends[at])
