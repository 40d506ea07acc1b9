"""The segments of documents: which rows they come from, how one is made anew, and those of a part of a document."""

from typing import Final

from django.conf import settings

from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.documents import reading
from apps.knowledge.documents.body import chunks_of
from apps.knowledge.documents.models import Document, DocumentRevision
from apps.knowledge.documents.sought import SoughtDocument, SoughtDocuments
from apps.knowledge.groups import Held
from apps.knowledge.shelf import RevisionGoneError, Shelf
from apps.search.engine import Part
from apps.search.segment import Segment, compile_segment
from apps.sections import CompiledDocument, Selection

_SHARE_OF_MEMORY: Final = 8

# Key: project, row, selection.
_partial: Final[ByteBoundedCache[tuple[str, int, Selection], Segment]] = ByteBoundedCache(
    lambda: int(settings.SEARCH_CACHE_BYTES) // _SHARE_OF_MEMORY
)


def keep(document: Document, revision: DocumentRevision, segment: bytes) -> None:
    """Take over the segment of a document's present revision, just compiled; see `Shelf.keep`."""
    _shelf.keep(document.project_id, Held(document.handle, revision.id, revision.chunk_count), Segment(segment))


def parts(project_id: str, sought: SoughtDocuments) -> list[Part]:
    """What to search for some documents, ranked by their order. Raises `RevisionGoneError`."""
    selected = [Part(_part_of(project_id, document), [rank]) for document, rank in sought.partial]
    return [*_shelf.parts(project_id, sought), *selected]


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project, but for the shelf's."""
    _partial.discard(lambda key: key[0] == project_id)


def forget_everything() -> None:
    """Start like a fresh process, but for the shelf."""
    _partial.discard(lambda _: True)


def _part_of(project_id: str, document: SoughtDocument) -> Segment:
    """The segment of what a selection holds and of nothing else."""
    key = (project_id, document.revision_id, document.selection)
    segment = _partial.get(key)
    if segment is None:
        compiled = _compiled(project_id, document.revision_id)
        segment = Segment(compile_segment(chunks_of(compiled.passages(document.selection))))
        _partial.put(key, segment, segment.nbytes + segment.index.nbytes)
    return segment


def _recompile(project_id: str, held: Held) -> bytes:
    segment = compile_segment(chunks_of(_compiled(project_id, held.revision_id).passages()))
    DocumentRevision.objects.for_project(project_id).filter(id=held.revision_id).update(segment=segment)
    return segment


def _compiled(project_id: str, revision_id: int) -> CompiledDocument:
    """A present revision; raises `RevisionGoneError` for one that is not read any more."""
    rows = DocumentRevision.objects.for_project(project_id).filter(
        id=revision_id, document__revision_id=revision_id
    )
    row = rows.select_related("document").defer("parts", "segment").first()
    if row is None:
        raise RevisionGoneError(revision_id)
    return reading.compiled(row)


_shelf: Final = Shelf("documents_documentrevision", _recompile)
