"""The segments of sources: which rows they come from, and how one is made anew."""

from typing import Final

from apps.knowledge import intake
from apps.knowledge.groups import Held
from apps.knowledge.kinds import KINDS
from apps.knowledge.models import Revision
from apps.knowledge.searched import Searched
from apps.knowledge.shelf import RevisionGoneError, Shelf
from apps.search.engine import Part
from apps.search.segment import Segment, compile_segment


def keep(revision: Revision, segment: bytes) -> None:
    """Take over a segment just compiled; see `Shelf.keep`."""
    _shelf.keep(revision.project_id, _held(revision), Segment(segment))


def segment_of(revision: Revision) -> Segment:
    """The compiled content of a current revision; raises `RevisionGoneError`."""
    return _shelf.segment_of(revision.project_id, _held(revision))


def compile_again(revision: Revision) -> Segment:
    """The compiled form of an earlier content, which nobody keeps; `revision` comes with its source and content.

    Raises what the kind refuses, when the config of today cannot read it.
    """
    source = revision.source
    return Segment(compile_segment(intake.cut_again(revision, kind=KINDS[source.kind], config=source.config)))


def parts(project_id: str, searched: Searched) -> list[Part]:
    """What to search for some sources, ranked by their order. Raises `RevisionGoneError`."""
    return _shelf.parts(project_id, searched)


def _held(revision: Revision) -> Held:
    return Held(revision.source_id, revision.id, revision.chunk_count)


def _recompile(project_id: str, held: Held) -> bytes:
    rows = Revision.objects.for_project(project_id).filter(id=held.revision_id)
    row = rows.select_related("source").defer("segment").first()
    if row is None or row.source.revision_id != row.id:
        raise RevisionGoneError(held.revision_id)
    chunks = intake.cut_again(row, kind=KINDS[row.source.kind], config=row.source.config)
    segment = compile_segment(chunks)
    rows.update(segment=segment)
    return segment


_shelf: Final = Shelf("knowledge_revision", _recompile)
