"""Shows where in the text of a hit the words stand that answer the query."""

from collections.abc import Sequence
from typing import NamedTuple

from apps.search.costs import FORM, Option, Scale, assign
from apps.search.index import Index
from apps.search.match import Matches

Place = list[int]


def places_of_answers(index: Index, matches: Matches, lines: Sequence[int], scale: Scale) -> list[list[Place]]:
    """Return for each line the ranges of text of the words that answer, a pair or a split as one range."""
    wanted = {word: (cost, term) for term, costs in enumerate(matches.costs) for word, cost in costs.items()}
    to_share_out = set(range(len(lines))) if matches.pairs or matches.splits else set()
    # For each line and term the cheapest word, of equal ones the first.
    chosen: dict[int, tuple[int, int, int]] = {}
    for line, word, start, length in index.find(wanted, lines):
        if word in matches.contested:
            to_share_out.add(line)
        cost, term = wanted[word]
        wish = line * scale.terms + term
        if wish in chosen:
            if cost >= chosen[wish][0]:
                continue
            # So the words of a line stay in their order.
            del chosen[wish]
        chosen[wish] = cost, start, length
    found: list[list[Place]] = [[] for _ in lines]
    for wish, (_, start, length) in chosen.items():
        found[wish // scale.terms].append([start, start + length])
    for line in to_share_out:
        found[line] = _exact_places(index, matches, lines[line], scale)
    return found


def _exact_places(index: Index, matches: Matches, line: int, scale: Scale) -> list[Place]:
    """Return what of one line answers, where several terms want the same word or where words are joined."""
    words, places = index.words_in(line)
    choices = _shared_out(words, places, matches, scale)
    return _apart(sorted(places[at] for at in {choice[1] for choice in choices if choice is not None}))


def _shared_out(words: Sequence[int], places: list[Place], matches: Matches, scale: Scale) -> list[Option | None]:
    """Share the words of one line out among the terms: each one's cost and the number of its place.

    Words that are joined get places of their own, behind the others.
    """
    options: list[list[Option]] = [
        [(costs[word], at) for at, word in enumerate(words) if word in costs] for costs in matches.costs
    ]
    _add_joins(words, places, matches, options)
    return assign(options, scale)


class Answered(NamedTuple):
    """What answers a term in a line, and at what cost; `single` says that it is one word for one term."""

    cost: int
    start: int
    end: int
    single: bool


def answers_of_terms(index: Index, matches: Matches, line: int, scale: Scale) -> list[Answered | None]:
    """Return what answers each term in a line."""
    words, places = index.words_in(line)
    choices = _shared_out(words, places, matches, scale)
    return [choice and _answered(choice, places, len(words)) for choice in choices]


def _answered(choice: Option, places: Sequence[Place], word_count: int) -> Answered:
    cost, at = choice
    start, end = places[at]
    return Answered(cost, start, end, at < word_count)


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
    words: Sequence[int], places: list[Place], matches: Matches, options: Sequence[list[Option]]
) -> None:
    """Add to the words of a line those that answer two terms, once for each, and neighbours that answer one."""
    splits = {(left, right): terms for terms, left, right in matches.splits}
    for at, word in enumerate(words):
        answers = [(term, at) for term in matches.pairs.get(word, ())]
        if at:
            answers += [(term, at - 1) for term in splits.get((words[at - 1], word), ())]
        for term, first in answers:
            options[term].append((FORM, len(places)))
            places.append([places[first][0], places[at][1]])
