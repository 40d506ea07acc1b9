"""Columns of numbers that grow piece by piece, each piece in the fewest bytes that hold it."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.integer]


def narrow_type(lowest: int, largest: int) -> np.dtype[Any]:
    """Return the smallest type that holds both numbers."""
    return np.result_type(np.min_scalar_type(lowest), np.min_scalar_type(largest))


class Column:
    """Numbers in the order in which they came; taking them out empties the column, so that none is held twice."""

    def __init__(self) -> None:
        self._pieces: deque[Array] = deque()
        self._bounds: tuple[int, int] | None = None
        self.size = 0

    def add(self, values: Array) -> None:
        if not values.size:
            return
        lowest, largest = int(values.min()), int(values.max())
        # Always a copy: a view would keep the whole array alive that it was taken from.
        self._pieces.append(values.astype(narrow_type(lowest, largest)))
        self.size += values.size
        bounds = self._bounds or (lowest, largest)
        self._bounds = min(lowest, bounds[0]), max(largest, bounds[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        return narrow_type(*self._bounds) if self._bounds else np.dtype(np.uint8)

    def __iter__(self) -> Iterator[Array]:
        return iter(self._pieces)

    def take(self) -> Iterator[Array]:
        """Yield the pieces; each is gone from the column."""
        while self._pieces:
            yield self._pieces.popleft()

    def as_array(self) -> Array:
        """Return all numbers as one array."""
        return np.concatenate([np.zeros(0, dtype=np.uint8), *self._pieces]).astype(self.dtype, copy=False)
