"""What this process keeps in memory for searching: compiled segments and their groups, always of visible revisions.

A search first asks PostgreSQL which revisions it may see, so nothing kept here can be served when it is stale or
foreign: it is found by the id of a revision row, and such a row never changes.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from threading import Lock
from typing import Final

from django.conf import settings

from apps.knowledge import intake
from apps.knowledge.binary import binary_cursor
from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.groups import MOST_LOOSE, Groups, Held
from apps.knowledge.kinds import KINDS
from apps.knowledge.models import Revision
from apps.knowledge.searched import Searched
from apps.search.engine import Part
from apps.search.segment import Segment, compile_segment

# Key: project, source, revision. Tenants never share an entry.
_SegmentKey = tuple[str, str, int]


def _capacity() -> int:
    """Segments and groups have half of the memory each; a group also holds the segments it was joined from."""
    return int(settings.SEARCH_CACHE_BYTES) // 2


_segments: Final[ByteBoundedCache[_SegmentKey, Segment]] = ByteBoundedCache(_capacity)
_groups: Final[ByteBoundedCache[str, Groups]] = ByteBoundedCache(_capacity)
# Joining twice at once would only make both slower.
_joining: Final = Lock()

_READ_SEGMENTS: Final = "SELECT id, segment FROM knowledge_revision WHERE project_id = %s AND id = ANY(%s)"
_READ_AT_ONCE: Final = 100


class RevisionGoneError(LookupError):
    """A revision was replaced between being seen and being read; look again which ones are current."""


def keep(revision: Revision, segment: bytes) -> None:
    """Take over a segment just compiled.

    Before the commit: should the transaction fail, no search will ever ask for this row's id.
    """
    _keep(revision.project_id, _held(revision), Segment(segment))


def segment_of(revision: Revision) -> Segment:
    """The compiled content of a current revision; raises `RevisionGoneError`."""
    held = _held(revision)
    return _find(revision.project_id, [held], Groups())[held]


def compile_again(revision: Revision) -> Segment:
    """The compiled form of an earlier content, which nobody keeps; `revision` comes with its source and content.

    Raises what the kind refuses, when the config of today cannot read it.
    """
    source = revision.source
    return Segment(compile_segment(intake.cut_again(revision, kind=KINDS[source.kind], config=source.config)))


def parts(project_id: str, searched: Searched) -> list[Part]:
    """What to search for some sources, ranked by their order. Raises `RevisionGoneError`."""
    groups = _groups.get(project_id) or Groups()
    if len(searched.held) > MOST_LOOSE:
        groups = _up_to_date(project_id, groups, searched)
    grouped = [part for group in groups.groups for part in group.parts(searched.ranks)]
    loose = _find(project_id, _loose(groups, searched.held), groups)
    return [*grouped, *(Part(segment, [searched.ranks[held.revision_id]]) for held, segment in loose.items())]


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project."""
    _segments.discard(lambda key: key[0] == project_id)
    _groups.discard(lambda key: key == project_id)


def forget_everything() -> None:
    """Start like a fresh process."""
    _segments.discard(lambda _: True)
    _groups.discard(lambda _: True)


# --- groups -------------------------------------------------------------------------------------------------


def _up_to_date(project_id: str, groups: Groups, searched: Searched) -> Groups:
    """The project's groups, made anew when too much of what is searched is loose or dead."""
    dead = _dead(groups, searched)
    loose = _loose(groups, searched.held)
    if not _needs_joining(groups, loose, dead):
        return groups
    small = {held: segment for held, segment in _find(project_id, loose, groups).items() if held.is_small}
    with _joining:
        groups = _groups.get(project_id) or groups  # Another thread may have done it meanwhile.
        still_loose = _loose(groups, small)
        if _needs_joining(groups, still_loose, dead):
            groups = groups.regrouped({held: small[held] for held in still_loose}, dead)
            _groups.put(project_id, groups, groups.nbytes)
    return groups


def _loose(groups: Groups, searched: Iterable[Held]) -> list[Held]:
    return [held for held in searched if held.revision_id not in groups.segments]


def _needs_joining(groups: Groups, loose: Iterable[Held], dead: Collection[int]) -> bool:
    return sum(held.is_small for held in loose) > MOST_LOOSE or bool(dead and groups.is_half_dead(dead))


def _dead(groups: Groups, searched: Searched) -> Collection[int]:
    """The members that no search will see again: gone from the project, or searched at another revision."""
    unasked = groups.segments.keys() - searched.ranks.keys()
    if searched.whole or not unasked:
        return unasked
    asked = {source.id for source in searched.sources}
    members = (member for group in groups.groups for member in group.members)
    return {member.revision_id for member in members if member.revision_id in unasked and member.source_id in asked}


# --- segments -----------------------------------------------------------------------------------------------


def _held(revision: Revision) -> Held:
    return Held(revision.source_id, revision.id, revision.chunk_count)


def _find(project_id: str, wanted: Sequence[Held], groups: Groups) -> dict[Held, Segment]:
    """Segments from memory, the rest from the database; raises `RevisionGoneError`."""
    found: dict[Held, Segment] = {}
    missing: list[Held] = []
    for held in wanted:
        segment = _segments.get(_key(project_id, held)) or groups.segments.get(held.revision_id)
        if segment is None:
            missing.append(held)
        else:
            found[held] = segment
    for start in range(0, len(missing), _READ_AT_ONCE):
        found.update(_read(project_id, missing[start : start + _READ_AT_ONCE]))
    return found


def _read(project_id: str, wanted: Sequence[Held]) -> Iterator[tuple[Held, Segment]]:
    with binary_cursor() as cursor:
        cursor.execute(_READ_SEGMENTS, [project_id, [held.revision_id for held in wanted]])
        stored = {row[0]: row[1] for row in cursor}
    for held in wanted:
        buffer = stored.get(held.revision_id)
        if buffer is None:
            raise RevisionGoneError(held.revision_id)
        yield held, _keep(project_id, held, _opened(project_id, held, buffer))


def _opened(project_id: str, held: Held, buffer: bytes) -> Segment:
    """A stored segment; one of an older format is compiled and stored anew."""
    try:
        return Segment(buffer)
    except ValueError:
        return Segment(_recompile(project_id, held))


def _recompile(project_id: str, held: Held) -> bytes:
    rows = Revision.objects.for_project(project_id).filter(id=held.revision_id)
    row = rows.select_related("source").defer("segment").first()
    if row is None or row.source.revision_id != row.id:
        raise RevisionGoneError(held.revision_id)
    chunks = intake.cut_again(row, kind=KINDS[row.source.kind], config=row.source.config)
    segment = compile_segment(chunks)
    rows.update(segment=segment)
    return segment


def _keep(project_id: str, held: Held, segment: Segment) -> Segment:
    _segments.put(_key(project_id, held), segment, segment.nbytes + segment.index.nbytes)
    return segment


def _key(project_id: str, held: Held) -> _SegmentKey:
    return project_id, held.source_id, held.revision_id
