"""Waiting for something to be over, a little while and a few at a time.

Each wait keeps a thread of the web server. Only so many of a process's threads may wait, so that the others go on
answering; who comes while all places are taken is told how things stand, and may ask again.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

# Half of the threads that a process of the web server has.
WAITS_PER_PROCESS: Final = 2
POLL_SECONDS: Final = 2.0

_places: Final = threading.BoundedSemaphore(WAITS_PER_PROCESS)


@dataclass(frozen=True, slots=True)
class Waited(Generic[T]):
    """What was seen last, and how long it took."""

    seen: T
    timed_out: bool
    polls: int
    elapsed_ms: int


def wait_until(
    is_over: Callable[[T], bool],
    look: Callable[[], T],
    *,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Waited[T]:
    """Look every two seconds, at least once; `look` opens and ends its own transaction."""
    began = clock()
    with _place() as has_place:
        deadline = began + (seconds if has_place else 0)
        polls = 0
        while True:
            seen = look()
            polls += 1
            left = deadline - clock()
            if is_over(seen) or left <= 0:
                return Waited(seen, not is_over(seen), polls, round((clock() - began) * 1000))
            sleep(min(POLL_SECONDS, left))


@contextmanager
def _place() -> Iterator[bool]:
    """A place to wait in, if one is free."""
    has_place = _places.acquire(blocking=False)
    try:
        yield has_place
    finally:
        if has_place:
            _places.release()
