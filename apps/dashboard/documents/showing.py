"""Documents: the list, and one with its sections, revisions and snapshots, and who uses it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.documents.forms import DocumentFilters
from apps.dashboard.documents.tree import own_char_count, rows_of
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of
from apps.kernel.hooks import SelectionUser
from apps.knowledge.documents import queries, reading
from apps.knowledge.documents.models import Document, DocumentRevision

SHOWN_SNAPSHOTS: Final = 5
_RIGHT_TO_LEFT: Final = frozenset({"ar", "fa", "he", "ur"})


@page
def documents(request: HttpRequest, place: Place) -> HttpResponse:
    filters = DocumentFilters(request.GET)
    chosen = filters.chosen
    found = queries.list_documents(place.project.id, status=chosen.get("status"), title_part=chosen.get("q"))
    shown = {"filters": filters, "is_filtered": bool(chosen), "page": page_of(request, place, found)}
    return render(request, "dashboard/documents/documents.html", shown)


@page
def document(request: HttpRequest, place: Place, document_id: str) -> HttpResponse:
    shown, revision = read_now(place.project.id, document_id)
    compiled = reading.compiled(revision)
    users = queries.users_of_document(place.project.id, shown.handle)
    snapshots = queries.snapshots_of(place.project.id, shown.handle)
    about = {
        "document": shown,
        "revision": revision,
        "direction_of_text": direction_of(revision.locale, place),
        "rows": list(rows_of(compiled)),
        "outside": own_char_count(compiled),
        "agents": agents_of(users),
        "losses": losses(users, set(revision.section_ids)),
        "snapshots": snapshots.order_by("-created_at", "-id")[:SHOWN_SNAPSHOTS],
        "page": page_of(request, place, queries.revisions_of(shown)),
    }
    return render(request, "dashboard/documents/document.html", about)


def read_now(project_id: str, document_id: str) -> tuple[Document, DocumentRevision]:
    """A document and its present revision, which knows its document; raises `document_not_found`."""
    found = queries.get_document(project_id, document_id)
    revision = revision_of(found)
    revision.document = found
    return found, revision


def revision_of(document: Document) -> DocumentRevision:
    if document.revision is None:
        raise LookupError(document.handle)
    return document.revision


def direction_of(locale: str | None, place: Place) -> str:
    """The direction of a document's lines: that of its own language, if it says one."""
    if locale is None:
        return place.direction
    return "rtl" if locale.replace("_", "-").partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"


# --- agents -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgentLoss:
    """An agent, and the sections it was given that are not there."""

    id: str
    name: str
    section_ids: Sequence[str]


def agents_of(users: Iterable[SelectionUser]) -> Mapping[str, str]:
    """The names of the agents that use a document by their ids, each once."""
    return {user.id: user.name for user in users}


def losses(users: Iterable[SelectionUser], section_ids: Collection[str]) -> list[AgentLoss]:
    """Each agent that was given sections which are not among these, with all that it misses."""
    missing: dict[tuple[str, str], dict[str, None]] = {}
    for user in users:
        gone = [name for name in user.selection.get("section_ids", ()) if name not in section_ids]
        if gone:
            missing.setdefault((user.id, user.name), {}).update(dict.fromkeys(gone))
    return [AgentLoss(*agent, list(gone)) for agent, gone in missing.items()]
