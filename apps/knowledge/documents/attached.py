"""What agents read of documents: the selections attached to them, as they stand, and nothing beyond."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from apps.kernel.errors import AppError, FieldError
from apps.knowledge import tokens
from apps.knowledge.documents import errors, queries, reading
from apps.knowledge.documents.models import Document, DocumentRevision, DocumentStatus
from apps.knowledge.documents.sought import WHOLE, Wanted
from apps.sections import CompiledDocument, Selection

__all__ = ["WHOLE", "AttachedDocument", "SectionText", "Wanted", "around", "check", "read"]

_OUTSIDE: Final = "\n\n"


@dataclass(frozen=True)
class AttachedDocument:
    """One attachment with its document as it stands; `content` only where it was asked for."""

    document_id: str
    selection: Selection
    title: str
    status: str | None
    revision: str | None
    locale: str | None
    updated_at: datetime | None
    missing_section_ids: tuple[str, ...]
    content: str | None
    char_count: int
    token_estimate: int

    @property
    def is_missing(self) -> bool:
        return self.status is None

    @property
    def is_draft(self) -> bool:
        return self.status == DocumentStatus.DRAFT

    @property
    def is_readable(self) -> bool:
        """Whether agents get anything of it."""
        gone = len(self.missing_section_ids) == len(self.selection.section_ids) > 0
        return self.status == DocumentStatus.PUBLISHED and not gone


@dataclass(frozen=True)
class SectionText:
    """The section around a hit, as far as the attached selection holds it."""

    document_id: str
    title: str
    revision: str
    section_id: str | None
    section_path: tuple[str, ...]
    text: str

    @property
    def sha256(self) -> str:
        """What moves when title or text do."""
        return hashlib.sha256(f"{self.title}\n{self.text}".encode()).hexdigest()


def check(project_id: str, wanted: Sequence[Wanted], *, param: Callable[[int], str]) -> None:
    """Refuse selections that could not be read: `document_not_found` and `section_not_found`, all at once.

    `param` gives the place of an attachment in the request. A draft may be attached; until it is published, agents
    get nothing of it.
    """
    documents = _documents(project_id, wanted)
    faults: list[FieldError] = []
    for position, one in enumerate(wanted):
        document = documents.get(one.document_id)
        if document is None:
            faults.append(FieldError(errors.DOCUMENT_NOT_FOUND, f"{param(position)}.document_id"))
        else:
            faults += _unknown_sections(document, one.selection, param(position))
    if faults:
        raise AppError.of_fields(faults)


def read(project_id: str, wanted: Sequence[Wanted], *, with_content: bool = False) -> list[AttachedDocument]:
    """The attachments in their order, all of one moment; what is gone or a draft is among them and says so."""
    documents = _documents(project_id, wanted, with_parts=with_content)
    return [_attached(documents.get(one.document_id), one, with_content=with_content) for one in wanted]


def around(project_id: str, wanted: Wanted, section_id: str | None) -> SectionText:
    """A section with everything below it, or the document's own text for a hit outside of sections.

    Never more than the attached selection. Raises `document_not_found` when agents do not see the document, and
    `section_not_found` when nothing of the section is in the selection.
    """
    revision = queries.get_revision(project_id, wanted.document_id)
    if revision.document.status != DocumentStatus.PUBLISHED:
        raise AppError(errors.DOCUMENT_NOT_FOUND)
    compiled = reading.compiled(revision)
    text = _text_around(compiled, wanted.selection, section_id)
    if not text:
        raise AppError(errors.SECTION_NOT_FOUND, params={"section_id": section_id or ""})
    return SectionText(
        document_id=wanted.document_id,
        title=revision.document.title,
        revision=revision.revision,
        section_id=section_id,
        section_path=() if section_id is None else compiled.section_path(section_id),
        text=text,
    )


def _text_around(compiled: CompiledDocument, allowed: Selection, section_id: str | None) -> str:
    if section_id is None:
        own = (passage.text for passage in compiled.passages(allowed) if not passage.section_path)
        return _OUTSIDE.join(own).strip()
    wanted = Selection("subtree", (section_id,))
    return "" if compiled.missing(wanted) else compiled.read_within(allowed, wanted)


def _documents(project_id: str, wanted: Sequence[Wanted], *, with_parts: bool = False) -> dict[str, Document]:
    rows = queries.list_documents(project_id).filter(handle__in=[one.document_id for one in wanted])
    if with_parts:
        # Read with the rest, not later: by then a document could be gone.
        rows = rows.defer(None).defer("revision__segment")
    return {document.handle: document for document in rows}


def _unknown_sections(document: Document, selection: Selection, param: str) -> list[FieldError]:
    present = set(_revision_of(document).section_ids)
    return [
        FieldError(errors.SECTION_NOT_FOUND, f"{param}.selection.section_ids[{place}]", {"section_id": section_id})
        for place, section_id in enumerate(selection.section_ids)
        if section_id not in present
    ]


def _attached(document: Document | None, one: Wanted, *, with_content: bool) -> AttachedDocument:
    if document is None:
        return AttachedDocument(
            one.document_id, one.selection, one.document_id, None, None, None, None, (), None, 0, 0
        )
    revision = _revision_of(document)
    present = set(revision.section_ids)
    content = _content(document, one.selection) if with_content else None
    return AttachedDocument(
        document_id=document.handle,
        selection=one.selection,
        title=document.title,
        status=document.status,
        revision=revision.revision,
        locale=revision.locale,
        updated_at=document.updated_at,
        missing_section_ids=tuple(name for name in one.selection.section_ids if name not in present),
        content=content,
        **_sizes(revision, one.selection, content),
    )


def _content(document: Document, selection: Selection) -> str:
    """What agents get of it; sections that are gone are left out, and of a draft they get nothing."""
    if document.status != DocumentStatus.PUBLISHED:
        return ""
    revision = _revision_of(document)
    revision.document = document
    return reading.compiled(revision).read_within(selection, selection)


def _sizes(revision: DocumentRevision, selection: Selection, content: str | None) -> dict[str, Any]:
    if content is not None:
        return {"char_count": len(content), "token_estimate": tokens.estimate(content)}
    if selection == WHOLE:
        return {"char_count": revision.char_count, "token_estimate": revision.token_estimate}
    return {"char_count": 0, "token_estimate": 0}


def _revision_of(document: Document) -> DocumentRevision:
    if document.revision is None:
        raise LookupError(document.handle)
    return document.revision
