"""The project's settings, what was asked day by day, what it holds, its limits, and its end."""

from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.settings.chart import chart_of
from apps.dashboard.settings.forms import DeleteProject, ProjectSettings
from apps.dashboard.settings.texts import TEXTS
from apps.knowledge.queries import asked_by_day
from apps.projects import queries, services

SHOWN_DAYS: Final = 60


@page
def settings(request: HttpRequest, place: Place) -> HttpResponse:
    project, t = place.project, words_of(request)
    form = ProjectSettings(request.POST or None, initial={"name": project.name, "locale": project.locale})
    if request.method == "POST" and form.is_valid():
        locked = queries.get_project(project.id, lock=True)
        changed = form.attempt(lambda: services.update_project(locked, actor=place.actor, **form.cleaned_data))
        if changed is not None:
            messages.success(request, t("settings.said_saved"))
            return redirect("settings", project.id)
    return render(request, "dashboard/settings/settings.html", {"form": form, **_shown(request, place)})


@page
def delete_project(request: HttpRequest, place: Place) -> HttpResponse:
    project, t = place.project, words_of(request)
    form = DeleteProject(request.POST or None, wanted=project.name)
    if request.method == "POST" and form.is_valid():
        services.delete_project(project.id)
        messages.success(request, t.html("settings.said_deleted", name=project.name))
        return redirect("home")
    return render(request, "dashboard/settings/delete.html", {"form": form})


def _shown(request: HttpRequest, place: Place) -> dict[str, Any]:
    t, today = words_of(request), timezone.now().date()
    days = asked_by_day(place.project.id, first=today - timedelta(days=SHOWN_DAYS - 1), last=today)
    usage = queries.usage(place.project.id)
    limits = queries.limits()
    return {
        "chart": chart_of(days, direction="rtl" if t.language == "ar" else "ltr"),
        "days": SHOWN_DAYS,
        "usage": [(t(f"settings.of_{name}"), count) for name, count in usage.items() if f"of_{name}" in TEXTS],
        "per_key": limits["requests_per_minute_per_key"],
        "per_project": limits["requests_per_minute_per_project"],
        "limits": limits,
    }
