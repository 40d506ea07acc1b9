"""Turns the JSON value of a feed into the lines that agents read and search; previews and syncs run this same code.

Two passes keep memory small on hostile feeds: the first only counts and notes which items give a line, the second
orders and renders no more of them than `max_items` lets through.
"""

from __future__ import annotations  # array[int] is no expression before Python 3.12.

import heapq
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, Final

from apps.knowledge.transform.config import Transform
from apps.knowledge.transform.errors import TransformError
from apps.knowledge.transform.paging import announces_more
from apps.knowledge.transform.paths import Path
from apps.knowledge.transform.values import has_text, is_zero_or_missing, number_of, text_of
from apps.search.chunks import Chunk
from apps.search.fold import fold

MAX_TEXT_BYTES: Final = 5 * 1_024 * 1_024
# Far more than a feed of goods has. Half a million lines with one character outside of the basic plane, which makes
# Python keep the whole text at four bytes a character, would take more memory than one answer may.
MAX_LINES: Final = 250_000
# Placeholders times items: a fifth of a second's work, and far more than one mebibyte of real items can fill.
MAX_LOOKUPS: Final = 2_000_000

_NUMBERS, _TEXTS, _MISSING = range(3)


@dataclass(frozen=True, slots=True)
class TransformResult:
    """`text` holds header, headings and items, a line each; `has_header` and `heading_lines` tell them apart.

    `items` is the length of the feed's list, `lines` of the items shown. Items are missing from the lines when
    `skip_when_zero` skipped them, when they gave no line (`dropped`), or when `max_items` cut them off (`capped`).
    """

    text: str = field(repr=False)
    items: int
    lines: int
    skipped: int = 0
    dropped: int = 0
    capped: int = 0
    paged: bool = False
    has_header: bool = False
    heading_lines: frozenset[int] = frozenset()

    @property
    def is_mostly_dropped(self) -> bool:
        return self.dropped * 2 > self.items

    def all_lines(self) -> list[str]:
        # Not splitlines: of all line ends only this one can be in the text.
        return self.text.split("\n")

    def chunks(self) -> Iterator[Chunk]:
        """The items with their groups, told from headings by position: an item's own text may begin with ###.

        One by one, for together they may take twenty times as much memory as the text.
        """
        group: str | None = None
        for number, line in enumerate(self._each_line()):
            if number in self.heading_lines:
                group = line.removeprefix("### ")
            elif number > 0 or not self.has_header:
                yield Chunk(line.strip(), group)

    def _each_line(self) -> Iterator[str]:
        start = 0
        while (end := self.text.find("\n", start)) >= 0:
            yield self.text[start:end]
            start = end + 1
        yield self.text[start:]


def apply(value: Any, transform: Transform | None = None) -> TransformResult:
    """Raises `TransformError` when no text comes out; without a transform every value becomes a line."""
    return _flatten(value) if transform is None else _transform(value, transform)


class _Text:
    """Text that grows line by line and refuses to grow too large, before the line is put together."""

    def __init__(self) -> None:
        self._buffer = StringIO()
        self._bytes = 0
        self.line_count = 0

    def add(self, pieces: list[str]) -> None:
        if self.line_count == MAX_LINES or self._bytes + sum(map(len, pieces)) > MAX_TEXT_BYTES:
            raise TransformError("too_large")
        line = ("\n" if self.line_count else "") + "".join(pieces).rstrip()
        self._bytes += len(line.encode())
        if self._bytes > MAX_TEXT_BYTES:
            raise TransformError("too_large")
        self._buffer.write(line)
        self.line_count += 1

    def __str__(self) -> str:
        return self._buffer.getvalue()


# --- with a transform ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Survey:
    """Which items give a line, and in which group; groups are numbered by first appearance."""

    skipped: int = 0
    dropped: int = 0
    positions: array[int] = field(default_factory=lambda: array("L"))
    groups: array[int] = field(default_factory=lambda: array("L"))
    group_numbers: dict[str, int] = field(default_factory=dict)
    group_sizes: list[int] = field(default_factory=list)


def _transform(value: Any, transform: Transform) -> TransformResult:
    items = transform.items_path.of(value)
    if not isinstance(items, list):
        raise TransformError("items_path_missing")
    if len(items) * len(transform.line.paths) > MAX_LOOKUPS:
        raise TransformError("transform_error")
    survey = _survey(items, transform)
    if not survey.positions:
        raise TransformError("empty_result")
    text, headings = _write(items, transform, survey)
    shown = min(transform.max_items, len(survey.positions))
    return TransformResult(
        text=str(text),
        items=len(items),
        lines=shown,
        skipped=survey.skipped,
        dropped=survey.dropped,
        capped=len(survey.positions) - shown,
        paged=announces_more(transform.items_path.parents(value), len(items)),
        has_header=bool(transform.header),
        heading_lines=frozenset(headings),
    )


