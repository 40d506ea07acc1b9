"""Pages of lists, newest first, with cursors that nobody can forge or carry elsewhere.

A cursor says after which row to go on. It is authenticated together with the project, the key, the list and its
filters, so one that was edited or taken from another list, key or project is refused.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

import msgspec
from django.conf import settings
from django.db.models import Model, Q, QuerySet

from apps.kernel.errors import AppError
from apps.kernel.signing import derive_key, mark, mark_matches
from apps.rest.renderers import encode_canonically

M = TypeVar("M", bound=Model)
T = TypeVar("T")

_PURPOSE: Final = "list cursor"


@dataclass(frozen=True, slots=True)
class ListPlace:
    """The list that a cursor belongs to: whose it is, where it is, and what narrows it."""

    project_id: str
    key_id: str
    path: str
    filters: Mapping[str, Any]

    def binding(self) -> bytes:
        return encode_canonically([self.project_id, self.key_id, self.path, self.filters])


@dataclass(frozen=True, slots=True)
class Page:
    """One page, ready to be shown."""

    data: list[Any]
    next_cursor: str | None

    def body(self) -> dict[str, Any]:
        return {
            "object": "list",
            "data": self.data,
            "has_more": self.next_cursor is not None,
            "next_cursor": self.next_cursor,
        }


def newest_first(
    rows: QuerySet[M],
    present: Callable[[M], Any],
    *,
    place: ListPlace,
    limit: int,
    cursor: str | None,
    time_field: str = "created_at",
) -> Page:
    """A page of rows by (`time_field`, id), both descending; asks for one row more than it shows."""
    if cursor is not None:
        time, row_id = _read(cursor, place, tuple[datetime, str | int])
        rows = rows.filter(Q(**{f"{time_field}__lte": time}) & ~Q(**{time_field: time, "pk__gte": row_id}))
    found = list(rows.order_by(f"-{time_field}", "-pk")[: limit + 1])
    shown = found[:limit]
    has_more = len(found) > limit
    next_cursor = _write((getattr(shown[-1], time_field), shown[-1].pk), place) if has_more else None
    return Page([present(row) for row in shown], next_cursor)


def by_position(
    read: Callable[[int, int], Iterable[T]],
    total: int,
    present: Callable[[T], Any],
    *,
    place: ListPlace,
    limit: int,
    cursor: str | None,
) -> Page:
    """A page of what has positions and no rows; `read(start, stop)` gives the items of a half-open range."""
    start = 0 if cursor is None else _read(cursor, place, tuple[int])[0]
    stop = min(start + limit, total)
    next_cursor = _write((stop,), place) if stop < total else None
    return Page([present(item) for item in read(start, max(start, stop))], next_cursor)


def _write(values: Sequence[Any], place: ListPlace) -> str:
    payload = msgspec.json.encode(values)
    text = base64.urlsafe_b64encode(payload).rstrip(b"=").decode()
    return f"{text}.{mark(_key(), payload + place.binding())}"


def _read(cursor: str, place: ListPlace, form: type[T]) -> T:
    text, _, given_mark = cursor.partition(".")
    try:
        payload = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise AppError("invalid_cursor", param="cursor") from error
    if not mark_matches(_key(), payload + place.binding(), given_mark):
        raise AppError("invalid_cursor", param="cursor")
    return msgspec.json.decode(payload, type=form)


def _key() -> bytes:
    return derive_key(settings.SECRET_KEY, _PURPOSE)
