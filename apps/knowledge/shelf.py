"""What this process keeps in memory for searching: compiled segments and their groups, always of visible revisions.

A search first asks PostgreSQL which revisions it may see, so nothing kept here can be served when it is stale or
foreign: it is found by the id of a revision row, and such a row never changes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Final, Protocol

from django.conf import settings

from apps.knowledge.binary import binary_cursor
from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.groups import MOST_LOOSE, Groups, Held
from apps.search.engine import Part
from apps.search.segment import Segment

# Key: project, table, what it is of, revision. Tenants never share an entry.
_SegmentKey = tuple[str, str, str, int]
# Key: project, table.
_GroupsKey = tuple[str, str]


def _capacity() -> int:
    """Segments and groups have half of the memory each; a group also holds the segments it was joined from."""
    return int(settings.SEARCH_CACHE_BYTES) // 2


_segments: Final[ByteBoundedCache[_SegmentKey, Segment]] = ByteBoundedCache(_capacity)
_groups: Final[ByteBoundedCache[_GroupsKey, Groups]] = ByteBoundedCache(_capacity)
# Joining twice at once would only make both slower.
_joining: Final = Lock()

_READ_AT_ONCE: Final = 100


class RevisionGoneError(LookupError):
    """A revision was replaced between being seen and being read; look again which ones are current."""


class Sought(Protocol):
    """What one search goes through."""

    @property
    def held(self) -> Sequence[Held]:
        """What has a content, at the revision that the search sees."""

    @property
    def ranks(self) -> Mapping[int, int]:
        """The place of every revision in the order of the search."""

    @property
    def asked(self) -> Collection[str]:
        """What was asked for, whether it has a content or not."""

    @property
    def whole(self) -> bool:
        """Whether the project has nothing else in this table."""


class Shelf:
    """The segments and groups that come from one table of revisions.

    `recompile` makes the segment of a row anew and stores it, for rows whose segment is of an older format; it
    raises `RevisionGoneError` for one that is not current any more.
    """

    def __init__(self, table: str, recompile: Callable[[str, Held], bytes]) -> None:
        self._table = table
        self._recompile = recompile
        self._read_segments = f"SELECT id, segment FROM {table} WHERE project_id = %s AND id = ANY(%s)"  # noqa: S608 -- a table's name, from our own code

    def keep(self, project_id: str, held: Held, segment: Segment) -> Segment:
        """Take over a segment just compiled.

        Before the commit: should the transaction fail, no search will ever ask for this row's id.
        """
        _segments.put(self._key(project_id, held), segment, segment.nbytes + segment.index.nbytes)
        return segment

    def segment_of(self, project_id: str, held: Held) -> Segment:
        """The compiled content of a current revision; raises `RevisionGoneError`."""
        return self._find(project_id, [held], Groups())[held]

    def parts(self, project_id: str, sought: Sought) -> list[Part]:
        """What to search, ranked as sought. Raises `RevisionGoneError`."""
        groups = self._groups_of(project_id)
        if len(sought.held) > MOST_LOOSE:
            groups = self._up_to_date(project_id, groups, sought)
        grouped = [part for group in groups.groups for part in group.parts(sought.ranks)]
        loose = self._find(project_id, _loose(groups, sought.held), groups)
        return [*grouped, *(Part(segment, [sought.ranks[held.revision_id]]) for held, segment in loose.items())]

    # --- groups ---------------------------------------------------------------------------------------------

    def _groups_of(self, project_id: str) -> Groups:
        return _groups.get((project_id, self._table)) or Groups()

    def _up_to_date(self, project_id: str, groups: Groups, sought: Sought) -> Groups:
        """The project's groups, made anew when too much of what is searched is loose or dead."""
        dead = _dead(groups, sought)
        loose = _loose(groups, sought.held)
        if not _needs_joining(groups, loose, dead):
            return groups
        small = {held: segment for held, segment in self._find(project_id, loose, groups).items() if held.is_small}
        with _joining:
            groups = self._groups_of(project_id)  # Another thread may have done it meanwhile.
            still_loose = _loose(groups, small)
            if _needs_joining(groups, still_loose, dead):
                groups = groups.regrouped({held: small[held] for held in still_loose}, dead)
                _groups.put((project_id, self._table), groups, groups.nbytes)
        return groups

    # --- segments -------------------------------------------------------------------------------------------

    def _find(self, project_id: str, wanted: Sequence[Held], groups: Groups) -> dict[Held, Segment]:
        """Segments from memory, the rest from the database; raises `RevisionGoneError`."""
        found: dict[Held, Segment] = {}
        missing: list[Held] = []
        for held in wanted:
            segment = _segments.get(self._key(project_id, held)) or groups.segments.get(held.revision_id)
            if segment is None:
                missing.append(held)
            else:
                found[held] = segment
        for start in range(0, len(missing), _READ_AT_ONCE):
            found.update(self._read(project_id, missing[start : start + _READ_AT_ONCE]))
        return found

    def _read(self, project_id: str, wanted: Sequence[Held]) -> Iterator[tuple[Held, Segment]]:
        with binary_cursor() as cursor:
            cursor.execute(self._read_segments, [project_id, [held.revision_id for held in wanted]])
            stored = {row[0]: row[1] for row in cursor}
        for held in wanted:
            buffer = stored.get(held.revision_id)
            if buffer is None:
                raise RevisionGoneError(held.revision_id)
            yield held, self.keep(project_id, held, self._opened(project_id, held, buffer))

    def _opened(self, project_id: str, held: Held, buffer: bytes) -> Segment:
        """A stored segment; one of an older format is compiled and stored anew."""
        try:
            return Segment(buffer)
        except ValueError:
            return Segment(self._recompile(project_id, held))

    def _key(self, project_id: str, held: Held) -> _SegmentKey:
        return project_id, self._table, held.source_id, held.revision_id


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project."""
    _segments.discard(lambda key: key[0] == project_id)
    _groups.discard(lambda key: key[0] == project_id)


def forget_everything() -> None:
    """Start like a fresh process."""
    _segments.discard(lambda _: True)
    _groups.discard(lambda _: True)


def _loose(groups: Groups, sought: Iterable[Held]) -> list[Held]:
    return [held for held in sought if held.revision_id not in groups.segments]


def _needs_joining(groups: Groups, loose: Iterable[Held], dead: Collection[int]) -> bool:
    return sum(held.is_small for held in loose) > MOST_LOOSE or bool(dead and groups.is_half_dead(dead))


def _dead(groups: Groups, sought: Sought) -> Collection[int]:
    """The members that no search will see again: gone from the project, or searched at another revision."""
    unasked = groups.segments.keys() - sought.ranks.keys()
    if sought.whole or not unasked:
        return unasked
    members = (member for group in groups.groups for member in group.members)
    return {
        member.revision_id
        for member in members
        if member.revision_id in unasked and member.source_id in sought.asked
    }
