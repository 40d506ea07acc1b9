"""Times as callers see them: ISO 8601 in UTC with Z, to the microsecond."""

from datetime import UTC, datetime
from typing import overload


@overload
def to_iso(moment: datetime) -> str: ...
@overload
def to_iso(moment: None) -> None: ...
def to_iso(moment: datetime | None) -> str | None:
    """``2026-11-29T22:26:21.123456Z``; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
