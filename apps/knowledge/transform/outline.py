"""Tells what is in a feed's JSON, so that a person can point at the list and its fields instead of typing paths.

Whatever the JSON, only so much of it is looked at.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from apps.knowledge.transform.paths import Path
from apps.knowledge.transform.values import text_of

MAX_LISTS: Final = 12
MAX_FIELDS: Final = 40
EXAMPLE_LENGTH: Final = 60
_MOST_VALUES: Final = 5_000
_DEEPEST_LIST: Final = 6
_DEEPEST_FIELD: Final = 3
# Items differ in what they leave out; a few show nearly all fields there are.
_LOOKED_AT: Final = 20


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list of objects or lists that could be the items; the root's path is empty."""

    path: str
    length: int


@dataclass(frozen=True, slots=True)
class FoundField:
    """A value that items have, by the path that a placeholder takes, with what one of them says."""

    path: str
    example: str


def lists_in(value: Any) -> list[FoundList]:
    """The lists that could be the items, the longest first."""
    found = [
        FoundList(path, len(member))
        for path, member in _breadth_first(value)
        if isinstance(member, list) and any(isinstance(item, dict | list) for item in islice(member, _LOOKED_AT))
    ]
    return sorted(found, key=lambda each: (-each.length, len(each.path)))[:MAX_LISTS]


def _breadth_first(value: Any) -> Iterator[tuple[str, Any]]:
    """Objects within objects, and what they hold; what lists hold are items, and not looked into."""
    waiting = deque([("", value, 0)])
    room = _MOST_VALUES
    while waiting and room:
        path, current, depth = waiting.popleft()
        room -= 1
        yield path, current
        if isinstance(current, dict) and depth < _DEEPEST_LIST:
            children = islice(current.items(), room)
            waiting += ((_joined(path, key), child, depth + 1) for key, child in children if _is_plain(key))


def fields_of(value: Any, items_path: str) -> list[FoundField]:
    """The fields of the items at a path, in the order of the first that have them; none when there is no list."""
    items = Path.parse(items_path).of(value)
    if not isinstance(items, list):
        return []
    examples: dict[str, str] = {}
    for item in islice(items, _LOOKED_AT):
        for path, leaf in islice(_leaves(item, "", 0), MAX_FIELDS):
            if not examples.get(path) and (path in examples or len(examples) < MAX_FIELDS):
                examples[path] = _clipped(leaf)
    return [FoundField(path, example) for path, example in examples.items()]


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    """What an item holds, by paths that find it again; a list of plain values is one of them."""
    if depth == _DEEPEST_FIELD or not _is_looked_into(value, depth):
        if path:
            yield path, value
        return
    children = value.items() if isinstance(value, dict) else ((str(at), child) for at, child in enumerate(value))
    for key, child in islice(children, MAX_FIELDS):
        if _is_plain(key):
            yield from _leaves(child, _joined(path, key), depth + 1)


def _is_looked_into(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and (depth == 0 or any(isinstance(child, dict | list) for child in value[:2]))


def _is_plain(key: str) -> bool:
    """Whether a path that holds the key, be it in a placeholder, means the key."""
    return bool(key) and key == text_of(key) and not {"{", "}", "."} & set(key)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else str(key)


def _clipped(value: Any) -> str:
    text = text_of(value)
    return text if len(text) <= EXAMPLE_LENGTH else text[:EXAMPLE_LENGTH].rstrip() + "…"
