"""Compares two contents line by line, for people to read: what was added, what was removed, which words changed.

Linear for the largest contents: only between lines that both have once is anything compared pair by pair, and a
budget bounds how much.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Final, Literal, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

Sign = Literal["same", "added", "removed"]
Range = tuple[int, int]

CONTEXT: Final = 2
MOST_SHOWN: Final = 400
# Pairs of lines compared at once and in all; sixty-four of them cost one step.
_CELLS_AT_ONCE: Final = 1 << 24
_CELLS_IN_ALL: Final = 1 << 28
# Contents whose once-only lines are nested deeper than that are told apart coarsely.
_DEEPEST: Final = 8
# Larger blocks are no edits of lines any more, and longer lines no lines.
_LARGEST_PAIRED_BLOCK: Final = 60
_LONGEST_PAIRED_LINE: Final = 20_000
_ALIKE: Final = 0.5
# Pairs of words compared in all.
_WORD_CELLS_IN_ALL: Final = 1 << 27

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of either content, its number there, and the ranges of its text that its counterpart has otherwise."""

    sign: Sign
    number: int
    text: str
    marked: Sequence[Range] = ()


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changed lines with a few unchanged ones around them, after so many that are left out."""

    skipped: int
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs; `hidden` counts the changed lines past those that are shown."""

    added: int
    removed: int
    hidden: int
    hunks: Sequence[Hunk] = field(repr=False)

    @property
    def is_empty(self) -> bool:
        return not self.added and not self.removed


class _Allowance:
    """So many pairs may still be compared; what goes past it is not compared at all."""

    def __init__(self, cells: int) -> None:
        self._left = cells

    def covers(self, cells: int) -> bool:
        """Whether these pairs may be compared; if so, they are taken off."""
        is_covered = cells <= self._left
        self._left -= cells if is_covered else 0
        return is_covered


class _Block(NamedTuple):
    """Lines of the old content, half-open, that stand where those of the new one do."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def cells(self) -> int:
        return (self.old_end - self.old_start) * (self.new_end - self.new_start)

    @property
    def size(self) -> int:
        return self.old_end - self.old_start + self.new_end - self.new_start


def compare(old: str, new: str) -> Difference:
    """The lines that differ between two contents, paired where one is an edit of the other."""
    old_lines, new_lines = _LINE_END.split(old), _LINE_END.split(new)
    blocks = _changed_blocks(old_lines, new_lines)
    added = sum(block.new_end - block.new_start for block in blocks)
    removed = sum(block.old_end - block.old_start for block in blocks)
    hunks = tuple(_hunks(blocks, old_lines, new_lines))
    shown = sum(line.sign != "same" for hunk in hunks for line in hunk.lines)
    return Difference(added, removed, added + removed - shown, hunks)


# --- which lines ----------------------------------------------------------------------------------------------


class _Numbering(dict[str, int]):
    """Equal lines get equal numbers, so that comparing them is exact and cheap."""

    def __init__(self) -> None:
        self._next = count()

    def __missing__(self, line: str) -> int:
        self[line] = number = next(self._next)
        return number


def _changed_blocks(old_lines: Sequence[str], new_lines: Sequence[str]) -> list[_Block]:
    numbers = _Numbering()
    old, new = [numbers[line] for line in old_lines], [numbers[line] for line in new_lines]
    allowance = _Allowance(_CELLS_IN_ALL)
    found: list[_Block] = []
    waiting = [(_Block(0, len(old), 0, len(new)), 0)]
    while waiting:
        whole, depth = waiting.pop()
        block = _trimmed(whole, old, new)
        if not block.cells:
            found += [block] if block.size else []
        elif block.cells <= _CELLS_AT_ONCE and allowance.covers(block.cells):
            found += _least_edits(block, old, new)
        elif depth < _DEEPEST and (anchors := _anchors(block, old, new)):
            waiting += [(gap, depth + 1) for gap in _gaps(block, anchors)]
        else:
            found.append(block)
    return sorted(found)


def _trimmed(block: _Block, old: Sequence[int], new: Sequence[int]) -> _Block:
    """Without the lines that both begin and end with."""
    old_start, old_end, new_start, new_end = block
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start, new_start = old_start + 1, new_start + 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    return _Block(old_start, old_end, new_start, new_end)


def _least_edits(block: _Block, old: Sequence[int], new: Sequence[int]) -> Iterator[_Block]:
    """The smaller blocks that differ when as many lines as can be are held to be the same."""
    opcodes = Indel.opcodes(old[block.old_start : block.old_end], new[block.new_start : block.new_end])
    changed = [
        _Block(
            block.old_start + code.src_start,
            block.old_start + code.src_end,
            block.new_start + code.dest_start,
            block.new_start + code.dest_end,
        )
        for code in opcodes
        if code.tag != "equal"
    ]
    yield from _touching_joined(changed)


def _touching_joined(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """What is removed and what is added in its place come apart; together they can be read as an edit."""
    joined: _Block | None = None
    for block in blocks:
        if joined and joined.old_end == block.old_start and joined.new_end == block.new_start:
            joined = _Block(joined.old_start, block.old_end, joined.new_start, block.new_end)
            continue
        if joined:
            yield joined
        joined = block
    if joined:
        yield joined


def _anchors(block: _Block, old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """The longest run, in the order of both, of lines that stand exactly once on either side."""
    places = _places_of_unique(new, block.new_start, block.new_end)
    pairs = [
        (at, places[line])
        for line, at in _places_of_unique(old, block.old_start, block.old_end).items()
        if line in places
    ]
    return _longest_ascending(sorted(pairs))


def _places_of_unique(lines: Sequence[int], start: int, end: int) -> dict[int, int]:
    counts = Counter(islice(lines, start, end))
    return {lines[at]: at for at in range(start, end) if counts[lines[at]] == 1}


def _longest_ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest of the pairs, ascending by the first, that ascend by the second too."""
    tails: list[int] = []
    tail_pairs: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        tails[length : length + 1] = [place]
        tail_pairs[length : length + 1] = [number]
        before.append(tail_pairs[length - 1] if length else -1)
    chosen = []
    at = tail_pairs[-1] if tail_pairs else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _gaps(block: _Block, anchors: Sequence[tuple[int, int]]) -> Iterator[_Block]:
    """What lies before, between and after the anchors."""
    old_start, new_start = block.old_start, block.new_start
    for old_at, new_at in anchors:
        yield _Block(old_start, old_at, new_start, new_at)
        old_start, new_start = old_at + 1, new_at + 1
    yield _Block(old_start, block.old_end, new_start, block.new_end)


