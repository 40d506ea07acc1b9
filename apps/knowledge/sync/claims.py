"""Takes a queued run for this worker, unless its tenant or its target have as many fetches as they may.

A claim is a lease in the feed's row and no lock: a worker that dies or hangs loses it by time. Counting is safe
because whoever counts for a tenant or a host first takes that one's turn, an advisory lock until the commit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.knowledge.models import Feed, FeedStatus, RunStatus, SyncRun
from apps.knowledge.sync import metrics
from apps.knowledge.sync.wakeup import call_worker_on_commit
from apps.projects.scoping import across_projects

PER_PROJECT: Final = 2
PER_PROJECT_A_MINUTE: Final = 60
PER_HOST: Final = 2
_MINUTE: Final = timedelta(minutes=1)
# Any two numbers, as long as nobody else uses them for advisory locks.
_TURN_OF_PROJECT, _TURN_OF_HOST = 7_301, 7_302


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that is this worker's until its lease ends."""

    project_id: str
    source_id: str
    run_id: str
    token: str
    host: str
    started_at: datetime


def claim(project_id: str, run_id: str) -> Claim | None:
    """The run, leased; None when it is not to be had, be it taken, ended, gone or over a limit.

    One over a limit stays queued and waits, until `wake_next` or the sweep calls a worker for it again.
    """
    now = timezone.now()
    with across_projects():
        found = _lock(project_id, run_id)
        if found is None:
            return None
        feed, run = found
        _take_turns(project_id, feed.target_host)
        if not _has_room(project_id, feed.target_host, now):
            run.called_at = None
            run.save(update_fields=["called_at"])
            return None
        claimed = Claim(project_id, feed.source_id, run.id, uuid4().hex, feed.target_host, now)
        _lease(feed, run, claimed)
    metrics.QUEUE_TIME.observe(max((now - run.created_at).total_seconds(), 0))
    return claimed


def lease_of(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.SYNC_LEASE_SECONDS)


def _lock(project_id: str, run_id: str) -> tuple[Feed, SyncRun] | None:
    """The feed of a queued run, locked, and the run as it is under that lock."""
    runs = SyncRun.objects.all_projects().filter(project_id=project_id, id=run_id, status=RunStatus.QUEUED)
    source_id = runs.values_list("source_id", flat=True).first()
    feeds = Feed.objects.all_projects().select_for_update(no_key=True)
    feed = feeds.filter(project_id=project_id, source_id=source_id).first() if source_id else None
    run = runs.first() if feed else None
    return (feed, run) if feed and run else None


def _lease(feed: Feed, run: SyncRun, claimed: Claim) -> None:
    feed.status = FeedStatus.RUNNING
    feed.lease_token, feed.lease_until = claimed.token, lease_of(claimed.started_at)
    feed.save(update_fields=["status", "lease_token", "lease_until"])
    run.status, run.started_at = RunStatus.RUNNING, claimed.started_at
    run.save(update_fields=["status", "started_at"])


# --- limits -------------------------------------------------------------------------------------------------

_TAKE_TURNS: Final = "SELECT pg_advisory_xact_lock(%s, hashtext(%s)), pg_advisory_xact_lock(%s, hashtext(%s))"

# Starts in the future are those of a clock that was set back; they say nothing of this minute.
_HAS_ROOM: Final = """
WITH busy AS (SELECT project_id, target_host FROM knowledge_feed WHERE lease_until > %(now)s)
SELECT (SELECT count(*) FROM busy WHERE project_id = %(project)s) < %(per_project)s
   AND (SELECT count(*) FROM busy WHERE target_host = %(host)s) < %(per_host)s
   AND (SELECT count(*) FROM knowledge_syncrun
        WHERE project_id = %(project)s AND started_at > %(minute_ago)s AND started_at <= %(now)s) < %(a_minute)s
"""

_FIRST_WAITING: Final = """
WITH busy AS (SELECT project_id, target_host FROM knowledge_feed WHERE lease_until > %(now)s)
SELECT r.project_id, r.id FROM knowledge_syncrun r
JOIN knowledge_feed f ON f.project_id = r.project_id AND f.source_id = r.source_id
WHERE r.status = 'queued' AND r.called_at IS NULL AND {whose}
  AND (SELECT count(*) FROM busy WHERE project_id = r.project_id) < %(per_project)s
  AND (SELECT count(*) FROM busy WHERE target_host = f.target_host) < %(per_host)s
ORDER BY r.created_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED
"""
_OF_THE_PROJECT: Final = _FIRST_WAITING.format(whose="r.project_id = %(project)s")
_FOR_THE_HOST: Final = _FIRST_WAITING.format(whose="f.target_host = %(host)s AND r.project_id <> %(project)s")


def wake_next(ended: Claim) -> None:
    """Call workers for the runs that waited for this one to end: one of its project, and one for its host."""
    now = timezone.now()
    parameters: dict[str, Any] = {
        "now": now,
        "project": ended.project_id,
        "host": ended.host,
        "per_project": PER_PROJECT,
        "per_host": PER_HOST,
    }
    with across_projects(), connection.cursor() as cursor:
        # A claim that is being refused right now is seen as waiting after its turn.
        _take_turns(ended.project_id, ended.host)
        for query in (_OF_THE_PROJECT, _FOR_THE_HOST):
            cursor.execute(query, parameters)
            for project_id, run_id in cursor.fetchall():
                SyncRun.objects.all_projects().filter(id=run_id).update(called_at=now)
                call_worker_on_commit(project_id, run_id)


def _take_turns(project_id: str, host: str) -> None:
    """First the project's, then the host's: one order for all, so that nobody waits in a circle."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_TURNS, [_TURN_OF_PROJECT, project_id, _TURN_OF_HOST, host])


def _has_room(project_id: str, host: str, now: datetime) -> bool:
    parameters: dict[str, Any] = {
        "now": now,
        "minute_ago": now - _MINUTE,
        "project": project_id,
        "host": host,
        "per_project": PER_PROJECT,
        "per_host": PER_HOST,
        "a_minute": PER_PROJECT_A_MINUTE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_HAS_ROOM, parameters)
        return bool(cursor.fetchone()[0])
