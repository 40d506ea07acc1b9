"""Everything that is read of documents and snapshots, but for searching."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db import connection
from django.db.models import F, Q, QuerySet

from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.kernel.hooks import SelectionUser
from apps.knowledge.documents import errors, reading
from apps.knowledge.documents.body import MAX_SECTIONS
from apps.knowledge.documents.models import HANDLE_PATTERN, Document, DocumentRevision, DocumentStatus, Snapshot
from apps.knowledge.errors import REVISION_NOT_FOUND
from apps.knowledge.kinds import MAX_TEXT_LENGTH
from apps.knowledge.shelf import RevisionGoneError
from apps.sections import KnowledgeSnapshot, Selection

# Why a saved selection is broken.
DRAFT: Final = "document_is_draft"
SECTION_MISSING: Final = "section_not_found"

_HEAVY_COLUMNS: Final = ("parts", "segment")


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A saved selection that a document does not fill: whose it is, why, and which sections are gone."""

    handle: str
    user: SelectionUser
    code: str
    section_ids: tuple[str, ...]

    @classmethod
    def of(cls, document: Document, user: SelectionUser) -> "BrokenReference | None":
        if document.status == DocumentStatus.DRAFT:
            return cls(document.handle, user, DRAFT, ())
        present = set(document.revision.section_ids if document.revision else ())
        gone = tuple(name for name in user.selection.get("section_ids", ()) if name not in present)
        return cls(document.handle, user, SECTION_MISSING, gone) if gone else None


def list_documents(
    project_id: str, *, status: str | None = None, title_part: str | None = None
) -> QuerySet[Document]:
    """Documents with what a list shows of their revisions; every filter narrows, None does not."""
    documents = Document.objects.for_project(project_id).select_related("revision")
    if status is not None:
        documents = documents.filter(status=status)
    if title_part is not None:
        documents = documents.filter(title__icontains=title_part)
    return documents.defer(*(f"revision__{column}" for column in _HEAVY_COLUMNS))


def find_document(project_id: str, handle: str, *, lock: bool = False) -> Document | None:
    """A document with its revision, or None."""
    if not re.fullmatch(HANDLE_PATTERN, handle):
        return None
    documents = Document.objects.for_project(project_id).filter(handle=handle)
    if not lock:
        return documents.select_related("revision").defer("revision__segment").first()
    # The row is locked alone and its revision read afterwards: read together, it could be older than the lock.
    document = documents.select_for_update().first()
    if document is not None and document.revision_id is not None:
        revisions = DocumentRevision.objects.for_project(project_id).defer(*_HEAVY_COLUMNS)
        document.revision = revisions.get(id=document.revision_id)
    return document


def get_document(project_id: str, handle: str, *, lock: bool = False) -> Document:
    """Raises `document_not_found`."""
    document = find_document(project_id, handle, lock=lock)
    if document is None:
        raise AppError(errors.DOCUMENT_NOT_FOUND)
    return document


def get_revision(project_id: str, handle: str, revision: str | None = None) -> DocumentRevision:
    """The revision named, else the present one, with its document and without what is only loaded when needed.

    Raises `document_not_found` and `revision_not_found`.
    """
    kept = DocumentRevision.objects.for_project(project_id).filter(document__handle=handle, parts__isnull=False)
    wanted = Q(id=F("document__revision_id")) if revision is None else Q(revision=revision)
    found = kept.filter(wanted).select_related("document").defer(*_HEAVY_COLUMNS).first()
    if found is None:
        get_document(project_id, handle)
        raise AppError(REVISION_NOT_FOUND, param="revision")
    return found


def read(
    project_id: str, handle: str, *, selection: Selection, max_chars: int | None = None, revision: str | None = None
) -> tuple[DocumentRevision, KnowledgeSnapshot]:
    """What a selection says, and the revision that says it.

    Raises `document_not_found`, `revision_not_found`, `section_not_found` and `selection_too_large`.
    """
    found = get_revision(project_id, handle, revision)
    try:
        return found, reading.read(found, selection, max_chars)
    except RevisionGoneError as gone:
        raise AppError(REVISION_NOT_FOUND, param="revision") from gone


# In the order in which publications lock them, so that nobody waits in a circle.
_HOLD: Final = """
SELECT handle FROM documents_document WHERE project_id = %s AND handle = ANY(%s) ORDER BY handle COLLATE "C"
FOR KEY SHARE
"""


def hold_documents(project_id: str, handles: Collection[str]) -> None:
    """None of the documents can be deleted before the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [project_id, list(handles)])


def revisions_of(document: Document) -> QuerySet[DocumentRevision]:
    """All that the document was called; `is_kept` says of each whether its text still is."""
    revisions = DocumentRevision.objects.for_project(document.project_id).filter(document=document)
    return revisions.defer(*_HEAVY_COLUMNS).annotate(is_kept=Q(parts__isnull=False))


def snapshots_of(project_id: str, handle: str) -> QuerySet[Snapshot]:
    """What was stored of a document, also of one that is deleted, without the texts."""
    return Snapshot.objects.for_project(project_id).filter(handle=handle).defer("content")


def stored_snapshots(project_id: str, numbers: Collection[int]) -> QuerySet[Snapshot]:
    """Those of these numbers, by which the audit log names them."""
    return Snapshot.objects.for_project(project_id).filter(pk__in=numbers)


def get_snapshot(project_id: str, reference: str) -> Snapshot:
    """Raises `snapshot_not_found`."""
    snapshot = Snapshot.objects.for_project(project_id).filter(reference=reference).first()
    if snapshot is None:
        raise AppError(errors.SNAPSHOT_NOT_FOUND)
    return snapshot


def users_of_document(project_id: str, handle: str) -> list[SelectionUser]:
    """Everything that names a selection of a document, as upper rooms tell."""
    return [user for find in hooks.selection_users for user in find(project_id, handle)]


def broken_references(document: Document) -> list[BrokenReference]:
    """The saved selections that do not get what they name from the document as it stands."""
    broken = (
        BrokenReference.of(document, user) for user in users_of_document(document.project_id, document.handle)
    )
    return [reference for reference in broken if reference is not None]


# --- what lower rooms ask through hooks ---------------------------------------------------------------------


def usage(project_id: str) -> dict[str, int]:
    return {"knowledge_documents": Document.objects.for_project(project_id).count()}


def limits() -> dict[str, int]:
    return {"document_characters": MAX_TEXT_LENGTH, "document_sections": MAX_SECTIONS}
