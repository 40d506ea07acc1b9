"""The documents that a search goes through, as PostgreSQL shows them in the search's own transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.db import connection

from apps.kernel.errors import AppError
from apps.kernel.times import to_iso
from apps.knowledge.documents import errors
from apps.knowledge.documents.models import DocumentStatus
from apps.knowledge.groups import Held
from apps.sections import Selection

WHOLE: Final = Selection("document")

_ROWS: Final = """
SELECT d.handle, d.title, d.status, d.updated_at, r.id, r.revision, r.chunk_count
FROM documents_document d JOIN documents_documentrevision r ON r.project_id = d.project_id AND r.id = d.revision_id
WHERE d.project_id = %s AND d.handle = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A selection of a document that someone may read; of what is not in it they know nothing."""

    document_id: str
    selection: Selection = WHOLE


@dataclass(frozen=True, slots=True)
class SoughtDocument:
    """What a search needs to know of a document."""

    selection: Selection
    handle: str
    title: str
    status: str
    updated_at: datetime
    revision_id: int
    revision: str
    lines: int

    @property
    def is_whole(self) -> bool:
        return self.selection == WHOLE

    @property
    def is_draft(self) -> bool:
        return self.status == DocumentStatus.DRAFT


@dataclass(frozen=True)
class SoughtDocuments:
    """The documents of one search in their order; the first one has the rank `first_rank`."""

    documents: tuple[SoughtDocument, ...]
    first_rank: int
    # Nobody searches all documents of a project without naming them.
    whole: bool = False

    @cached_property
    def held(self) -> tuple[Held, ...]:
        """Those that are searched as they are stored."""
        return tuple(Held(one.handle, one.revision_id, one.lines) for one in self.documents if one.is_whole)

    @cached_property
    def partial(self) -> tuple[tuple[SoughtDocument, int], ...]:
        """Those of which only some sections are searched, with their ranks."""
        ranked = enumerate(self.documents, self.first_rank)
        return tuple((document, rank) for rank, document in ranked if not document.is_whole)

    @cached_property
    def ranks(self) -> dict[int, int]:
        ranked = enumerate(self.documents, self.first_rank)
        return {document.revision_id: rank for rank, document in ranked if document.is_whole}

    @cached_property
    def asked(self) -> frozenset[str]:
        return frozenset(document.handle for document in self.documents)

    @property
    def shown(self) -> list[dict[str, Any]]:
        """As callers see them."""
        return [
            {
                "id": document.handle,
                "title": document.title,
                "revision": document.revision,
                "selection": document.selection.as_mapping(),
                "updated_at": to_iso(document.updated_at),
            }
            for document in self.documents
        ]


NOTHING: Final = SoughtDocuments((), 0)


def read(
    project_id: str, wanted: Sequence[Wanted], *, first_rank: int, skip_missing: bool = False
) -> SoughtDocuments:
    """The published ones of the wanted documents, in their order.

    Raises `document_not_found` and `document_is_draft` with the param ``document_ids[…]``, unless such are skipped.
    """
    found = _read(project_id, wanted) if wanted else {}
    documents = []
    for position, one in enumerate(wanted):
        row = found.get(one.document_id)
        if row is not None and row[2] != DocumentStatus.DRAFT:
            documents.append(SoughtDocument(one.selection, *row))
        elif not skip_missing:
            code = errors.DOCUMENT_NOT_FOUND if row is None else errors.DOCUMENT_IS_DRAFT
            raise AppError(code, param=f"document_ids[{position}]")
    return SoughtDocuments(tuple(documents), first_rank)


def _read(project_id: str, wanted: Sequence[Wanted]) -> dict[str, tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [project_id, [one.document_id for one in wanted]])
        return {row[0]: row for row in cursor.fetchall()}
