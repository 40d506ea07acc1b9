"""API keys: the list, a new one shown once, rotating and revoking."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.dashboard import times
from apps.dashboard.keys.forms import NewKey
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, ask, page
from apps.dashboard.paging import page_of
from apps.knowledge.queries import visible_sources
from apps.projects import queries, services
from apps.projects.models import ApiKey


@page
def keys(request: HttpRequest, place: Place) -> HttpResponse:
    shown = page_of(request, place, queries.live_keys(place.project.id))
    return render(request, "dashboard/keys/keys.html", {"page": shown, "now": timezone.now()})


@page
def new_key(request: HttpRequest, place: Place) -> HttpResponse:
    sources = visible_sources(place.project.id, None).only("id", "name", "project_id").order_by("name", "id")
    form = NewKey(request.POST or None, sources=sources)
    if request.method == "POST" and form.is_valid():
        made = form.attempt(
            lambda: services.create_key(
                place.project.id, name=form.cleaned_data["name"], grant=form.grant, own=None, actor=place.actor
            )
        )
        if made is not None:
            return _shown_once(request, *made, is_rotated=False)
    return render(request, "dashboard/keys/new_key.html", {"form": form})


@page
def rotate_key(request: HttpRequest, place: Place, key_id: str) -> HttpResponse:
    key, t = queries.get_key(place.project.id, key_id, lock=True), words_of(request)
    if request.method == "POST":
        return _shown_once(request, *services.rotate_key(key, own=None, actor=place.actor), is_rotated=True)
    question = Question(
        title=t.html("keys.rotate_title", name=key.name),
        lost=[t("keys.rotate_lost")],
        action=t("keys.rotate"),
        back=reverse("keys", args=[place.project.id]),
    )
    return ask(request, question)


@page
def revoke_key(request: HttpRequest, place: Place, key_id: str) -> HttpResponse:
    key, t = queries.get_key(place.project.id, key_id, lock=True), words_of(request)
    if request.method == "POST":
        services.revoke_key(key, actor=place.actor)
        messages.success(request, t.html("keys.said_revoked", name=key.name))
        return redirect("keys", place.project.id)
    question = Question(
        title=t.html("keys.revoke_title", name=key.name),
        lost=[t.html("keys.revoke_lost", used=times.instant(key.last_used_at, t.language))],
        action=t("keys.revoke"),
        back=reverse("keys", args=[place.project.id]),
    )
    return ask(request, question)


def _shown_once(request: HttpRequest, key: ApiKey, text: str, *, is_rotated: bool) -> HttpResponse:
    """The only page that ever holds a key; no browser is to keep it, and neither is the session."""
    shown = {"key": key, "text": text, "is_rotated": is_rotated, "base_url": settings.PUBLIC_URL}
    response = render(request, "dashboard/keys/shown_once.html", shown)
    response["Cache-Control"] = "no-store"
    return response
