"""Compiled documents, kept in memory by the id of their revision's row, which never says anything else."""

from dataclasses import dataclass
from typing import Final

from django.conf import settings

from apps.knowledge import tokens
from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.documents.models import DocumentRevision
from apps.knowledge.documents.refusals import as_refusal
from apps.knowledge.shelf import RevisionGoneError
from apps.sections import CompiledDocument, KnowledgeSnapshot, Selection, SelectionError, compile_document

_SHARE_OF_MEMORY: Final = 16
_BYTES_OF_A_CHARACTER: Final = 4
_BYTES_OF_A_SECTION: Final = 500
_BYTES_OF_A_SIZE: Final = 500


@dataclass(frozen=True, slots=True)
class Size:
    """How much a selection says."""

    char_count: int
    token_estimate: int


# Keys: project, row; and the selection.
_compiled: Final[ByteBoundedCache[tuple[str, int], CompiledDocument]] = ByteBoundedCache(
    lambda: int(settings.SEARCH_CACHE_BYTES) // _SHARE_OF_MEMORY
)
_sizes: Final[ByteBoundedCache[tuple[str, int, Selection], Size]] = ByteBoundedCache(
    lambda: int(settings.SEARCH_CACHE_BYTES) // _SHARE_OF_MEMORY
)


def compiled(revision: DocumentRevision) -> CompiledDocument:
    """A revision, read with its document, made ready for reading; its parts are only read when they are needed.

    Raises `RevisionGoneError` when they are not kept any more.
    """
    key = (revision.project_id, revision.id)
    ready = _compiled.get(key)
    if ready is None:
        ready = compile_document(
            {
                "id": revision.document.handle,
                "revision": revision.revision,
                "locale": revision.locale,
                "parts": _parts_of(revision),
            }
        )
        size = _BYTES_OF_A_CHARACTER * ready.char_count + _BYTES_OF_A_SECTION * (1 + len(ready.section_ids))
        _compiled.put(key, ready, size)
    return ready


def _parts_of(revision: DocumentRevision) -> list[object]:
    rows = DocumentRevision.objects.for_project(revision.project_id).filter(id=revision.id)
    parts: list[object] | None = rows.values_list("parts", flat=True).first()
    if parts is None:
        raise RevisionGoneError(revision.id)
    return parts


def read(revision: DocumentRevision, selection: Selection, max_chars: int | None = None) -> KnowledgeSnapshot:
    """What a selection of a revision says.

    Raises `section_not_found` and `selection_too_large`, and `RevisionGoneError` as `compiled` does.
    """
    try:
        return compiled(revision).read(selection, max_chars)
    except SelectionError as error:
        raise as_refusal(error) from error


def text_of(revision: DocumentRevision, selection: Selection) -> str:
    """What is left of a selection: sections that the revision does not have are passed over."""
    return compiled(revision).read_within(selection, selection)


def size_of(revision: DocumentRevision, selection: Selection) -> Size:
    """How much is left of a selection."""
    if selection == Selection():
        return Size(revision.char_count, revision.token_estimate)
    key = (revision.project_id, revision.id, selection)
    size = _sizes.get(key)
    if size is None:
        text = text_of(revision, selection)
        size = Size(len(text), tokens.estimate(text))
        _sizes.put(key, size, _BYTES_OF_A_SIZE)
    return size


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project."""
    _compiled.discard(lambda key: key[0] == project_id)
    _sizes.discard(lambda key: key[0] == project_id)


def forget_everything() -> None:
    """Start like a fresh process."""
    _compiled.discard(lambda _: True)
    _sizes.discard(lambda _: True)
