"""Compiled documents, kept in memory by the id of their revision's row, which never says anything else."""

from typing import Final

from django.conf import settings

from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.documents.models import DocumentRevision
from apps.knowledge.documents.refusals import as_refusal
from apps.sections import CompiledDocument, KnowledgeSnapshot, Selection, SelectionError, compile_document

_SHARE_OF_MEMORY: Final = 16
_BYTES_OF_A_CHARACTER: Final = 4
_BYTES_OF_A_SECTION: Final = 500

# Key: project, row.
_compiled: Final[ByteBoundedCache[tuple[str, int], CompiledDocument]] = ByteBoundedCache(
    lambda: int(settings.SEARCH_CACHE_BYTES) // _SHARE_OF_MEMORY
)


def compiled(revision: DocumentRevision) -> CompiledDocument:
    """A revision that still has its parts, made ready for reading; they are only loaded when they are needed."""
    key = (revision.project_id, revision.id)
    ready = _compiled.get(key)
    if ready is None:
        ready = compile_document(
            {
                "id": revision.document.handle,
                "revision": revision.revision,
                "locale": revision.locale,
                "parts": revision.parts,
            }
        )
        size = _BYTES_OF_A_CHARACTER * ready.char_count + _BYTES_OF_A_SECTION * (1 + len(ready.section_ids))
        _compiled.put(key, ready, size)
    return ready


def read(revision: DocumentRevision, selection: Selection, max_chars: int | None = None) -> KnowledgeSnapshot:
    """What a selection of a revision says; raises `section_not_found` and `selection_too_large`."""
    try:
        return compiled(revision).read(selection, max_chars)
    except SelectionError as error:
        raise as_refusal(error) from error


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project."""
    _compiled.discard(lambda key: key[0] == project_id)


def forget_everything() -> None:
    """Start like a fresh process."""
    _compiled.discard(lambda _: True)
