"""Everything that changes sources and their contents.

A locked source comes from `queries.get_source(…, lock=True)`, in the transaction of the change.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.knowledge import corpus, errors, intake, presenters, queries
from apps.knowledge.binary import binary_cursor
from apps.knowledge.intake import Intake
from apps.knowledge.kinds import KINDS, Kind
from apps.knowledge.models import FeedSample, QueryCount, Revision, Source
from apps.knowledge.sync import queue
from apps.projects import audit
from apps.projects.scoping import across_projects, project_scope
from apps.webhooks import events

KEPT_EARLIER_REVISIONS: Final = 50
QUERY_COUNT_KEEPING_TIME: Final = timedelta(days=90)
RUN_KEEPING_TIME: Final = timedelta(days=30)
SAMPLE_KEEPING_TIME: Final = timedelta(hours=1)
_SYNC: Final = "sync"


class Unchanged(Enum):
    """Says that a config stays, where None starts it over."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


@transaction.atomic
def create_source(
    project_id: str,
    *,
    name: str,
    kind: str,
    actor: str,
    content: str | None = None,
    config: Mapping[str, Any] | None = None,
    complete: bool | None = None,
    origin: str = "create",
) -> Source:
    """A source whose content can be searched as soon as this returns; that of an API source is fetched at once.

    Raises what its kind refuses: `empty_content`, `too_long`, `line_too_long`, `csv_…`, `config_not_taken`,
    `content_not_taken`, and whatever is wrong with the config of a feed.
    """
    rules = KINDS[kind]
    _check_content(rules, content)
    settled = rules.merge(None, config, project_id=project_id)
    taken = None if content is None else intake.take(content, kind=rules, config=settled)
    now = timezone.now()
    source = Source(
        project_id=project_id,
        name=name,
        kind=kind,
        complete=rules.complete_by_default(settled) if complete is None else complete,
        complete_is_stated=complete is not None,
        config=settled,
        warnings=[] if taken is None else taken.warnings,
        created_at=now,
        updated_at=now,
    )
    if taken is not None:
        source.revision = _insert_revision(source, taken, origin=origin, now=now)
    source.save(force_insert=True)
    if rules.is_fetched:
        queue.add_feed(source)
    audit.record(project_id, actor=actor, action="source.created", target=source.id)
    _tell(source, events.SOURCE_CREATED)
    return source


def _check_content(rules: Kind, content: str | None) -> None:
    """Refuse content that comes from the wrong side, or from none."""
    if rules.is_fetched and content is not None:
        raise AppError(errors.CONTENT_NOT_TAKEN, param="content")
    if not rules.is_fetched and content is None:
        raise AppError("required", param="content")


def _tell(source: Source, type_: str) -> None:
    language = presenters.language_of_project(source.project_id)
    events.record(source.project_id, type_, {"source": presenters.told_source(source, language=language)})


@transaction.atomic
def update_source(
    source: Source,
    *,
    actor: str,
    name: str | None = None,
    content: str | None = None,
    config: Mapping[str, Any] | Unchanged | None = UNCHANGED,
    complete: bool | None = None,
    origin: str = "update",
) -> Source:
    """Change what is given of a locked source. The same content again changes nothing.

    Raises what `create_source` raises.
    """
    before = _shown_state(source)
    rules = KINDS[source.kind]
    if rules.is_fetched:
        _check_content(rules, content)
    if config is not UNCHANGED:
        source.config = rules.merge(source.config, config, project_id=source.project_id)
    source.name = source.name if name is None else name
    _settle_complete(source, complete)
    recut = source.config != before["config"] and not rules.is_fetched
    _take_content(source, content, recut=recut, origin=origin)
    source.save()
    if rules.is_fetched:
        queue.follow_config(source, before["config"])
    changed = [field for field, value in _shown_state(source).items() if value != before[field]]
    if changed:
        audit.record(source.project_id, actor=actor, action="source.updated", target=source.id, changed=changed)
        _tell(source, events.SOURCE_UPDATED)
    return source


def _settle_complete(source: Source, stated: bool | None) -> None:  # noqa: FBT001 -- None says that nobody did
    """What a caller stated once holds for good; until then the kind decides."""
    if stated is not None:
        source.complete, source.complete_is_stated = stated, True
    elif not source.complete_is_stated:
        source.complete = KINDS[source.kind].complete_by_default(source.config)


