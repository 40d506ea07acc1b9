"""Writing of documents: a text with its sections marked, which are previewed while somebody types."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from apps.dashboard.documents.forms import DocumentForm, NewDocument, StatusForm
from apps.dashboard.documents.naming import FIRST_REVISION, free_id, id_stem, next_revision
from apps.dashboard.documents.showing import direction_of, revision_of
from apps.dashboard.documents.tree import Row, rows_of
from apps.dashboard.errors import sentence
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.differing import shown_hunks
from apps.kernel.errors import AppError
from apps.knowledge.differences import compare
from apps.knowledge.documents import body, queries, services
from apps.knowledge.documents.anchors import text_of
from apps.knowledge.documents.models import Document, DocumentStatus
from apps.knowledge.documents.services import Change, Outcome, Wish
from apps.rest.etag import etag_of

# What a button of the form asks for, other than saving.
LOOK = "look"


# --- the preview --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """How the sections of a text are understood, or what is wrong with them and in which line."""

    problem: str = ""
    line: int | None = None
    excerpt: str = ""
    rows: Sequence[Row] = ()
    char_count: int = 0
    token_estimate: int = 0


def look_at(text: str, *, language: str) -> Look | None:
    """None while there is nothing to look at."""
    if not text.strip():
        return None
    try:
        read = body.of_text(text, None)
    except AppError as refusal:
        line = refusal.params.get("line")
        return Look(sentence(refusal, language), line, "" if line is None else _line(text, line))
    return Look(
        rows=list(rows_of(read.compiled)),
        char_count=read.compiled.char_count,
        token_estimate=read.token_estimate,
    )


def _line(text: str, number: int) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[number - 1] if number <= len(lines) else ""


@page
def look_at_document(request: HttpRequest, place: Place) -> HttpResponse:  # noqa: ARG001 -- a page
    """The preview alone, while somebody types."""
    look = look_at(request.POST.get("text", ""), language=words_of(request).language)
    return render(request, "dashboard/documents/parts/look.html", {"look": look})


# --- a new one ----------------------------------------------------------------------------------------------


@page
def new_document(request: HttpRequest, place: Place) -> HttpResponse:
    known = {"revision": FIRST_REVISION, "status": DocumentStatus.PUBLISHED.value, "locale": place.project.locale}
    form = NewDocument(request.POST or None, initial=known)
    if request.method != "POST":
        return _answer(request, place, form)
    if request.POST.get("do") == LOOK:
        form.forget_faults()
        return _answer(request, place, form)
    if form.is_valid() and (made := _made(request, place, form)) is not None:
        messages.success(request, words_of(request)("documents.created"))
        return redirect("document", place.project.id, made.document.handle)
    return _answer(request, place, form)


def _made(request: HttpRequest, place: Place, form: NewDocument) -> Outcome | None:
    project_id, sent = place.project.id, form.cleaned_data
    if sent["document_id"] and queries.find_document(project_id, sent["document_id"]) is not None:
        form.add_error("document_id", words_of(request)("documents.id_taken"))
        return None
    stem = id_stem(sent["title"])
    taken = queries.list_documents(project_id).filter(handle__startswith=stem).values_list("handle", flat=True)
    handle = sent["document_id"] or free_id(stem, set(taken))
    return form.attempt(partial(_put, project_id, handle, sent, actor=place.actor))


def _put(project_id: str, handle: str, sent: dict[str, Any], *, actor: str) -> Outcome:
    wish = Wish(
        handle=handle,
        revision=sent["revision"],
        title=sent["title"],
        status=sent["status"],
        body=body.of_text(sent["text"], sent["locale"] or None),
    )
    return services.put_document(project_id, wish, strict=not sent["anyway"], actor=actor)


# --- one that is there --------------------------------------------------------------------------------------


@page
def edit_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    document = queries.get_document(place.project.id, document_id, lock=request.method == "POST")
    text, seen = text_of(revision_of(document).parts or []), _state_of(document)
    form = _form_of(request, document, text, seen)
    if request.method != "POST":
        return _answer(request, place, form, document=document)
    if isinstance(form, DocumentForm) and request.POST.get("do") == LOOK:
        form.forget_faults()
        return _answer(request, place, form, document=document)
    if not form.is_valid():
        return _answer(request, place, form, document=document)
    if form.came_late(seen):
        return _answer_late(request, place, form, document, text)
    changed = form.attempt(partial(_change, document, form, text, actor=place.actor))
    if changed is None:
        return _answer(request, place, form, document=document)
    is_news = changed.change is not Change.UNCHANGED
    messages.success(request, words_of(request)("documents.saved" if is_news else "documents.saved_unchanged"))
    return redirect("document", place.project.id, document.handle)


def _form_of(request: HttpRequest, document: Document, text: str | None, seen: str) -> StatusForm:
    """The editor of a text, or of the rest where no text says what the document does."""
    known = {"title": document.title, "status": document.status, "seen": seen}
    if text is None:
        return StatusForm(request.POST or None, initial=known)
    revision = revision_of(document)
    taken = set(queries.revisions_of(document).values_list("revision", flat=True))
    suggested = next_revision(revision.revision, taken, timezone.now().date())
    known |= {"text": text, "locale": revision.locale or "", "revision": suggested}
    return DocumentForm(request.POST or None, initial=known)


def _change(document: Document, form: StatusForm, text: str | None, *, actor: str) -> Outcome:
    """A text that says the same keeps its revision, whatever the form calls it."""
    sent = form.cleaned_data
    if text is not None and not _says_the_same(document, sent, text):
        return _put(document.project_id, document.handle, sent, actor=actor)
    strict = not sent["anyway"]
    return services.change_document(
        document, title=sent["title"], status=sent["status"], strict=strict, actor=actor
    )


def _says_the_same(document: Document, sent: dict[str, Any], text: str) -> bool:
    saved = body.of_text(text, revision_of(document).locale)
    return body.of_text(sent["text"], sent["locale"] or None).sha256 == saved.sha256


def _state_of(document: Document) -> str:
    """What an edit starts from and must still find."""
    revision = revision_of(document).revision
    return etag_of({"title": document.title, "status": document.status, "revision": revision})


def _answer_late(
    request: HttpRequest, place: Place, form: StatusForm, document: Document, text: str | None
) -> HttpResponse:
    """The form as it was sent, with what it makes of what is saved now."""
    difference = None if text is None else compare(text, form.cleaned_data["text"].replace("\r\n", "\n"))
    hunks = [] if difference is None else list(shown_hunks(difference))
    return _answer(
        request, place, form, document=document, difference=difference, hunks=hunks, is_late=True, status=409
    )


def _answer(
    request: HttpRequest,
    place: Place,
    form: StatusForm,
    *,
    status: int = 200,
    document: Document | None = None,
    **about: Any,
) -> HttpResponse:
    has_text = isinstance(form, DocumentForm)
    text = form["text"].value() if has_text else None
    locale = None if document is None else revision_of(document).locale
    about |= {
        "form": form,
        "document": document,
        "has_text": has_text,
        "direction_of_text": direction_of(locale, place),
    }
    look = look_at(text or "", language=words_of(request).language)
    return render(request, "dashboard/documents/write.html", {**about, "look": look}, status=status)
