"""Memory with a bound: keeps what was used last, counted in bytes, for all threads of a process."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteBoundedCache(Generic[K, V]):
    """Least recently used entries go first once all together are larger than the capacity."""

    def __init__(self, capacity: Callable[[], int]) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: K) -> V | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value in place of what its key had; one that is larger than the capacity is not kept."""
        with self._lock:
            self._remove(key)
            self._entries[key] = (value, nbytes)
            self._bytes += nbytes
            while self._bytes > self._capacity():
                self._remove(next(iter(self._entries)))

    def discard(self, condition: Callable[[K], bool]) -> None:
        """Drop every entry whose key meets a condition."""
        with self._lock:
            for key in [key for key in self._entries if condition(key)]:
                self._remove(key)

    @property
    def nbytes(self) -> int:
        return self._bytes

    def _remove(self, key: K) -> None:
        _, nbytes = self._entries.pop(key, (None, 0))
        self._bytes -= nbytes