def _shown_state(source: Source) -> dict[str, Any]:
    return {
        "name": source.name,
        "content": source.revision and source.revision.sha256,
        "config": source.config,
        "complete": source.complete,
    }


def _take_content(source: Source, content: str | None, *, recut: bool, origin: str) -> None:
    """Make a content the current one when it differs, or when the config cuts it differently than before."""
    current = source.revision
    if content is not None and (current is None or intake.hash_of(content) != current.sha256):
        _replace_content(source, content, origin=origin, moved_at=timezone.now())
    elif recut and current is not None:
        _replace_content(source, current.content, origin=current.origin, moved_at=source.updated_at)


def _replace_content(source: Source, content: str, *, origin: str, moved_at: datetime) -> None:
    taken = intake.take(content, kind=KINDS[source.kind], config=source.config)
    _install(source, taken, origin=origin, moved_at=moved_at)


def _install(source: Source, taken: Intake, *, origin: str, moved_at: datetime) -> None:
    """Make what was taken in the current content of a source, which the caller saves."""
    revisions = Revision.objects.for_project(source.project_id).filter(source_id=source.id)
    # The row of a content that returns would stand for two segments; see `Revision`.
    revisions.filter(sha256=taken.sha256).delete()
    source.revision = _insert_revision(source, taken, origin=origin, now=moved_at)
    revisions.filter(segment__isnull=False).exclude(id=source.revision.id).update(segment=None)
    source.warnings = taken.warnings
    source.updated_at = moved_at
    _forget_earlier_revisions(source)


_INSERT_REVISION: Final = """
INSERT INTO knowledge_revision (project_id, source_id, sha256, content, char_count, chunk_count, token_estimate,
                                origin, created_at, layout, segment)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
"""
_APPEND: Final = "UPDATE knowledge_revision SET segment = segment || %s WHERE project_id = %s AND id = %s"
_WORKERS_PIECE: Final = 4 * 1024 * 1024


def _insert_revision(source: Source, taken: Intake, *, origin: str, now: datetime) -> Revision:
    counts = {
        "char_count": taken.char_count,
        "chunk_count": taken.chunk_count,
        "token_estimate": taken.token_estimate,
    }
    owner = {"project_id": source.project_id, "source_id": source.id}
    columns = {
        **owner,
        "sha256": taken.sha256,
        "content": taken.content,
        **counts,
        "origin": origin,
        "created_at": now,
    }
    layout = None if taken.layout is None else Jsonb(taken.layout)
    # The driver holds what it sends twice more. Web processes have the room, and spare the database the rewriting.
    piece = _WORKERS_PIECE if origin == _SYNC else len(taken.segment)
    with binary_cursor() as cursor:
        cursor.execute(_INSERT_REVISION, [*columns.values(), layout, taken.segment[:piece]])
        (revision_id,) = cursor.fetchall()[0]
        for start in range(piece, len(taken.segment), piece):
            cursor.execute(_APPEND, [taken.segment[start : start + piece], source.project_id, revision_id])
    revision = Revision(id=revision_id, layout=taken.layout, **columns)
    # Workers answer no searches: what they fetched would only fill their memory.
    if origin != _SYNC:
        corpus.keep(revision, taken.segment)
    return revision


def _forget_earlier_revisions(source: Source) -> None:
    """Remove the contents past the last ones that are kept, but for those that something names."""
    earlier = queries.earlier_revisions(source).order_by("-id").values_list("id", "sha256")
    surplus = list(earlier[KEPT_EARLIER_REVISIONS:])
    if not surplus:
        return
    named = _named_revisions(source.project_id, source.id)
    unnamed = [revision_id for revision_id, sha256 in surplus if sha256 not in named]
    Revision.objects.for_project(source.project_id).filter(id__in=unnamed).delete()


def _named_revisions(project_id: str, source_id: str) -> set[str]:
    return {sha256 for name in hooks.revision_users for sha256 in name(project_id, source_id)}


@transaction.atomic
def restore_revision(source: Source, sha256: str, *, actor: str) -> Source:
    """Make an earlier content of a locked source current again.

    Raises `revision_not_found`, and what `create_source` raises when the config of today cannot read it.
    """
    if source.revision is not None and source.revision.sha256 == sha256:
        return source
    revision = queries.get_revision(source, sha256)
    taken = intake.take_again(revision, kind=KINDS[source.kind], config=source.config)
    _install(source, taken, origin="restore", moved_at=timezone.now())
    source.save()
    audit.record(source.project_id, actor=actor, action="source.restored", target=source.id, revision=sha256)
    _tell(source, events.SOURCE_UPDATED)
    return source


