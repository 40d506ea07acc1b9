"""Writing contents: typed, pasted or uploaded, with a look at what a search will find before anything is saved."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.conflicts import answer_conflict
from apps.dashboard.sources.forms import ContentForm, EditContentForm
from apps.dashboard.sources.looks import look_at
from apps.dashboard.sources.states import state_of
from apps.knowledge import services
from apps.knowledge.kinds import KINDS
from apps.knowledge.models import Source

# What a button of a form asks for, other than saving.
LOOK = "look"


@page
def new_source(request: HttpRequest, place: Place) -> HttpResponse:
    if request.method != "POST":
        return _answer(request, ContentForm())
    form = ContentForm(request.POST, request.FILES)
    if request.POST.get("do") == LOOK:
        form.forget_faults()
        return _answer(request, form)
    created = form.attempt(lambda: _create(form, place)) if form.is_valid() else None
    if created is None:
        return _answer(request, form)
    messages.success(request, words_of(request)("sources.created"))
    return redirect("source", place.project.id, created.id)


def _create(form: ContentForm, place: Place) -> Source:
    return services.create_source(
        place.project.id,
        name=form.cleaned_data["name"],
        kind=form.cleaned_data["kind"],
        content=form.text,
        config=form.config,
        complete=form.complete_as_stated,
        origin=form.origin or "create",
        actor=place.actor,
    )


def _answer(request: HttpRequest, form: ContentForm, **about: Any) -> HttpResponse:
    look = look_at(form, language=words_of(request).language) if form.is_bound else None
    return render(request, "dashboard/sources/write.html", {"form": form, "look": look, **about})


@page
def look_at_content(request: HttpRequest, place: Place) -> HttpResponse:  # noqa: ARG001 -- a page
    """The preview alone, while somebody types."""
    look = look_at(ContentForm(request.POST, request.FILES), language=words_of(request).language)
    return render(request, "dashboard/sources/parts/look.html", {"look": look})


# --- a source that is there ---------------------------------------------------------------------------------


def edit_content(request: HttpRequest, place: Place, source: Source) -> HttpResponse:
    """The editor of a source whose content comes from people; a locked one when a form is sent."""
    seen, about = state_of(source), {"source": source, "name": source.name}
    if request.method != "POST":
        return _answer(request, EditContentForm(source, seen=seen), **about)
    form = EditContentForm(source, request.POST, request.FILES, seen=seen)
    if request.POST.get("do") == LOOK:
        form.forget_faults()
        return _answer(request, form, **about)
    if form.is_valid() and form.cleaned_data["seen"] != seen:
        return answer_conflict(request, form, source, seen=seen, content=form.text)
    changed = form.attempt(lambda: _change(form, source, place)) if form.is_valid() else None
    if changed is None:
        return _answer(request, form, **about)
    is_news = state_of(changed) != seen
    messages.success(request, words_of(request)("sources.saved" if is_news else "sources.saved_unchanged"))
    return redirect("source", place.project.id, changed.id)


def _change(form: EditContentForm, source: Source, place: Place) -> Source:
    return services.update_source(source, **_changes(form, source), actor=place.actor)


def _changes(form: EditContentForm, source: Source) -> dict[str, Any]:
    """What the form says otherwise than the source; line ends that a browser changed are no difference."""
    changes: dict[str, Any] = {"name": form.cleaned_data["name"]}
    stated = form.complete_as_stated
    if stated is not None and stated != source.complete:
        changes["complete"] = stated
    if form.config is not None and KINDS[source.kind].merge(source.config, form.config) != source.config:
        changes["config"] = form.config
    stored = "" if source.revision is None else source.revision.content
    if form.text != stored.replace("\r\n", "\n"):
        changes |= {"content": form.text, "origin": form.origin or "update"}
    return changes
