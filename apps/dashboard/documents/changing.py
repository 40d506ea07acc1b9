"""What becomes of a document as a whole: published, taken back, read in an earlier revision again, deleted."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.dashboard.documents.reading import revision_named
from apps.dashboard.documents.showing import agents_of, revision_of
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, act, ask, page
from apps.knowledge.documents import queries, services
from apps.knowledge.documents.models import Document, DocumentStatus


@page
def publish_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    if request.method != "POST":
        document = queries.get_document(place.project.id, document_id)
        agents = agents_of(queries.users_of_document(place.project.id, document.handle))
        return render(request, "dashboard/documents/publish.html", {"document": document, "agents": agents})
    document = queries.get_document(place.project.id, document_id, lock=True)
    return _with_status(request, place, document, DocumentStatus.PUBLISHED, "documents.said_published")


@page
def withdraw_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    document, t = queries.get_document(place.project.id, document_id, lock=True), words_of(request)
    if request.method == "POST":
        return _with_status(request, place, document, DocumentStatus.DRAFT, "documents.said_withdrawn")
    agents = agents_of(queries.users_of_document(place.project.id, document.handle))
    question = Question(
        title=t.html("documents.withdraw_title", name=document.title),
        lost=[
            t("documents.withdraw_lost"),
            *(t.html("documents.withdraw_from", agent=name) for name in agents.values()),
        ],
        action=t("documents.withdraw"),
        back=reverse("document", args=[place.project.id, document.handle]),
        can_be_undone=True,
    )
    return ask(request, question)


def _with_status(
    request: HttpRequest, place: Place, document: Document, status: DocumentStatus, said: str
) -> HttpResponse:
    change = partial(services.change_document, document, status=status.value, strict=False, actor=place.actor)
    act(request, change, words_of(request)(said))
    return redirect("document", place.project.id, document.handle)


@page
def restore_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    """Read an earlier revision again."""
    document = queries.get_document(place.project.id, document_id, lock=True)
    revision = revision_named(request.POST)
    restore = partial(services.change_document, document, revision=revision, strict=False, actor=place.actor)
    said = words_of(request).html("documents.restored", revision=revision or revision_of(document).revision)
    act(request, restore, said)
    return redirect("document", place.project.id, document.handle)


@page
def delete_document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    if request.method != "POST":
        return _ask(request, queries.get_document(place.project.id, document_id))
    document = queries.get_document(place.project.id, document_id, lock=True)
    users = queries.users_of_document(place.project.id, document.handle)
    # Only agents that the reader has seen named lose the document.
    if not agents_of(users).keys() <= set(request.POST.getlist("detach")):
        return _ask(request, document, problem=words_of(request)("documents.agents_changed"))
    services.delete_document(document, detach=bool(users), actor=place.actor)
    messages.success(request, words_of(request)("documents.deleted"))
    return redirect("documents", place.project.id)


def _ask(request: HttpRequest, document: Document, *, problem: str = "") -> HttpResponse:
    agents = agents_of(queries.users_of_document(document.project_id, document.handle))
    about = {"document": document, "revision": revision_of(document), "agents": agents, "problem": problem}
    return render(request, "dashboard/documents/delete.html", about, status=409 if problem else 200)
