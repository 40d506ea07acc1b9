"""How documents, snapshots and publications look to callers."""

from collections.abc import Iterable
from typing import Any

from apps.kernel.times import to_iso
from apps.knowledge.documents.models import Document, DocumentRevision, Snapshot
from apps.knowledge.documents.queries import BrokenReference
from apps.sections import KnowledgeSnapshot


def listed_document(shown: Document) -> dict[str, Any]:
    """A document as lists show it, and what its ETag stands for: a revision's parts never change."""
    revision = _revision_of(shown)
    return {
        "id": shown.handle,
        "object": "knowledge_document",
        "title": shown.title,
        "revision": revision.revision,
        "locale": revision.locale,
        "status": shown.status,
        "section_ids": revision.section_ids,
        "char_count": revision.char_count,
        "token_estimate": revision.token_estimate,
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }


def document(shown: Document, broken: Iterable[BrokenReference]) -> dict[str, Any]:
    """A document as a single object."""
    return {
        **listed_document(shown),
        "parts": _revision_of(shown).parts,
        "broken_references": [broken_reference(reference) for reference in broken],
    }


def publication(shown: Iterable[Document], broken: Iterable[BrokenReference]) -> dict[str, Any]:
    return {
        "object": "knowledge_publication",
        "documents": [listed_document(one) for one in shown],
        "broken_references": [broken_reference(reference) for reference in broken],
    }


def broken_reference(shown: BrokenReference) -> dict[str, Any]:
    return {
        "document_id": shown.handle,
        "user_id": shown.user.id,
        "user_name": shown.user.name,
        "code": shown.code,
        "section_ids": list(shown.section_ids),
    }


def snapshot(shown: KnowledgeSnapshot) -> dict[str, Any]:
    """What was read."""
    return {
        "id": shown.id,
        "object": "knowledge_snapshot",
        "document_id": shown.document_id,
        "selection": shown.selection.as_mapping(),
        "revision": shown.revision,
        "locale": shown.locale,
        "content": shown.content,
    }


def stored_snapshot(shown: Snapshot) -> dict[str, Any]:
    """The same, from where it is stored."""
    return {
        "id": shown.reference,
        "object": "knowledge_snapshot",
        "document_id": shown.handle,
        "selection": shown.selection,
        "revision": shown.revision,
        "locale": shown.locale,
        "content": shown.content,
    }


def _revision_of(shown: Document) -> DocumentRevision:
    if shown.revision is None:
        raise LookupError(shown.handle)
    return shown.revision
