"""Finds the best lines of an index for the words that answer a query."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.costs import FORM, Option, Scale, assign, assign_greedily
from apps.search.index import Index, Ranges
from apps.search.match import Matches
from apps.search.remembered import Answers

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]
# The costs of a word for every term, None where it is no answer.
Class = tuple[int | None, ...]

# Lines whose words are wanted by several terms fall into patterns; past so many they are shared out greedily.
_MOST_EXACT_PATTERNS: Final = 400
_SIGNATURE_STEP: Final = np.uint64(0xD1342543DE82EF95)
# A place among the best is one number: the worth, negated, above the length of the text.
_LENGTH_BITS: Final = 32
_BEFORE_ALL: Final = np.array([-1], dtype=np.intp)
# Lines past so many are gathered term by term, so that a query of many terms takes no more memory than one of few.
_MOST_GATHERED: Final = 1 << 18
# Looking through the lines of some terms only pays while they are at most one in so many of all.
_FEW_LINES: Final = 32

# The lines of a term, and what each was worth once the term was added; a line may stand twice.
_Step = tuple[Ints, Array]


def best_lines(
    index: Index, matches: Matches, scale: Scale, limit: int, *, left_out: Iterable[slice], ranks: Array | None
) -> tuple[list[int], list[int], list[int]]:
    """Return the best lines of an index, for each the number that orders it, the least for the best, and its worth.

    Best is the greatest worth, then the shorter text, then the lower rank of the source, then the order of lines.
    """
    split_lines = _split_lines(index, matches)
    total, steps = _add_terms(index, matches, split_lines, scale)
    for source in left_out:
        total[source] = 0
    best = _in_order(index, total, _lines_worth_most(total, steps, scale, limit), limit, ranks)
    if matches.contested and any(index.find(matches.contested, best[0])):
        _settle_contested(index, matches, split_lines, scale, total)
        best = _in_order(index, total, _lines_worth_most(total, steps, scale, limit), limit, ranks)
    return best


def _add_terms(
    index: Index, matches: Matches, split_lines: Sequence[Sequence[Array]], scale: Scale
) -> tuple[Array, list[_Step]]:
    """Return the worth of every line as if a word could answer several terms, and the last steps to it.

    A line without a word sought is worth 0. Terms of few lines are added last; the steps are those of so few.
    """
    total = np.zeros(index.line_count, dtype=scale.worth_type)
    steps: deque[_Step] = deque()
    room = len(total) // _FEW_LINES
    for number, (lines, line_worths) in enumerate(_lines_of_terms(index, matches, split_lines, scale)):
        reached = total[lines] + line_worths if number else line_worths
        total[lines] = reached
        steps.append((lines, reached))
        room -= len(lines)
        while room < 0:
            room += len(steps.popleft()[0])
    return total, [*steps]


def _size(term: tuple[Ints, Array]) -> int:
    return len(term[0])


def _lines_of_terms(
    index: Index, matches: Matches, split_lines: Sequence[Sequence[Array]], scale: Scale
) -> Iterator[tuple[Ints, Array]]:
    """Yield for each term its lines and what each is worth there, mostly the terms of many lines first.

    The lines of the dearest answers come first: written in this order, the cheapest answer of a line stays.
    """
    every = range(len(matches.costs))
    ranges = index.ranges_of(_dearest_first(matches.costs))
    if ranges.total <= _MOST_GATHERED:
        gathered = _gathered(index, matches, split_lines, scale, terms=every, ranges=ranges)
        yield from sorted(gathered, key=_size, reverse=True)
        return
    for number in every:
        ranges = index.ranges_of(_dearest_first([matches.costs[number]]))
        yield from _gathered(index, matches, split_lines, scale, terms=[number], ranges=ranges)


def _dearest_first(costs: Iterable[Answers]) -> Ints:
    """Return the words that answer some terms, term by term."""
    return np.array([word for answers in costs for word in reversed(answers)], dtype=np.intp)


def _gathered(
    index: Index,
    matches: Matches,
    split_lines: Sequence[Sequence[Array]],
    scale: Scale,
    *,
    terms: Iterable[int],
    ranges: Ranges,
) -> Iterator[tuple[Ints, Array]]:
    """Yield the lines of some terms from those of their words, gathered together."""
    costs = [matches.costs[number] for number in terms]
    word_worths = [scale.worths[cost] for answers in costs for cost in reversed(answers.values())]
    lines = index.lines_in(ranges)
    line_worths = np.array(word_worths, dtype=scale.worth_type).repeat(ranges.counts)
    ends = [0, *ranges.ends.tolist()]
    last = 0
    for number, answers in zip(terms, costs, strict=True):
        first, last = last, last + len(answers)
        some = slice(ends[first], ends[last])
        joined = [index.lines_of(word) for word, numbers in matches.pairs.items() if number in numbers]
        joined += split_lines[number]
        if joined:
            yield _with_joined(lines[some], line_worths[some], joined, scale.worths[FORM])
        else:
            yield lines[some], line_worths[some]


def _with_joined(lines: Ints, worths: Array, joined: Sequence[Array], worth: int) -> tuple[Ints, Array]:
    """Return the lines of a term with those where it is joined with another or split, the dearest first."""
    all_lines = np.concatenate([lines, *joined], dtype=np.intp)
    all_worths = np.concatenate([worths, np.full(len(all_lines) - len(lines), worth, dtype=worths.dtype)])
    dearest_first = all_worths.argsort(kind="stable")
    return all_lines[dearest_first], all_worths[dearest_first]


def _split_lines(index: Index, matches: Matches) -> list[list[Array]]:
    found: list[list[Array]] = [[] for _ in matches.costs]
    for terms, left, right in matches.splits:
        lines = index.lines_of_neighbours(left, right)
        for number in terms if len(lines) else ():
            found[number].append(lines)
    return found


def _settle_contested(
    index: Index,
    matches: Matches,
    split_lines: Sequence[Sequence[Array]],
    scale: Scale,
    total: Array,
) -> None:
    """Correct the lines where several terms want the same word, for a word answers one term at most."""
    are_contested = np.zeros(index.line_count, dtype=np.bool_)
    are_contested[index.lines_in(index.ranges_of(np.array([*matches.contested], dtype=np.intp)))] = True
    lines = (are_contested & (total > 0)).nonzero()[0]
    owner, kinds, classes = _entries(index, matches, split_lines, lines)
    total[lines] = _worths_of_patterns(owner, kinds, classes, scale).astype(total.dtype)


def _entries(
    index: Index, matches: Matches, split_lines: Sequence[Sequence[Array]], lines: Ints
) -> tuple[Ints, Ints, list[Class]]:
    """Return for each answering word of some lines which line it is in and its class: equal costs, one class.

    A word that answers two terms together counts as two words, and two words that answer one term as one more.
    """
    classes: dict[Class, int] = {}
    kind_of_word = np.full(len(index.vocabulary), -1)
    costs_of_terms = matches.costs
    for word in set().union(*costs_of_terms):
        costs = tuple(answers.get(word) for answers in costs_of_terms)
        kind_of_word[word] = classes.setdefault(costs, len(classes))
    words, owner = index.words_of(lines)
    owners, kinds = [owner], [kind_of_word[words]]
    alone = [classes.setdefault(_class_of_term(term, matches), len(classes)) for term in range(len(matches.costs))]
    for word, terms in matches.pairs.items():
        for term in terms:
            owners.append(owner[words == word])
            kinds.append(np.full(len(owners[-1]), alone[term]))
    for term, groups in enumerate(split_lines):
        for group in groups:
            owners.append(np.flatnonzero(np.isin(lines, group)))
            kinds.append(np.full(len(owners[-1]), alone[term]))
    all_owners, all_kinds = np.concatenate(owners), np.concatenate(kinds)
    answering = all_kinds >= 0
    order = np.argsort(all_owners[answering], kind="stable")
    return all_owners[answering][order], all_kinds[answering][order], list(classes)


def _class_of_term(number: int, matches: Matches) -> Class:
    return tuple(FORM if term == number else None for term in range(len(matches.costs)))


def _worths_of_patterns(owner: Ints, kinds: Ints, classes: Sequence[Class], scale: Scale) -> Ints:
    """Return the worth of each line, worked out once for all lines whose words are of the same classes."""
    firsts = np.flatnonzero(np.diff(owner, prepend=-1))
    # Lines with the same words by class have the same signature, whatever the order.
    marks = np.multiply.accumulate(np.full(len(classes), _SIGNATURE_STEP))
    signatures = np.add.reduceat(marks[kinds], firsts)
    _, samples, pattern = np.unique(signatures, return_index=True, return_inverse=True)
    ends = np.append(firsts[1:], len(owner))
    exactly = len(samples) <= _MOST_EXACT_PATTERNS
    worths = [
        _worth_of_pattern([classes[kind] for kind in kinds[firsts[at] : ends[at]].tolist()], scale, exactly=exactly)
        for at in samples.tolist()
    ]
    return np.array(worths)[pattern]


def _worth_of_pattern(words: Sequence[Class], scale: Scale, *, exactly: bool) -> int:
    options: list[list[Option]] = [
        [(cost, at) for at, costs in enumerate(words) if (cost := costs[number]) is not None]
        for number in range(scale.terms)
    ]
    chosen = assign(options, scale) if exactly else assign_greedily(options)
    return sum(scale.worth(choice[0]) for choice in chosen if choice is not None)


def _lines_worth_most(total: Array, steps: Sequence[_Step], scale: Scale, limit: int) -> Ints:
    """Return the lines that match so many words that the best ones are among them.

    A line that matches all words but some reached that worth with one of the last terms at the latest.
    """
    for last, least in enumerate(scale.least_worths, 1):
        if last > len(steps):
            reaching = total >= least
            if np.count_nonzero(reaching) >= limit:
                return reaching.nonzero()[0]
            continue
        reached = [lines[worths >= least] for lines, worths in steps[-last:]]
        if sum(map(len, reached)) >= limit:
            lines = _distinct(reached)
            if np.count_nonzero(total[lines] >= least) >= limit:
                return lines
    return (total > 0).nonzero()[0]


def _distinct(lines: Sequence[Ints]) -> Ints:
    """Return some lines in their order, each once; `np.unique` takes several times longer for a few."""
    ordered = np.concatenate([_BEFORE_ALL, *lines])
    ordered.sort()
    distinct: Ints = ordered[1:][ordered[1:] != ordered[:-1]]
    return distinct


def _in_order(
    index: Index, total: Array, lines: Ints, limit: int, ranks: Array | None
) -> tuple[list[int], list[int], list[int]]:
    """Return the best of some lines, the number that orders each, and its worth."""
    places = index.text_lengths[lines] - (total[lines].astype(np.int64) << _LENGTH_BITS)
    if len(lines) > limit:
        lowest = places.copy()
        lowest.partition(limit - 1)
        kept = places <= lowest[limit - 1]
        lines, places = lines[kept], places[kept]
    order = places.argsort(kind="stable") if ranks is None else np.lexsort((ranks[lines], places))
    best = order[:limit]
    best_places = places[best].tolist()
    return lines[best].tolist(), best_places, [-(place >> _LENGTH_BITS) for place in best_places]
