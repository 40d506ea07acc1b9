"""Moves the memory of a process into large pages, so that the processor finds it faster.

A search reads hundreds of places all over what a process knows. Of pages of 4 KiB the processor cannot remember so
many, and to find one again takes several reads of memory, on a virtual machine up to two dozen. Many systems give
large pages only to those who ask: madvise(2), MADV_COLLAPSE, since Linux 6.1. Elsewhere nothing happens.
"""

import ctypes
import re
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

LARGE_PAGE: Final = 2 << 20
_PROCESS: Final = Path("/proc/self")
_MADV_COLLAPSE: Final = 25
_KIB: Final = 1024
# Where less is in use, as of the stack of a thread, large pages would mostly hold nothing.
_LEAST_USED: Final = 0.75
_SECONDS_BETWEEN_LOOKS: Final = 10.0
# A thread that reads a page waits while it is moved, so there is time to get on before the next.
_SECONDS_BETWEEN_PAGES: Final = 0.01
_WORTH_MOVING: Final = 4 * LARGE_PAGE
# The head of a mapping that can be written, is shared with nobody and comes from no file.
_OWN: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p [0-9a-f]+ [0-9a-f:]+ 0 ")
_AMOUNT: Final = re.compile(r"(\w+): +([0-9]+) kB")


class Mapping(NamedTuple):
    """A range of addresses, how many bytes of it are in use, and how many of these lie in large pages."""

    start: int
    end: int
    used: int
    in_large: int

    def movable(self) -> range:
        """Return where each large page begins that the mapping can lie in, none if it is not worth moving."""
        starts = range(-(-self.start // LARGE_PAGE) * LARGE_PAGE, self.end - LARGE_PAGE + 1, LARGE_PAGE)
        is_sparse = self.used < _LEAST_USED * (self.end - self.start)
        return range(0) if is_sparse or len(starts) * LARGE_PAGE <= self.in_large else starts


def own_mappings(lines: Iterable[str]) -> Iterator[Mapping]:
    """Yield the mappings that a process keeps its data in; proc(5) tells the form of the list, smaps."""
    mapping = None
    for line in lines:
        amount = _AMOUNT.match(line)
        if amount is None:
            head = _OWN.match(line)
            mapping = head and Mapping(int(head[1], 16), int(head[2], 16), 0, 0)
        elif mapping and amount[1] == "Rss":
            mapping = mapping._replace(used=int(amount[2]) * _KIB)
        elif mapping and amount[1] == "AnonHugePages":
            # Stands behind the amount in use.
            yield mapping._replace(in_large=int(amount[2]) * _KIB)


def move() -> None:
    """Move what the process has in use now, page by page, some milliseconds each; other threads go on."""
    madvise = getattr(ctypes.CDLL(None), "madvise", None)
    if madvise is None or not (_PROCESS / "smaps").exists():
        return
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for mapping in own_mappings((_PROCESS / "smaps").read_text().splitlines()):
        for start in mapping.movable():
            # What cannot be moved stays where it is.
            madvise(start, LARGE_PAGE, _MADV_COLLAPSE)
            time.sleep(_SECONDS_BETWEEN_PAGES)


def in_small() -> int:
    """Return how many bytes of its own the process has in use outside of large pages."""
    try:
        lines = (_PROCESS / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    amounts = {match[1]: int(match[2]) * _KIB for line in lines if (match := _AMOUNT.match(line))}
    # Kernels that only look like Linux leave out what they do not have.
    return amounts.get("Anonymous", 0) - amounts.get("AnonHugePages", 0)


def keep_moving() -> None:
    """Move the memory of this process whenever it has grown, in a thread of its own, until the process ends."""
    threading.Thread(target=_keep_moving, name="large-pages", daemon=True).start()


def _keep_moving() -> None:
    left = 0
    pause = threading.Event()
    while not pause.wait(_SECONDS_BETWEEN_LOOKS):
        small = in_small()
        if small >= left + _WORTH_MOVING:
            move()
            left = in_small()
        else:
            left = min(left, small)
