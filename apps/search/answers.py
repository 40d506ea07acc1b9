"""Shows where in the text of a hit the words stand that answer the query."""

from collections.abc import Sequence

from apps.search.costs import FORM, Option, Scale, assign
from apps.search.index import LineWords
from apps.search.match import Matches


class Answers:
    """The words of one index that answer the terms of one query."""

    def __init__(self, matches: Matches, scale: Scale) -> None:
        self._costs = matches.costs
        self._pairs = matches.pairs
        self._splits = {(left, right): term for term, left, right in matches.splits}
        self._scale = scale
        self._answering = frozenset().union(*matches.costs)

    def places_in(self, line: LineWords) -> list[list[int]]:
        """Return the ranges of text of the words that answer, a pair or a split as one range."""
        options: list[list[Option]] = [[] for _ in self._costs]
        for at, word in enumerate(line.words):
            if word in self._answering:
                for choices, costs in zip(options, self._costs, strict=True):
                    if word in costs:
                        choices.append((costs[word], at))
        if self._pairs or self._splits:
            line = self._add_joins(line, options)
        chosen = {choice[1] for choice in assign(options, self._scale) if choice is not None}
        return [list(span) for span in sorted({(line.starts[at], line.ends[at]) for at in chosen})]

    def _add_joins(self, line: LineWords, options: Sequence[list[Option]]) -> LineWords:
        """Add to the words of a line those that answer two terms, once for each, and neighbours that answer one."""
        words, starts, ends = line
        for at, word in enumerate(words):
            answers = [(term, at) for term in self._pairs.get(word, ())]
            split = self._splits.get((words[at - 1], word)) if at else None
            if split is not None:
                answers.append((split, at - 1))
            for term, first in answers:
                options[term].append((FORM, len(starts)))
                starts.append(starts[first])
                ends.append(ends[at])
        return LineWords(words, starts, ends)
