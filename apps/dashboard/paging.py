"""Pages of lists, by the cursors that lists of the API have too."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.dashboard.pages import Place
from apps.rest.pagination import ListPlace, Page, newest_first

M = TypeVar("M", bound=Model)

PAGE_SIZE: Final = 25


def page_of(
    request: HttpRequest,
    place: Place,
    rows: QuerySet[M],
    present: Callable[[M], Any] = lambda row: row,
    *,
    time_field: str = "created_at",
) -> Page:
    """The page of the list that the address asks for, newest first; what narrows the list stands there too.

    Raises `invalid_cursor`.
    """
    filters = {name: value for name, value in request.GET.items() if name != "cursor"}
    where = ListPlace(place.project.id, place.actor, request.path, filters)
    cursor = request.GET.get("cursor") or None
    return newest_first(rows, present, place=where, limit=PAGE_SIZE, cursor=cursor, time_field=time_field)