def _survey(items: list[Any], transform: Transform) -> _Survey:
    survey = _Survey()
    for position, item in enumerate(items):
        if not isinstance(item, (dict, list)):
            survey.dropped += 1
        elif transform.skip_when_zero and is_zero_or_missing(transform.skip_when_zero.of(item)):
            survey.skipped += 1
        elif not transform.line.has_text(item):
            survey.dropped += 1
        else:
            _note(survey, position, _group_of(item, transform.group_by))
    return survey


def _group_of(item: Any, group_by: Path | None) -> str:
    return text_of(group_by.of(item)) if group_by else ""


def _note(survey: _Survey, position: int, group: str) -> None:
    number = survey.group_numbers.setdefault(group, len(survey.group_sizes))
    if number == len(survey.group_sizes):
        survey.group_sizes.append(0)
    survey.group_sizes[number] += 1
    survey.positions.append(position)
    survey.groups.append(number)


def _write(items: list[Any], transform: Transform, survey: _Survey) -> tuple[_Text, list[int]]:
    text = _Text()
    headings: list[int] = []
    if transform.header:
        text.add([transform.header])
    for group, positions in _ordered(items, transform, survey):
        if group:
            headings.append(text.line_count)
            text.add(["### ", group])
        for position in positions:
            text.add(transform.line.texts(items[position]))
    return text, headings


def _ordered(items: list[Any], transform: Transform, survey: _Survey) -> Iterator[tuple[str, list[int]]]:
    """The groups that show, largest first, each with the positions of the items that show, in order."""
    names = sorted(
        survey.group_numbers, key=lambda name: (name != "", -survey.group_sizes[survey.group_numbers[name]])
    )
    room = transform.max_items
    members = _members(survey, names, room)
    for name in names:
        if room <= 0:
            return
        positions = _first(members[survey.group_numbers[name]], items, transform.sort_by, room)
        room -= len(positions)
        yield name, positions


def _members(survey: _Survey, names: list[str], room: int) -> dict[int, array[int]]:
    """The positions of each group that can still show."""
    members: dict[int, array[int]] = {}
    for name in names:
        if room <= 0:
            break
        number = survey.group_numbers[name]
        members[number] = array("L")
        room -= survey.group_sizes[number]
    for position, number in zip(survey.positions, survey.groups, strict=True):
        if number in members:
            members[number].append(position)
    return members


def _first(positions: array[int], items: list[Any], sort_by: Path | None, count: int) -> list[int]:
    if sort_by is None:
        return list(positions[:count])
    # Stable, as sorted() is, but holds no more keys than lines are wanted.
    return heapq.nsmallest(count, positions, key=lambda position: _sort_key(sort_by.of(items[position])))


def _sort_key(value: Any) -> tuple[Any, ...]:
    number = number_of(value)
    if number is not None:
        return (_NUMBERS, number)
    return (_TEXTS, fold(text_of(value))) if has_text(value) else (_MISSING,)


# --- without a transform ------------------------------------------------------------------------------------


def _flatten(value: Any) -> TransformResult:
    text = _Text()
    for trail, leaf in _leaves(value):
        shown = text_of(leaf)
        if shown:
            text.add([*_path_pieces(trail), shown])
    if not text.line_count:
        raise TransformError("empty_result")
    root = value if isinstance(value, dict) else {}
    longest = max((len(member) for member in root.values() if isinstance(member, list)), default=0)
    return TransformResult(
        text=str(text),
        items=text.line_count,
        lines=text.line_count,
        paged=announces_more([root], longest),
    )


def _path_pieces(trail: list[str]) -> list[str]:
    return [".".join(trail), ": "] if trail else []


def _leaves(value: Any) -> Iterator[tuple[list[str], Any]]:
    """All values that hold no others, in document order; the trail is shared, and right until the next step."""
    trail: list[str] = []
    if not isinstance(value, (dict, list)):
        yield trail, value
        return
    # A stack of iterators: nested generators would pass each leaf through a hundred frames.
    stack = [_children(value)]
    while stack:
        for segment, child in stack[-1]:
            if isinstance(child, (dict, list)):
                trail.append(segment)
                stack.append(_children(child))
                break
            yield [*trail, segment], child
        else:
            stack.pop()
            if trail:
                trail.pop()


def _children(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        return ((text_of(key), child) for key, child in value.items())
    return ((str(position), child) for position, child in enumerate(value))