# --- how it reads ---------------------------------------------------------------------------------------------


def _hunks(blocks: Sequence[_Block], old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    """The blocks with what stands around them, near ones together, until enough is shown."""
    room, words = MOST_SHOWN, _Allowance(_WORD_CELLS_IN_ALL)
    lines: list[Line] = []
    skipped, end = 0, 0
    for block in blocks:
        if room <= 0:
            break
        start = max(end, block.new_start - CONTEXT)
        if lines and start > end + CONTEXT:
            yield Hunk(skipped, (*lines, *_same(new, end, end + CONTEXT)))
            lines, skipped = [], start - end - CONTEXT
        elif lines:
            start = end
        else:
            skipped = start
        changed = list(islice(_changed_lines(block, old, new, words), room))
        room -= len(changed)
        lines += [*_same(new, start, block.new_start), *changed]
        end = block.new_end
    if lines:
        yield Hunk(skipped, (*lines, *_same(new, end, min(end + CONTEXT, len(new)))))


def _same(lines: Sequence[str], start: int, end: int) -> list[Line]:
    return [Line("same", at + 1, lines[at]) for at in range(start, end)]


def _changed_lines(block: _Block, old: Sequence[str], new: Sequence[str], words: _Allowance) -> Iterator[Line]:
    """Each edited line right after what it was; what has no counterpart stands in its place."""
    at_old, at_new = block.old_start, block.new_start
    for old_place, new_place in [*_pairs(block, old, new), (block.old_end, block.new_end)]:
        yield from (Line("removed", at + 1, old[at]) for at in range(at_old, old_place))
        yield from (Line("added", at + 1, new[at]) for at in range(at_new, new_place))
        if old_place < block.old_end:
            was, became = _marks(old[old_place], new[new_place], words)
            yield Line("removed", old_place + 1, old[old_place], was)
            yield Line("added", new_place + 1, new[new_place], became)
        at_old, at_new = old_place + 1, new_place + 1


def _pairs(block: _Block, old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which lines are edits of which, in the order of both: as much likeness in all as can be."""
    were, became = old[block.old_start : block.old_end], new[block.new_start : block.new_end]
    if not were or not became or block.size > _LARGEST_PAIRED_BLOCK:
        return []
    if max(map(len, (*were, *became))) > _LONGEST_PAIRED_LINE:
        return []
    alike = process.cdist(were, became, scorer=Indel.normalized_similarity, score_cutoff=_ALIKE, dtype=np.float64)
    return [(block.old_start + at, block.new_start + to) for at, to in _best_alignment(alike.tolist())]


def _best_alignment(alike: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    rows, columns = len(alike), len(alike[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            paired = alike[row][column] and alike[row][column] + best[row + 1][column + 1]
            best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
    pairs = []
    row = column = 0
    while row < rows and column < columns:
        if alike[row][column] and best[row][column] == alike[row][column] + best[row + 1][column + 1]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _marks(was: str, became: str, allowance: _Allowance) -> tuple[list[Range], list[Range]]:
    """The ranges of two lines that differ, whole words at a time."""
    old_words, new_words = _WORD.findall(was), _WORD.findall(became)
    if not allowance.covers(len(old_words) * len(new_words)):
        return [(0, len(was))], [(0, len(became))]
    numbers = _Numbering()
    opcodes = Indel.opcodes([numbers[word] for word in old_words], [numbers[word] for word in new_words])
    changed = [code for code in opcodes if code.tag != "equal"]
    return (
        _ranges(old_words, [(code.src_start, code.src_end) for code in changed]),
        _ranges(new_words, [(code.dest_start, code.dest_end) for code in changed]),
    )


def _ranges(words: Sequence[str], changed: Sequence[Range]) -> list[Range]:
    """Ranges of words as ranges of characters; neighbours with only a space between them as one."""
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    ranges: list[Range] = []
    last = 0
    for start, end in changed:
        if start == end:
            continue
        if ranges and all(word.isspace() for word in words[last:start]):
            ranges[-1] = (ranges[-1][0], ends[end])
        else:
            ranges.append((ends[start], ends[end]))
        last = end
    return ranges
