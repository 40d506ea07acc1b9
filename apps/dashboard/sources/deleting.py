"""Deleting a source: asked once, with all that goes with it and every agent that would miss it."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.kernel.hooks import User
from apps.knowledge import queries, services
from apps.knowledge.models import Source


@page
def delete_source(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    if request.method != "POST":
        source = queries.get_listed_source(place.project.id, source_id)
        return _ask(request, source, queries.users_of_source(place.project.id, source.id))
    source = queries.get_source(place.project.id, source_id, lock=True)
    users = queries.users_of_source(place.project.id, source.id)
    # Only agents that the reader has seen named lose the source.
    if any(user.id not in request.POST.getlist("detach") for user in users):
        return _ask(request, source, users, problem=words_of(request)("sources.agents_changed"))
    services.delete_source(source, detach=bool(users), actor=place.actor)
    messages.success(request, words_of(request)("sources.deleted"))
    return redirect("sources", place.project.id)


def _ask(request: HttpRequest, source: Source, users: Sequence[User], *, problem: str = "") -> HttpResponse:
    about = {"source": source, "users": users, "problem": problem}
    return render(request, "dashboard/sources/delete.html", about, status=409 if problem else 200)
