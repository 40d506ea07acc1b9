"""Finds the best lines of an index for the words that answer a query."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.search.costs import FORM, Option, Scale, assign, assign_greedily
from apps.search.index import Index
from apps.search.match import Matches

Array = npt.NDArray[np.integer]
Ints = npt.NDArray[np.int64]
# The costs of a word for every term, None where it is no answer.
Class = tuple[int | None, ...]

# Lines whose words are wanted by several terms fall into patterns; past so many they are shared out greedily.
_MOST_EXACT_PATTERNS: Final = 400
_SIGNATURE_STEP: Final = np.uint64(0xD1342543DE82EF95)
_ROWS: Final = 64
_MANY_LINES: Final = 2000


def worth_of_lines(index: Index, matches: Matches, scale: Scale) -> Array:
    """Return the worth of every line of an index, 0 for lines without any word sought."""
    total = np.zeros(index.line_count, dtype=np.min_scalar_type(scale.most))
    for_term = np.empty_like(total)
    split_lines = _split_lines(index, matches)
    for number, costs in enumerate(matches.costs):
        for_term.fill(0)
        answers = [(cost, word) for word, cost in costs.items()]
        answers += [(FORM, word) for word, terms in matches.pairs.items() if number in terms]
        _write_worth(index, answers, split_lines[number], scale=scale, worth=for_term)
        total += for_term
    _settle_contested(index, matches, split_lines, scale, total)
    return total


def _split_lines(index: Index, matches: Matches) -> list[list[Array]]:
    found: list[list[Array]] = [[] for _ in matches.costs]
    for terms, left, right in matches.splits:
        lines = index.lines_of_neighbours(left, right)
        for number in terms if len(lines) else ():
            found[number].append(lines)
    return found


def _write_worth(
    index: Index, answers: list[Option], split_lines: Sequence[Array], *, scale: Scale, worth: Array
) -> None:
    """Write the lines of the dearest answers first: where a line is written twice, the cheapest answer stays."""
    if answers:
        answers.sort(reverse=True)
        words = [word for _, word in answers]
        worths = np.array([scale.worth(cost) for cost, _ in answers], dtype=worth.dtype)
        counts = index.counts_of(words)
        first = 0
        # Words in many lines are written one by one, which saves copying their lines together.
        for end in [*(counts > _MANY_LINES).nonzero()[0].tolist(), len(words)]:
            if first < end:
                worth[index.lines_of(words[first:end])] = np.repeat(worths[first:end], counts[first:end])
            if end < len(words):
                worth[index.lines_of(words[end : end + 1])] = worths[end]
            first = end + 1
    for lines in split_lines:
        worth[lines] = np.maximum(worth[lines], scale.worth(FORM))


def _settle_contested(
    index: Index, matches: Matches, split_lines: Sequence[Sequence[Array]], scale: Scale, total: Array
) -> None:
    """Correct the lines where several terms want the same word, for a word answers one term at most."""
    contested = {word for one, other in combinations(matches.costs, 2) for word in one.keys() & other.keys()}
    if not contested:
        return
    lines = np.unique(index.lines_of(list(contested))).astype(np.int64)
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
    for word in set().union(*matches.costs):
        costs = tuple(answers.get(word) for answers in matches.costs)
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


def best_lines(total: Array, text_lengths: Array, ranks: Array | None, limit: int) -> Ints:
    """Return the best lines: by worth, then shorter text, then the rank of their source, then their order."""
    lines = _lines_worth_most(total, limit)
    quality = (total[lines].astype(np.int64) << 32) - text_lengths[lines]
    if len(lines) > limit:
        enough = np.partition(quality, -limit)[-limit]
        kept = quality >= enough
        lines, quality = lines[kept], quality[kept]
    keys = (lines, -quality) if ranks is None else (lines, ranks[lines], -quality)
    return lines[np.lexsort(keys)[:limit]]


def _lines_worth_most(total: Array, limit: int) -> Ints:
    """Return some lines that hold the best ones, and few others.

    The best of every so many lines stand for them all: when enough of these reach a worth, enough lines do.
    """
    width = len(total) // _ROWS
    if width <= limit:
        return np.flatnonzero(total)
    column_best = total[: width * _ROWS].reshape(_ROWS, width).max(axis=0)
    least = max(1, int(np.partition(column_best, -limit)[-limit]))
    return np.flatnonzero(total >= least)
