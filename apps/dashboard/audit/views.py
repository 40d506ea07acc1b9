"""The audit log: who did what, when, newest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.audit.details import Detail, details_of, name_in, things_in
from apps.dashboard.audit.texts import TEXTS
from apps.dashboard.audit.things import Thing, things_named
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of
from apps.dashboard.texts import Words
from apps.projects import queries
from apps.projects.models import AuditEntry

KINDS: Final = tuple(key.removeprefix("about_") for key in TEXTS if key.startswith("about_") and key != "about_all")


@dataclass(frozen=True, slots=True)
class Deed:
    """An entry as people read it; `sentence` is empty for a deed that has no words yet.

    `who` and `target` are None for what is gone; of a target that is gone `target_name` may still be known.
    """

    entry: AuditEntry
    who: Thing | None
    sentence: str
    target: Thing | None
    target_name: str
    details: Sequence[Detail]


@page
def audit(request: HttpRequest, place: Place) -> HttpResponse:
    about = request.GET.get("about")
    about = about if about in KINDS else None
    shown = page_of(request, place, queries.entries_of(place.project.id, about=about), time_field="at")
    t = words_of(request)
    things = things_named(place, {name for entry in shown.data for name in _named_in(entry)}, t)
    return render(
        request,
        "dashboard/audit/audit.html",
        {
            "deeds": [_deed(entry, things, t) for entry in shown.data],
            "next_cursor": shown.next_cursor,
            "kinds": [(kind, t(f"audit.about_{kind}")) for kind in KINDS],
            "about": about,
        },
    )


def _named_in(entry: AuditEntry) -> set[str]:
    return {entry.actor, entry.target, *things_in(entry.details)}


def _deed(entry: AuditEntry, things: Mapping[str, Thing], t: Words) -> Deed:
    target, kept_name = things.get(entry.target), name_in(entry.details)
    told = {kept_name, target.name if target else ""}
    details = details_of(entry.action, entry.details, things, t)
    return Deed(
        entry=entry,
        who=things.get(entry.actor),
        sentence=t(f"audit.{entry.action}") if entry.action in TEXTS else "",
        target=target,
        target_name=kept_name,
        details=[detail for detail in details if {value.text for value in detail.values} - told],
    )
