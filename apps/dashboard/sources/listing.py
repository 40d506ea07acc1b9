"""The list of a project's sources: how large, how fresh and how sound each one is."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.pages import Place, page
from apps.dashboard.sources.forms import SourceFilters
from apps.dashboard.sources.states import Standing, standing_of
from apps.knowledge import queries
from apps.knowledge.models import Revision, Source
from apps.rest.pagination import ListPlace, newest_first

PAGE_LENGTH: Final = 25


@dataclass(frozen=True, slots=True)
class ListedSource:
    source: Source
    revision: Revision | None
    standing: Standing


@page
def sources(request: HttpRequest, place: Place) -> HttpResponse:
    filters = SourceFilters(request.GET)
    chosen = filters.chosen
    found = queries.list_sources(
        place.project.id,
        kind=chosen.get("kind"),
        sync_status=chosen.get("sync_status"),
        name_part=chosen.get("q"),
    )
    listed = newest_first(
        found,
        lambda source: ListedSource(source, source.revision, standing_of(source)),
        place=ListPlace(place.project.id, place.actor, request.path, chosen),
        limit=PAGE_LENGTH,
        cursor=request.GET.get("cursor"),
    )
    return render(
        request,
        "dashboard/sources/sources.html",
        {"filters": filters, "is_filtered": bool(chosen), "listed": listed.data, "next_cursor": listed.next_cursor},
    )