def take_synced_content(source: Source, taken: Intake, *, is_news: bool) -> None:
    """Make what a sync brought the content of a locked source.

    What is no news leaves a restored content in place; but when it says otherwise than before which lines are
    items, the current one is cut anew.
    """
    current = source.revision
    if is_news:
        _install(source, taken, origin=_SYNC, moved_at=timezone.now())
    elif current is not None and current.sha256 == taken.sha256 and current.layout != taken.layout:
        _install(source, taken, origin=current.origin, moved_at=source.updated_at)
    else:
        return
    source.save(update_fields=["revision", "warnings", "updated_at"])


@transaction.atomic
def delete_source(source: Source, *, detach: bool, actor: str) -> None:
    """Remove a locked source with all its contents; raises `source_in_use` unless told to `detach` it."""
    users = queries.users_of_source(source.project_id, source.id)
    if users and not detach:
        named = ", ".join(f"{user.name} ({user.id})" for user in users)
        raise AppError(errors.SOURCE_IN_USE, params={"users": named})
    for take_out in hooks.source_detachers:
        take_out(source.project_id, source.id)
    _tell(source, events.SOURCE_DELETED)
    # Its revisions and runs go with it, by the database: Django would read them all first.
    Source.objects.for_project(source.project_id).filter(id=source.id).delete()
    audit.record(source.project_id, actor=actor, action="source.deleted", target=source.id, name=source.name)


# --- keeping times ------------------------------------------------------------------------------------------


def forget_old_query_counts() -> int:
    """Remove the counts past their keeping time, of all projects; returns how many."""
    with across_projects():
        oldest = (timezone.now() - QUERY_COUNT_KEEPING_TIME).date()
        deleted, _ = QueryCount.objects.all_projects().filter(day__lt=oldest).delete()
    return deleted


_SURPLUS_REVISIONS: Final = """
SELECT project_id, source_id, array_agg(id), array_agg(sha256) FROM (
    SELECT r.project_id, r.source_id, r.id, r.sha256,
           row_number() OVER (PARTITION BY r.project_id, r.source_id ORDER BY r.id DESC) AS place
    FROM knowledge_revision r JOIN knowledge_source s ON s.project_id = r.project_id AND s.id = r.source_id
    WHERE s.revision_id IS DISTINCT FROM r.id
) AS earlier
WHERE place > %s
GROUP BY project_id, source_id
"""


def forget_old_revisions() -> int:
    """Remove the contents past the last ones that are kept and that nothing names, of all projects; how many."""
    with across_projects(), connection.cursor() as cursor:
        cursor.execute(_SURPLUS_REVISIONS, [KEPT_EARLIER_REVISIONS])
        surplus = cursor.fetchall()
    return sum(_forget_unnamed(project_id, *of_source) for project_id, *of_source in surplus)


def _forget_unnamed(project_id: str, source_id: str, ids: list[int], hashes: list[str]) -> int:
    with project_scope(project_id):
        named = _named_revisions(project_id, source_id)
        unnamed = [revision_id for revision_id, sha256 in zip(ids, hashes, strict=True) if sha256 not in named]
        # One that has become the current one meanwhile has a row of its own by now, see `Revision`.
        deleted, _ = Revision.objects.for_project(project_id).filter(id__in=unnamed).delete()
    return deleted


_FORGET_RUNS: Final = """
DELETE FROM knowledge_syncrun r WHERE finished_at < %s AND EXISTS (
    SELECT FROM knowledge_syncrun later
    WHERE later.project_id = r.project_id AND later.source_id = r.source_id
      AND (later.created_at, later.id) > (r.created_at, r.id)
)
"""


def forget_old_runs() -> int:
    """Remove runs past their keeping time, of all projects, but never a source's last; returns how many."""
    with across_projects(), connection.cursor() as cursor:
        cursor.execute(_FORGET_RUNS, [timezone.now() - RUN_KEEPING_TIME])
        return int(cursor.rowcount)


def forget_old_samples() -> int:
    """Remove the answers of feeds that were being set up, of all projects; returns how many."""
    with across_projects():
        oldest = timezone.now() - SAMPLE_KEEPING_TIME
        deleted, _ = FeedSample.objects.all_projects().filter(created_at__lt=oldest).delete()
    return deleted
