"""Shows where in the text of a hit the words stand that answer the query."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search.costs import FORM, Option, Scale, assign
from apps.search.index import Index
from apps.search.match import Matches

Ints = npt.NDArray[np.int64]
Place = list[int]
# What an answering word costs, and the term it answers: None where several terms want it.
Wanted = Mapping[int, tuple[int, int] | None]


def places_of_answers(index: Index, matches: Matches, lines: Ints, scale: Scale) -> list[list[Place]]:
    """Return for each line the ranges of text of the words that answer, a pair or a split as one range."""
    if not len(lines):
        return []
    edges, words, lengths, ends = index.words_in(lines)
    if matches.pairs or matches.splits:
        answers: list[list[int] | None] = [None] * len(lines)
    else:
        answers = _cheapest_words(words, edges, _wanted(matches))
    found = []
    for first, end, chosen in zip(edges, edges[1:], answers, strict=False):
        begin = ends[first - 1] if first else 0
        if chosen is None:
            line_ends = [at - begin for at in ends[first:end]]
            line_starts = [at - length for at, length in zip(line_ends, lengths[first:end], strict=True)]
            found.append(_exact_places(words[first:end], line_starts, line_ends, matches, scale))
        else:
            found.append([[ends[at] - begin - lengths[at], ends[at] - begin] for at in sorted(chosen)])
    return found


def _wanted(matches: Matches) -> Wanted:
    wanted: dict[int, tuple[int, int] | None] = {}
    for term, costs in enumerate(matches.costs):
        for word, cost in costs.items():
            wanted[word] = None if word in wanted else (cost, term)
    return wanted


def _cheapest_words(words: Sequence[int], edges: Sequence[int], wanted: Wanted) -> list[list[int] | None]:
    """Return for each line which of its words answers each term most cheaply, or None where terms want the same."""
    found: list[list[int] | None] = []
    for first, end in pairwise(edges):
        chosen: dict[int, tuple[int, int]] = {}
        for at, word in enumerate(words[first:end], first):
            if word in wanted:
                want = wanted[word]
                if want is None:
                    found.append(None)
                    break
                cost, term = want
                if term not in chosen or cost < chosen[term][0]:
                    chosen[term] = cost, at
        else:
            found.append([at for _, at in chosen.values()])
    return found


def _exact_places(
    words: Sequence[int], starts: list[int], ends: list[int], matches: Matches, scale: Scale
) -> list[Place]:
    """Return what of one line answers, where several terms want the same word or where words are joined."""
    chosen = {choice[1] for choice in _shared_out(words, starts, ends, matches, scale) if choice is not None}
    return _apart(sorted([starts[at], ends[at]] for at in chosen))


def _shared_out(
    words: Sequence[int], starts: list[int], ends: list[int], matches: Matches, scale: Scale
) -> list[Option | None]:
    """Share the words of one line out among the terms: each one's cost and the number of its place.

    Words that are joined get places of their own, behind the others.
    """
    options: list[list[Option]] = [
        [(costs[word], at) for at, word in enumerate(words) if word in costs] for costs in matches.costs
    ]
    _add_joins(words, starts, ends, matches, options)
    return assign(options, scale)


class Answered(NamedTuple):
    """What answers a term in a line, and at what cost; `single` says that it is one word for one term."""

    cost: int
    start: int
    end: int
    single: bool


def answers_of_terms(index: Index, matches: Matches, lines: Ints, scale: Scale) -> list[list[Answered | None]]:
    """Return for each line what answers each term."""
    edges, words, lengths, ends = index.words_in(lines)
    found = []
    for first, end in pairwise(edges):
        begin = ends[first - 1] if first else 0
        line_ends = [at - begin for at in ends[first:end]]
        line_starts = [at - length for at, length in zip(line_ends, lengths[first:end], strict=True)]
        choices = _shared_out(words[first:end], line_starts, line_ends, matches, scale)
        found.append([choice and _answered(choice, line_starts, line_ends, end - first) for choice in choices])
    return found


def _answered(choice: Option, starts: Sequence[int], ends: Sequence[int], word_count: int) -> Answered:
    cost, at = choice
    return Answered(cost, starts[at], ends[at], at < word_count)


def _apart(places: Sequence[Place]) -> list[Place]:
    """Make one range of ranges that overlap, as a word does with the pair it is part of."""
    apart: list[Place] = []
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
