"""Finds the best lines of an index for the words that answer a query."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.costs import FORM, Option, Scale, assign, assign_greedily
from apps.search.index import Answering, Index
from apps.search.match import Matches

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]
# The costs of a word for every term, None where it is no answer.
Class = tuple[int | None, ...]

# Lines whose words are wanted by several terms fall into patterns; past so many they are shared out greedily.
_MOST_EXACT_PATTERNS: Final = 400
_SIGNATURE_STEP: Final = np.uint64(0xD1342543DE82EF95)
_ROWS: Final = 32
# Looking through some columns only pays while they are at most one of so many.
_FEW_COLUMNS: Final = 8
_MANY_LINES: Final = 2000
_NO_LINES: Final = np.zeros(0, dtype=np.intp)


def best_lines(
    index: Index, matches: Matches, scale: Scale, limit: int, *, left_out: Iterable[slice], ranks: Array | None
) -> tuple[Ints, Ints]:
    """Return the best lines of an index and their worth.

    Best is the greatest worth, then the shorter text, then the lower rank of the source, then the order of lines.
    """
    split_lines = _split_lines(index, matches)
    total = _worth_of_lines(index, matches, split_lines, scale)
    for source in left_out:
        total[source] = 0
    lines = _lines_worth_most(total, limit)
    contested = _contested_words(matches)
    if len(contested) and np.isin(index.words_of(lines)[0], contested).any():
        _settle_contested(index, matches, split_lines, contested, scale=scale, total=total)
        lines = _lines_worth_most(total, limit)
    return _in_order(lines, total[lines].astype(np.int64), index.text_lengths[lines], ranks, limit)


def _worth_of_lines(index: Index, matches: Matches, split_lines: Sequence[Sequence[Array]], scale: Scale) -> Array:
    """Return the worth of every line as if a word could answer several terms; 0 for lines without a word sought.

    The lines are filled up with worthless ones to whole rows.
    """
    worths = _worth_table(scale)
    row = -(-index.line_count // _ROWS)
    total = np.zeros(_ROWS * row, dtype=worths.dtype)
    postings = _postings_of_terms(index, matches.terms, worths)
    for number, (lines, line_worths, frequent) in enumerate(postings):
        joins = [index.lines_of(word) for word, terms in matches.pairs.items() if number in terms]
        frequent += [(joined, worths[FORM]) for joined in (*joins, *split_lines[number])]
        # Several writes must not add to one another.
        before = total.copy() if frequent else total
        total[lines] = before[lines] + line_worths
        for many, worth in frequent:
            total[many] = np.maximum(total[many], before[many] + worth)
    return total


@lru_cache
def _worth_table(scale: Scale) -> Array:
    return np.array(scale.worths, dtype=np.min_scalar_type(scale.most))


def _postings_of_terms(
    index: Index, terms: Sequence[Answering], worths: Array
) -> Iterator[tuple[Ints, Array, list[tuple[Array, np.integer]]]]:
    """Yield for each term its lines and what each is worth, those of the dearest answers first.

    Written in this order, the cheapest answer of a line stays. Words in many lines come apart, each with its worth,
    which saves copying their lines together.
    """
    words = np.concatenate([answering.words for answering in terms])
    word_worths = worths[np.concatenate([answering.word_costs for answering in terms])]
    found = index.lines_of_each(words)
    counts = index.counts_of(words)
    frequent = (counts > _MANY_LINES).nonzero()[0].tolist()
    apart = {at: (found[at].astype(np.intp), word_worths[at]) for at in frequent}
    for at in frequent:
        found[at], counts[at] = _NO_LINES, 0
    lines = np.concatenate([_NO_LINES, *found], dtype=np.intp)
    line_worths = word_worths.repeat(counts)
    ends = [0, *counts.cumsum(dtype=np.intp).tolist()]
    first = 0
    for answering in terms:
        end = first + len(answering.words)
        some = slice(ends[first], ends[end])
        yield lines[some], line_worths[some], [apart[at] for at in frequent if first <= at < end]
        first = end


def _split_lines(index: Index, matches: Matches) -> list[list[Array]]:
    found: list[list[Array]] = [[] for _ in matches.terms]
    for terms, left, right in matches.splits:
        lines = index.lines_of_neighbours(left, right)
        for number in terms if len(lines) else ():
            found[number].append(lines)
    return found


def _contested_words(matches: Matches) -> Ints:
    """Return the words that several terms want."""
    wanted = [answering.costs.keys() for answering in matches.terms]
    contested = {word for one, other in combinations(wanted, 2) for word in one & other}
    return np.array(list(contested), dtype=np.int64)


def _settle_contested(
    index: Index,
    matches: Matches,
    split_lines: Sequence[Sequence[Array]],
    contested: Ints,
    *,
    scale: Scale,
    total: Array,
) -> None:
    """Correct the lines where several terms want the same word, for a word answers one term at most."""
    lines = np.unique(np.concatenate(index.lines_of_each(contested))).astype(np.int64)
    lines = lines[total[lines] > 0]
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
    alone = [classes.setdefault(_class_of_term(term, matches), len(classes)) for term in range(len(matches.terms))]
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
    return tuple(FORM if term == number else None for term in range(len(matches.terms)))


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


def _in_order(lines: Ints, worths: Ints, lengths: Array, ranks: Array | None, limit: int) -> tuple[Ints, Ints]:
    # One number to order by: the less, the better.
    places = lengths - (worths << 32)
    if len(lines) > limit:
        kept = (places <= np.partition(places, limit - 1)[limit - 1]).nonzero()[0]
        lines, worths, places = lines[kept], worths[kept], places[kept]
    order = places.argsort(kind="stable") if ranks is None else np.lexsort((ranks[lines], places))
    best = order[:limit]
    return lines[best], worths[best]


def _lines_worth_most(total: Array, limit: int) -> Ints:
    """Return some lines that hold the best ones, and few others.

    With the lines in rows, the best of each column stands for it: when enough of these reach a worth, enough lines
    do, and the lines that do stand in few columns.
    """
    rows = total.reshape(_ROWS, -1)
    if rows.shape[1] <= limit:
        return total.nonzero()[0]
    column_best = rows.max(axis=0)
    least = max(1, int(np.partition(column_best, -limit)[-limit]))
    columns = (column_best >= least).nonzero()[0]
    if len(columns) * _FEW_COLUMNS > rows.shape[1]:
        return (total >= least).nonzero()[0]
    places = (rows.take(columns, axis=1).ravel() >= least).nonzero()[0]
    row, column = np.divmod(places, len(columns))
    lines: Ints = row * rows.shape[1] + columns[column]
    return lines
