"""The contents that a source had: what changed from one to the next, and making one of them current again."""

from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.differing import shown_hunks
from apps.knowledge import queries, services
from apps.knowledge.differences import Difference, compare
from apps.knowledge.models import Revision, Source
from apps.rest.pagination import ListPlace, newest_first

PAGE_LENGTH: Final = 25
CURRENT, PREVIOUS, NOTHING = "current", "previous", "nothing"


@page
def source_history(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    source = queries.get_listed_source(place.project.id, source_id)
    listed = newest_first(
        queries.earlier_revisions(source),
        lambda revision: revision,
        place=ListPlace(place.project.id, place.actor, request.path, {}),
        limit=PAGE_LENGTH,
        cursor=request.GET.get("cursor"),
    )
    return render(
        request,
        "dashboard/sources/history.html",
        {"source": source, "revisions": listed.data, "next_cursor": listed.next_cursor},
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """A content beside another one of its source; without one it stands alone."""

    against: str
    difference: Difference | None


@page
def source_revision(request: HttpRequest, place: Place, source_id: str, revision: str) -> HttpResponse:
    """One content: what it changed, or what is otherwise today, or all of it."""
    source = queries.get_source(place.project.id, source_id)
    shown = queries.get_revision(source, revision)
    is_current = shown.id == source.revision_id
    asked = request.GET.get("against", "")
    against = asked if asked in {CURRENT, PREVIOUS, NOTHING} else PREVIOUS if is_current else CURRENT
    difference = _difference(source, shown, against)
    return render(
        request,
        "dashboard/sources/revision.html",
        {
            "source": source,
            "revision": shown,
            "is_current": is_current,
            "against": against,
            "difference": difference,
            "hunks": [] if difference is None else list(shown_hunks(difference)),
        },
    )


def _difference(source: Source, shown: Revision, against: str) -> Difference | None:
    """From the current content to what restoring would make of it, or from the one before to this one."""
    if against == CURRENT and source.revision is not None:
        return compare(source.revision.content, shown.content)
    if against == PREVIOUS:
        before = queries.revision_before(source, shown)
        return None if before is None else compare(before.content, shown.content)
    return None


@page
def restore_source(request: HttpRequest, place: Place, source_id: str, revision: str) -> HttpResponse:
    source = queries.get_source(place.project.id, source_id, lock=True)
    services.restore_revision(source, revision, actor=place.actor)
    messages.success(request, words_of(request)("sources.restored"))
    return redirect("source", place.project.id, source.id)
