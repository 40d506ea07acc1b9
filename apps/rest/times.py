"""Reading instants as callers write them: ISO 8601 with a time zone."""

import re
from datetime import UTC, datetime
from typing import Final

_ISO: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d{2}:\d{2})", re.ASCII
)


def read_time(text: str) -> datetime | None:
    """The instant that a text states, in UTC; None when it states none or leaves its time zone open."""
    if not _ISO.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
