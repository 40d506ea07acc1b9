"""Setting up API sources: where the feed is, how its answer becomes lines, and trying that before it is saved."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.conflicts import answer_conflict
from apps.dashboard.sources.drafts import Draft, draft_of, filled_in
from apps.dashboard.sources.forms import EditFeedForm, FeedForm
from apps.dashboard.sources.states import state_of
from apps.knowledge import services
from apps.knowledge.models import Source
from apps.knowledge.sync.config import FETCHED_BY
from apps.vault.queries import secrets_of

# What a button of the form asks for, other than saving.
LOOK, FETCH, FILL = "look", "fetch", "fill"
_TRIALS: Final = frozenset({LOOK, FETCH, FILL})
_MOST_SECRETS: Final = 100


@page
def new_feed(request: HttpRequest, place: Place) -> HttpResponse:
    if request.method != "POST":
        return _answer(request, place, FeedForm())
    form = FeedForm(_filled(request, place))
    if request.POST.get("do") in _TRIALS:
        return _answer_trial(request, place, form)
    created = form.attempt(lambda: _create(form, place)) if form.is_valid() else None
    if created is None:
        return _answer(request, place, form)
    messages.success(request, words_of(request)("sources.feed_saved"))
    return redirect("source", place.project.id, created.id)


def _create(form: FeedForm, place: Place) -> Source:
    return services.create_source(
        place.project.id,
        name=form.cleaned_data["name"],
        kind="api",
        config=form.config,
        complete=form.complete_as_stated,
        actor=place.actor,
    )


def edit_feed(request: HttpRequest, place: Place, source: Source) -> HttpResponse:
    """The set-up of a feed that is there; a locked one when a form is sent."""
    seen, about = state_of(source), {"source": source, "name": source.name}
    if request.method != "POST":
        return _answer(request, place, EditFeedForm(source, seen=seen), **about)
    form = EditFeedForm(source, _filled(request, place), seen=seen)
    if request.POST.get("do") in _TRIALS:
        return _answer_trial(request, place, form, **about)
    if form.is_valid() and form.cleaned_data["seen"] != seen:
        return answer_conflict(request, form, source, seen=seen)
    before = source.config or {}
    changed = form.attempt(lambda: _change(form, source, place)) if form.is_valid() else None
    if changed is None:
        return _answer(request, place, form, **about)
    is_asked_anew = any((changed.config or {}).get(key) != before.get(key) for key in FETCHED_BY)
    text = "sources.feed_saved" if is_asked_anew else "sources.feed_saved_only"
    messages.success(request, words_of(request)(text))
    return redirect("source", place.project.id, changed.id)


def _change(form: EditFeedForm, source: Source, place: Place) -> Source:
    stated = form.complete_as_stated
    return services.update_source(
        source,
        name=form.cleaned_data["name"],
        config=form.config,
        complete=None if stated == source.complete else stated,
        actor=place.actor,
    )


# --- trying -------------------------------------------------------------------------------------------------


@page
def try_feed(request: HttpRequest, place: Place) -> HttpResponse:
    """The draft alone, while somebody types, and while a sample is being fetched."""
    form = FeedForm(request.POST)
    return render(
        request, "dashboard/sources/parts/draft.html", {"form": form, "draft": _draft(request, place, form)}
    )


def _answer_trial(request: HttpRequest, place: Place, form: FeedForm, **about: Any) -> HttpResponse:
    """The whole page again, for readers without scripts."""
    draft = _draft(request, place, form)
    form.forget_faults()
    return _answer_with(request, place, form, draft, **about)


def _filled(request: HttpRequest, place: Place) -> QueryDict:
    """The form as it was sent, with what somebody wants to have filled in."""
    if request.POST.get("do") != FILL:
        return request.POST
    data = request.POST.copy()
    for name, value in filled_in(FeedForm(request.POST), place.project.id).items():
        data[name] = value
    return data


def _draft(request: HttpRequest, place: Place, form: FeedForm) -> Draft:
    is_fetch = request.POST.get("do") == FETCH
    return draft_of(form, place.project.id, fetch=is_fetch, language=words_of(request).language)


def _answer(request: HttpRequest, place: Place, form: FeedForm, **about: Any) -> HttpResponse:
    draft = _draft(request, place, form) if form.is_bound else None
    return _answer_with(request, place, form, draft, **about)


def _answer_with(
    request: HttpRequest, place: Place, form: FeedForm, draft: Draft | None, **about: Any
) -> HttpResponse:
    names = secrets_of(place.project.id).order_by("name").values_list("name", flat=True)[:_MOST_SECRETS]
    shown = {"form": form, "draft": draft, "secret_names": list(names), **about}
    return render(request, "dashboard/sources/feed.html", shown)
