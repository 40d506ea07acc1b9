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


def places_of_answers(index: Index, matches: Matches, lines: Ints, scale: Scale) -> list[list[list[int]]]:
    """Return for each line the ranges of text of the words that answer, a pair or a split as one range."""
    if not len(lines):
        return []
    words, starts, ends, firsts = index.words_in(lines)
    if matches.pairs or matches.splits:
        chosen = None
    else:
        chosen = _cheapest_words(words, firsts, matches, len(index.vocabulary))
    places = []
    for number, (first, end) in enumerate(pairwise([*firsts.tolist(), len(words)])):
        taken = None if chosen is None else [column[number] for column in chosen if column[number] >= 0]
        if taken is None or len(set(taken)) < len(taken):
            line_words = words[first:end].tolist()
            places.append(_exact_places(line_words, starts[first:end], ends[first:end], matches, scale))
        else:
            places.append(sorted([starts[at], ends[at]] for at in taken))
    return places


def _cheapest_words(words: npt.NDArray[np.integer], firsts: Ints, matches: Matches, known: int) -> list[list[int]]:
    """Return for each term which word of each line answers it most cheaply, -1 for none, by one pass a term."""
    cost_of_word = np.empty(known, dtype=np.uint8)
    places = np.arange(len(words))
    chosen = []
    for answering in matches.terms:
        cost_of_word.fill(_NO_ANSWER)
        cost_of_word[answering.words] = answering.word_costs
        best = np.minimum.reduceat((cost_of_word[words].astype(np.int64) << _PLACE_BITS) | places, firsts)
        answered = best >> _PLACE_BITS != _NO_ANSWER
        chosen.append(np.where(answered, best & ((1 << _PLACE_BITS) - 1), -1).tolist())
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
