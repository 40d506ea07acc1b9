"""The layout of a stored segment: a head that names each column's type and size, then the columns one by one."""

import struct
from typing import Final

# Raised whenever folding, words, units or the layout change, so that stored segments are compiled again.
SEGMENT_FORMAT: Final = 5

MAGIC: Final = b"MWRD"
HEADER: Final = struct.Struct("<4sHH")
ENTRY: Final = struct.Struct("<2sxxxxxxQ")
ALIGNMENT: Final = 8
COLUMNS: Final = (
    "text",
    "text_bytes",
    "text_lengths",
    "alphabet",
    "letters",
    "word_lengths",
    "word_keys",
    "word_counts",
    "lines",
    "line_counts",
    "occurrences",
    "starts",
    "lengths",
    "group",
    "shape",
    "cells",
    "tables",
)
