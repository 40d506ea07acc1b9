"""Keeps a process as small as its work: memory that was freed goes back to the system."""

import ctypes
from typing import Final

# Of mallopt(3). A size that is set stays; by itself the allocator keeps ever larger blocks to itself.
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_THRESHOLD_BYTES: Final = 128 * 1024


def keep_small() -> None:
    """Give blocks from 128 KiB on back as soon as they are freed; elsewhere than on glibc this does nothing."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        for option in (_TRIM_THRESHOLD, _MMAP_THRESHOLD):
            set_option(option, _THRESHOLD_BYTES)


def give_back() -> None:
    """Give back what was freed between blocks that are still used."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
