"""Reading of documents as agents do: selections, snapshots of them, and what earlier revisions said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from apps.dashboard.documents.showing import direction_of, losses, read_now
from apps.dashboard.documents.tree import outline_of, rows_of
from apps.dashboard.errors import sentence
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of
from apps.dashboard.sources.differing import shown_hunks
from apps.kernel.errors import AppError
from apps.knowledge import tokens
from apps.knowledge.differences import compare
from apps.knowledge.documents import queries, services
from apps.knowledge.documents import reading as compiling
from apps.knowledge.documents.models import Snapshot
from apps.sections import KnowledgeSnapshot, SectionsError, Selection
from apps.sections.selection import DOCUMENT, MODES

_NOTHING_CHOSEN: Final = "documents.choose_one"


@dataclass(frozen=True)
class Chosen:
    """A selection as a form says it, and the revision to read it from; None is the present one."""

    mode: str
    section_ids: tuple[str, ...]
    revision: str | None

    @classmethod
    def of(cls, sent: QueryDict) -> "Chosen":
        mode = sent.get("mode", DOCUMENT)
        names = tuple(dict.fromkeys(sent.getlist("section")))
        return cls(mode if mode in MODES else DOCUMENT, names, revision_named(sent))

    @cached_property
    def selection(self) -> Selection | None:
        """None when nothing is chosen."""
        given: Mapping[str, Any] = {"mode": self.mode}
        if self.mode != DOCUMENT:
            given = {"mode": self.mode, "section_ids": list(self.section_ids)}
        try:
            return Selection.of(given)
        except SectionsError:
            return None


def revision_named(sent: QueryDict) -> str | None:
    """The revision that an address or a form names; no name holds what the database cannot."""
    return sent.get("revision", "").replace("\0", "") or None


@page
def read_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    document, revision = read_now(place.project.id, document_id)
    chosen = Chosen.of(request.GET)
    if chosen.revision is not None:
        revision = queries.get_revision(place.project.id, document.handle, chosen.revision)
    compiled = compiling.compiled(revision)
    about = {
        "document": document,
        "revision": revision,
        "is_current": revision.id == document.revision_id,
        "rows": list(rows_of(compiled)),
        "chosen": chosen,
        "direction_of_text": direction_of(revision.locale, place),
        **_reading(request, place, document.handle, chosen),
    }
    return render(request, "dashboard/documents/read.html", about)


def _reading(request: HttpRequest, place: Place, document_id: str, chosen: Chosen) -> dict[str, Any]:
    """What a selection says, or why it says nothing."""
    t = words_of(request)
    if chosen.selection is None:
        return {"problem": t(_NOTHING_CHOSEN)}
    try:
        _, read = queries.read(place.project.id, document_id, selection=chosen.selection, revision=chosen.revision)
    except AppError as error:
        return {"problem": sentence(error, t.language)}
    return {
        "read": read,
        "char_count": len(read.content),
        "token_estimate": tokens.estimate(read.content),
        "kept": _kept(place, read),
    }


def _kept(place: Place, read: KnowledgeSnapshot) -> Snapshot | None:
    """What is stored under the name of this reading."""
    return queries.snapshots_of(place.project.id, read.document_id).filter(reference=read.id).first()


# --- snapshots ----------------------------------------------------------------------------------------------


@page
def document_snapshots(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    """What was stored of a document; on a form, what a selection says is stored too."""
    document = queries.get_document(place.project.id, document_id)
    if request.method == "POST":
        return _store_snapshot(request, place, document.handle)
    shown = page_of(request, place, queries.snapshots_of(place.project.id, document.handle))
    return render(request, "dashboard/documents/snapshots.html", {"document": document, "page": shown})


def _store_snapshot(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    chosen, t = Chosen.of(request.POST), words_of(request)
    if chosen.selection is None:
        messages.error(request, t(_NOTHING_CHOSEN))
        return redirect("read_document", place.project.id, document_id)
    snapshot, is_new = services.store_snapshot(
        place.project.id, document_id, selection=chosen.selection, revision=chosen.revision, actor=place.actor
    )
    messages.success(request, t("documents.stored" if is_new else "documents.stored_already"))
    return redirect("document_snapshot", place.project.id, snapshot.reference)


@page
def document_snapshot(request: HttpRequest, place: Place, snapshot_id: str) -> HttpResponse:
    snapshot = queries.get_snapshot(place.project.id, snapshot_id)
    about = {
        "snapshot": snapshot,
        "document": queries.find_document(place.project.id, snapshot.handle),
        "direction_of_text": direction_of(snapshot.locale, place),
        "token_estimate": tokens.estimate(snapshot.content),
    }
    return render(request, "dashboard/documents/snapshot.html", about)


# --- revisions ----------------------------------------------------------------------------------------------


@page
def document_revision(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    """One revision beside the present one; callers name them as they like, so the name is no part of the path."""
    document, current = read_now(place.project.id, document_id)
    revision = queries.get_revision(place.project.id, document.handle, revision_named(request.GET))
    difference = compare(outline_of(compiling.compiled(current)), outline_of(compiling.compiled(revision)))
    about = {
        "document": document,
        "revision": revision,
        "is_current": revision.id == current.id,
        "losses": losses(queries.users_of_document(place.project.id, document.handle), set(revision.section_ids)),
        "difference": difference,
        "hunks": list(shown_hunks(difference)),
    }
    return render(request, "dashboard/documents/revision.html", about)
