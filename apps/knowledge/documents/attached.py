"""What agents read of documents: the selections attached to them, as they stand, and nothing beyond."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from apps.kernel.errors import AppError, FieldError
from apps.knowledge.documents import errors, queries, reading
from apps.knowledge.documents.models import Document, DocumentRevision, DocumentStatus
from apps.knowledge.documents.sought import Wanted
from apps.knowledge.shelf import RevisionGoneError
from apps.sections import CompiledDocument, Selection

_SEPARATOR: Final = "\n\n"
# How often it is looked again when a text is gone between seeing it and reading it.
_ATTEMPTS: Final = 5
# The parts of a document that can be read around a hit: its own text, then its sections in order.
_OWN_TEXT: Final = 1


@dataclass(frozen=True)
class AttachedDocument:
    """One attachment with its document as it stands; `content` only where it was asked for."""

    document_id: str
    selection: Selection
    title: str
    status: str
    revision: str
    locale: str | None
    updated_at: datetime
    missing_section_ids: tuple[str, ...]
    content: str | None
    char_count: int
    token_estimate: int

    @property
    def is_draft(self) -> bool:
        return self.status == DocumentStatus.DRAFT

    @property
    def is_readable(self) -> bool:
        """Whether agents get anything of it."""
        lost_all = len(self.missing_section_ids) == len(self.selection.section_ids) > 0
        return not self.is_draft and not lost_all


@dataclass(frozen=True)
class SectionText:
    """The section around a hit, as far as the attached selection holds it; `part` is its number in the document."""

    document_id: str
    title: str
    revision: str
    section_id: str | None
    section_path: tuple[str, ...]
    part: int
    text: str

    @property
    def sha256(self) -> str:
        """Of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


# --- attaching ----------------------------------------------------------------------------------------------


def faults(project_id: str, wanted: Sequence[Wanted], *, param: Callable[[int], str]) -> list[FieldError]:
    """What could not be read of some selections: `document_not_found` and `section_not_found`.

    `param` gives the place of each in the request. A draft may be attached; until it is published, agents get
    nothing of it.
    """
    documents = _documents(project_id, wanted)
    found: list[FieldError] = []
    for position, one in enumerate(wanted):
        document = documents.get(one.document_id)
        if document is None:
            found.append(FieldError(errors.DOCUMENT_NOT_FOUND, f"{param(position)}.document_id"))
        else:
            found += _unknown_sections(document, one.selection, f"{param(position)}.selection.section_ids")
    return found


def _unknown_sections(document: Document, selection: Selection, param: str) -> list[FieldError]:
    present = set(_revision_of(document).section_ids)
    return [
        FieldError(errors.SECTION_NOT_FOUND, f"{param}[{place}]", {"section_id": section_id})
        for place, section_id in enumerate(selection.section_ids)
        if section_id not in present
    ]


# --- reading ------------------------------------------------------------------------------------------------


def read(
    project_id: str, wanted: Sequence[Wanted], *, with_content: Callable[[int], bool] = lambda _: False
) -> list[AttachedDocument | None]:
    """The attachments in their order, all of one moment; None for a document that is gone.

    `with_content` says by position whose text is wanted. Of a draft it is empty, and sections that are gone are
    left out of it.
    """
    for _ in range(_ATTEMPTS):
        documents = _documents(project_id, wanted)
        with suppress(RevisionGoneError):
            return [
                _attached(documents.get(one.document_id), one.selection, with_content=with_content(position))
                for position, one in enumerate(wanted)
            ]
    raise AppError("service_unavailable")


def _attached(document: Document | None, selection: Selection, *, with_content: bool) -> AttachedDocument | None:
    if document is None:
        return None
    revision = _revision_of(document)
    is_draft = document.status == DocumentStatus.DRAFT
    size = reading.Size(0, 0) if is_draft else reading.size_of(revision, selection)
    content = "" if is_draft else reading.text_of(revision, selection) if with_content else None
    present = set(revision.section_ids)
    return AttachedDocument(
        document_id=document.handle,
        selection=selection,
        title=document.title,
        status=document.status,
        revision=revision.revision,
        locale=revision.locale,
        updated_at=document.updated_at,
        missing_section_ids=tuple(name for name in selection.section_ids if name not in present),
        content=content,
        char_count=size.char_count,
        token_estimate=size.token_estimate,
    )


