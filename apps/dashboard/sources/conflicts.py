"""What somebody is told whose edit came second: what is saved now, what theirs would make of it, and the choice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.forms import Choice
from apps.dashboard.language import current_language
from apps.dashboard.sources.differing import shown_hunks
from apps.dashboard.sources.forms import SourceForm
from apps.dashboard.texts import words_in
from apps.knowledge.differences import compare
from apps.knowledge.models import Source

# Fields that are no part of what is saved, or are compared in their own way.
_NOT_COMPARED: Final = frozenset({"seen", "content", "file", "kind", "sample", "sample_id", "headers"})


@dataclass(frozen=True, slots=True)
class Contested:
    """A field that the two versions fill otherwise."""

    label: str
    saved: str
    mine: str


def answer_conflict(
    request: HttpRequest, form: SourceForm, source: Source, *, seen: str, content: str | None = None
) -> HttpResponse:
    """The page with both versions; sending it again saves the reader's, over the state that is shown there."""
    difference = None
    if content is not None and source.revision is not None:
        difference = compare(source.revision.content.replace("\r\n", "\n"), content)
    about = {
        "source": source,
        "contested": list(_contested(form)),
        "difference": difference,
        "hunks": [] if difference is None else list(shown_hunks(difference)),
        "sent": list(_sent(form, seen=seen, content=content)),
    }
    return render(request, "dashboard/sources/conflict.html", about, status=409)


def _contested(form: SourceForm) -> Iterator[Contested]:
    for bound in form:
        if bound.name in _NOT_COMPARED:
            continue
        saved, mine = bound.initial, form.cleaned_data.get(bound.name)
        if (saved or "") != (mine or ""):
            yield Contested(str(bound.label), _shown(bound.field, saved), _shown(bound.field, mine))


def _shown(field: forms.Field, value: Any) -> str:
    if isinstance(field, Choice):
        key = dict(field.options).get(value or "")
        return words_in(current_language())(key) if key else ""
    return "" if value is None else str(value)


def _sent(form: SourceForm, *, seen: str, content: str | None) -> Iterator[tuple[str, str]]:
    """The reader's version as it will be sent again; the text of a file goes along as text."""
    if content is not None:
        yield "content", content
    yield "seen", seen
    yield from form.resent()
