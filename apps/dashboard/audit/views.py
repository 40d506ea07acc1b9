"""The audit log: who did what, when, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.audit.texts import TEXTS
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of
from apps.dashboard.texts import Words
from apps.projects import queries
from apps.projects.models import AuditEntry

KINDS: Final = tuple(key.removeprefix("about_") for key in TEXTS if key.startswith("about_") and key != "about_all")
# Who acts without being a person or a key of the project.
_OTHERS: Final = ("operator", "dispatcher")


@dataclass(frozen=True, slots=True)
class Deed:
    """An entry as people read it; `sentence` is empty for a deed that has no words yet."""

    entry: AuditEntry
    who: str
    sentence: str
    target: str
    details: Sequence[tuple[str, Any]]


@page
def audit(request: HttpRequest, place: Place) -> HttpResponse:
    about = request.GET.get("about")
    about = about if about in KINDS else None
    shown = page_of(request, place, queries.entries_of(place.project.id, about=about), time_field="at")
    named = {name for entry in shown.data for name in (entry.actor, entry.target)}
    names = queries.names_of_actors(place.project.id, named)
    t = words_of(request)
    return render(
        request,
        "dashboard/audit/audit.html",
        {
            "deeds": [_deed(entry, names, t) for entry in shown.data],
            "next_cursor": shown.next_cursor,
            "kinds": [(kind, t(f"audit.about_{kind}")) for kind in KINDS],
            "about": about,
        },
    )


def _deed(entry: AuditEntry, names: dict[str, str], t: Words) -> Deed:
    others = {actor: t(f"audit.{actor}") for actor in _OTHERS}
    return Deed(
        entry=entry,
        who=names.get(entry.actor) or others.get(entry.actor) or entry.actor,
        sentence=t(f"audit.{entry.action}") if entry.action in TEXTS else "",
        target=names.get(entry.target, entry.target),
        details=[(name, _readable(value)) for name, value in entry.details.items()],
    )


def _readable(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