def text_then(project_id: str, wanted: Wanted, revision: str) -> str | None:
    """What a selection said under an earlier or the present revision; None when that is not kept any more."""
    then = _revision_then(project_id, wanted.document_id, revision)
    if then is None:
        return None
    with suppress(RevisionGoneError):
        return reading.text_of(then, wanted.selection)
    return None


def compiled_then(project_id: str, document_id: str, revision: str) -> CompiledDocument | None:
    """A document as it was under a revision; None when that is not kept any more."""
    then = _revision_then(project_id, document_id, revision)
    if then is None:
        return None
    with suppress(RevisionGoneError):
        return reading.compiled(then)
    return None


def _revision_then(project_id: str, document_id: str, revision: str) -> DocumentRevision | None:
    try:
        return queries.get_revision(project_id, document_id, revision)
    except AppError:
        return None


# --- around a hit -------------------------------------------------------------------------------------------


def around(project_id: str, wanted: Wanted, section_id: str | None) -> SectionText | None:
    """A section with everything below it, or the document's own text for a hit outside of sections.

    Never more than the attached selection; None when agents get nothing of it.
    """
    revision, compiled = _published(project_id, wanted.document_id)
    if revision is None or compiled is None:
        return None
    if section_id is not None and section_id not in compiled.section_ids:
        return None
    return _section_text(revision, compiled, wanted.selection, section_id)


def part(project_id: str, wanted: Wanted, number: int) -> SectionText | None:
    """The same by the number of the part."""
    revision, compiled = _published(project_id, wanted.document_id)
    if revision is None or compiled is None or not _OWN_TEXT <= number <= _OWN_TEXT + len(compiled.section_ids):
        return None
    section_id = None if number == _OWN_TEXT else compiled.section_ids[number - _OWN_TEXT - 1]
    return _section_text(revision, compiled, wanted.selection, section_id)


def _published(project_id: str, document_id: str) -> tuple[DocumentRevision | None, CompiledDocument | None]:
    """A document as agents see it; nothing when they do not."""
    with suppress(AppError, RevisionGoneError):
        revision = queries.get_revision(project_id, document_id)
        if revision.document.status == DocumentStatus.PUBLISHED:
            return revision, reading.compiled(revision)
    return None, None


def _section_text(
    revision: DocumentRevision, compiled: CompiledDocument, allowed: Selection, section_id: str | None
) -> SectionText | None:
    text = _text_around(compiled, allowed, section_id)
    if not text:
        return None
    number = _OWN_TEXT if section_id is None else _OWN_TEXT + 1 + compiled.section_ids.index(section_id)
    return SectionText(
        document_id=revision.document.handle,
        title=revision.document.title,
        revision=revision.revision,
        section_id=section_id,
        section_path=() if section_id is None else compiled.section_path(section_id),
        part=number,
        text=text,
    )


def _text_around(compiled: CompiledDocument, allowed: Selection, section_id: str | None) -> str:
    if section_id is not None:
        return compiled.read_within(allowed, Selection("subtree", (section_id,)))
    own = (passage.text for passage in compiled.passages(allowed) if not passage.section_path)
    return _SEPARATOR.join(own).strip()


# --- rows ---------------------------------------------------------------------------------------------------


def _documents(project_id: str, wanted: Sequence[Wanted]) -> dict[str, Document]:
    """The documents with their present revisions, each of which knows its document."""
    if not wanted:
        return {}
    rows = queries.list_documents(project_id).filter(handle__in=[one.document_id for one in wanted])
    documents = {document.handle: document for document in rows}
    for document in documents.values():
        _revision_of(document).document = document
    return documents


def _revision_of(document: Document) -> DocumentRevision:
    if document.revision is None:
        raise LookupError(document.handle)
    return document.revision
