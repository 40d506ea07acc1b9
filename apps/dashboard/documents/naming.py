"""What a new document and its next revision are called, unless somebody has a better name."""

import re
from collections.abc import Collection, Iterator
from datetime import date
from itertools import count
from typing import Final

from apps.knowledge.documents.serializers import RESERVED_IDS

FIRST_REVISION: Final = "1"
_COUNTED: Final = re.compile(r"(?P<before>[^0-9]{0,40})(?P<number>[0-9]{1,6})", re.ASCII)
_LONGEST_ID: Final = 100
_NAMELESS: Final = "document"


def id_stem(title: str) -> str:
    """What the id of a document with this title begins with: its Latin letters and digits."""
    words = re.findall(r"[a-z0-9]+", title.lower(), re.ASCII)
    return "-".join(words)[:_LONGEST_ID].strip("-") or _NAMELESS


def free_id(stem: str, taken: Collection[str]) -> str:
    return next(name for name in _numbered(stem) if name not in taken and name not in RESERVED_IDS)


def next_revision(current: str, taken: Collection[str], today: date) -> str:
    """The number after the present one where revisions are counted, else the day."""
    counted = _COUNTED.fullmatch(current)
    if counted is None:
        return next(name for name in _numbered(today.isoformat()) if name not in taken)
    numbers = count(int(counted["number"]) + 1)
    return next(name for number in numbers if (name := f"{counted['before']}{number}") not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
