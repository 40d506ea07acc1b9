"""Cuts texts so that the whole JSON around them stays within a number of bytes, as it is sent: UTF-8, unescaped.

A page takes as much of its body as fits: what is left free is less than the next cluster of characters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from apps.gateway.clusters import LONGEST, cut_at

LEAST_PAGE_BYTES: Final = 4_096
MOST_PAGE_BYTES: Final = 32_768
DEFAULT_PAGE_BYTES: Final = 16_384
# How much of one body a chain of pages shows.
CHAIN_BYTES: Final = 131_072

_LONGEST_CHARACTER: Final = 4
# So many bytes past the end of a page say whether a cluster goes on there.
LOOKAHEAD_BYTES: Final = (LONGEST + 1) * _LONGEST_CHARACTER


def _costs() -> npt.NDArray[np.int64]:
    """What each byte of a text takes inside a JSON string."""
    costs = np.ones(256, dtype=np.int64)
    costs[:0x20] = len(r"\u0000")
    costs[list(b'"\\\b\t\n\f\r')] = len(r"\n")
    return costs


_COSTS: Final = _costs()


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a body: its bytes from `start` on, and how many the whole body has.

    It holds what a page may show and `LOOKAHEAD_BYTES` more, as far as the body goes; its last character may be
    torn.
    """

    data: bytes
    start: int
    total: int


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a body and what follows it: the place of the next page, or why there is none."""

    content: str
    next_start: int | None
    truncated: bool
    budget_exhausted: bool


def window_bytes(max_bytes: int) -> int:
    """How many bytes of a body a page of that size needs to see."""
    return max_bytes + LOOKAHEAD_BYTES


def cost(text: str) -> int:
    """How many bytes a text takes inside a JSON string."""
    return int(_COSTS[np.frombuffer(text.encode(), dtype=np.uint8)].sum())


def fitting(text: str, room: int) -> str:
    """As much of a text from its beginning as takes at most `room` bytes inside a JSON string."""
    data = text.encode()
    return text[: _cut(data, text, _affordable(data, room))]


def cut_page(window: Window, *, max_bytes: int, frame: Callable[[Page], int]) -> Page:
    """The page of a body that begins where the window does.

    `frame` tells how many bytes the JSON of a page takes, of which the content may be left empty.
    """
    text = window.data.decode("utf-8", "ignore")
    last = _last_page(window, text)
    if last is not None and frame(_without_content(last)) + cost(last.content) <= max_bytes:
        return last
    # Any place of a next page will do: they are all written in the same number of bytes.
    room = max_bytes - frame(Page("", window.start, truncated=True, budget_exhausted=False))
    content = text[: _cut(window.data, text, _affordable(window.data, room))]
    next_start = window.start + len(content.encode())
    return Page(content, next_start, truncated=True, budget_exhausted=False)


def _last_page(window: Window, text: str) -> Page | None:
    """All that a chain may still show, when the window reaches that far."""
    if window.start + len(window.data) < min(window.total, CHAIN_BYTES + LOOKAHEAD_BYTES):
        return None
    if window.total <= CHAIN_BYTES:
        return Page(text, None, truncated=False, budget_exhausted=False)
    content = text[: _cut(window.data, text, CHAIN_BYTES - window.start)]
    return Page(content, None, truncated=True, budget_exhausted=True)


def _without_content(page: Page) -> Page:
    return Page("", page.next_start, page.truncated, page.budget_exhausted)


def _affordable(data: bytes, room: int) -> int:
    """How many bytes from the beginning take at most `room` bytes inside a JSON string."""
    spent = np.cumsum(_COSTS[np.frombuffer(data, dtype=np.uint8)])
    return int(np.searchsorted(spent, room, side="right"))


def _cut(data: bytes, text: str, most: int) -> int:
    """The last place of the text where it may end within `most` bytes; `data` are its bytes."""
    return cut_at(text, len(data[:most].decode("utf-8", "ignore")))
