"""The sources that a search goes through, as PostgreSQL shows them in the search's own transaction.

Reading a thousand rows takes longer than searching them. So PostgreSQL is first asked for a fingerprint of their
versions, and what was read under the same fingerprint before is still true.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db import connection

from apps.kernel.errors import AppError
from apps.kernel.times import to_iso
from apps.knowledge.cache import ByteBoundedCache
from apps.knowledge.groups import Held
from apps.projects.errors import KNOWLEDGE_SOURCE_NOT_FOUND

# Fewer rows are read as quickly as their fingerprint.
_WORTH_REMEMBERING: Final = 16
_BYTES_OF_A_SOURCE: Final = 2_000
_SHARE_OF_MEMORY: Final = 16

# A row's version is told by the transaction that wrote it and its place; an update changes both. A feed is written
# with every sync, mostly for things that no search looks at.
_FINGERPRINT: Final = """
SELECT count(*), md5(string_agg(concat(s.id, s.xmin, s.ctid, f.status, f.consecutive_failures > 0, f.is_capped,
                                       f.warnings, f.synced_sha256 IS NULL), ',' ORDER BY s.created_at, s.id))
FROM knowledge_source s LEFT JOIN knowledge_feed f ON f.project_id = s.project_id AND f.source_id = s.id
WHERE s.project_id = %s AND (%s::text[] IS NULL OR s.id = ANY(%s))
"""
_ROWS: Final = """
SELECT s.id, s.name, s.kind, s.complete, s.warnings || coalesce(f.warnings, '{}'), s.updated_at, s.revision_id,
       r.sha256, r.chunk_count, f.status, coalesce(f.consecutive_failures > 0, false),
       f.source_id IS NOT NULL AND f.synced_sha256 IS NULL, coalesce(f.is_capped, false)
FROM knowledge_source s
LEFT JOIN knowledge_revision r ON r.project_id = s.project_id AND r.id = s.revision_id
LEFT JOIN knowledge_feed f ON f.project_id = s.project_id AND f.source_id = s.id
WHERE s.project_id = %s AND (%s::text[] IS NULL OR s.id = ANY(%s))
ORDER BY s.created_at, s.id
"""


@dataclass(frozen=True, slots=True)
class SearchedSource:
    """What a search needs to know of a source."""

    id: str
    name: str
    kind: str
    complete: bool
    warnings: Sequence[str]
    updated_at: datetime
    revision_id: int | None
    revision: str | None
    lines: int | None
    sync_status: str | None
    is_failing: bool
    is_never_synced: bool
    is_capped: bool

    @property
    def held(self) -> Held | None:
        if self.revision_id is None or self.lines is None:
            return None
        return Held(self.id, self.revision_id, self.lines)


@dataclass(frozen=True)
class Searched:
    """The sources of one search in the order that ranks them; `whole` says that the project has no others."""

    sources: tuple[SearchedSource, ...]
    whole: bool

    @cached_property
    def held(self) -> tuple[Held, ...]:
        """Those that have a content."""
        return tuple(held for source in self.sources if (held := source.held) is not None)

    @cached_property
    def asked(self) -> frozenset[str]:
        return frozenset(source.id for source in self.sources)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The place of every revision among the sources."""
        return {
            source.revision_id: rank for rank, source in enumerate(self.sources) if source.revision_id is not None
        }

    @cached_property
    def shown(self) -> list[dict[str, Any]]:
        """As callers see them; the same list every time, so it is not to be changed."""
        return [
            {
                "id": source.id,
                "name": source.name,
                "complete": source.complete,
                "revision": source.revision,
                "updated_at": to_iso(source.updated_at),
                "sync_status": source.sync_status,
            }
            for source in self.sources
        ]


# Key: project, fingerprint, the order asked for.
_remembered: Final[ByteBoundedCache[tuple[str, str, tuple[str, ...] | None], Searched]] = ByteBoundedCache(
    lambda: int(settings.SEARCH_CACHE_BYTES) // _SHARE_OF_MEMORY
)


def read(
    project_id: str,
    source_ids: Sequence[str] | None,
    visible: Collection[str] | None,
    *,
    skip_missing: bool = False,
) -> Searched:
    """The given sources in their order, else all visible ones, the oldest first.

    Raises `knowledge_source_not_found` for a given source that is not in the project, unless such are skipped, and
    `key_limited_to_sources` for one that is not visible, whether there is such a source or not.
    """
    if source_ids is not None:
        _refuse_invisible(source_ids, visible)
        searched = _remembered_or_read(project_id, tuple(source_ids), in_order=True)
        if not skip_missing:
            _refuse_missing(source_ids, {source.id for source in searched.sources})
        return searched
    return _remembered_or_read(project_id, None if visible is None else tuple(sorted(visible)), in_order=False)


def forget_project(project_id: str) -> None:
    """Drop what is kept of a deleted project."""
    _remembered.discard(lambda key: key[0] == project_id)


def forget_everything() -> None:
    """Start like a fresh process."""
    _remembered.discard(lambda _: True)


def _remembered_or_read(project_id: str, wanted: tuple[str, ...] | None, *, in_order: bool) -> Searched:
    if wanted is not None and len(wanted) < _WORTH_REMEMBERING:
        return _read(project_id, wanted, in_order=in_order)
    with connection.cursor() as cursor:
        cursor.execute(_FINGERPRINT, _parameters(project_id, wanted))
        count, fingerprint = cursor.fetchone()
    if count < _WORTH_REMEMBERING:
        return _read(project_id, wanted, in_order=in_order)
    key = (project_id, fingerprint, wanted)
    searched = _remembered.get(key)
    if searched is None:
        searched = _read(project_id, wanted, in_order=in_order)
        _remembered.put(key, searched, _BYTES_OF_A_SOURCE * len(searched.sources))
    return searched


def _read(project_id: str, wanted: tuple[str, ...] | None, *, in_order: bool) -> Searched:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, _parameters(project_id, wanted))
        found = [SearchedSource(*row) for row in cursor.fetchall()]
    if wanted is None or not in_order:
        return Searched(tuple(found), whole=wanted is None)
    by_id = {source.id: source for source in found}
    return Searched(tuple(by_id[source_id] for source_id in wanted if source_id in by_id), whole=False)


def _parameters(project_id: str, wanted: tuple[str, ...] | None) -> list[Any]:
    ids = None if wanted is None else list(wanted)
    return [project_id, ids, ids]


def _refuse_invisible(source_ids: Sequence[str], visible: Collection[str] | None) -> None:
    for position, source_id in enumerate(source_ids):
        if visible is not None and source_id not in visible:
            raise AppError("key_limited_to_sources", param=f"source_ids[{position}]")


def _refuse_missing(source_ids: Sequence[str], present: Collection[str]) -> None:
    """Refuse the first given source that is not among those present."""
    for position, source_id in enumerate(source_ids):
        if source_id not in present:
            raise AppError(KNOWLEDGE_SOURCE_NOT_FOUND, param=f"source_ids[{position}]")
