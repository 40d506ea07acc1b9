"""Takes a queued run or sample for this worker, unless its tenant or its target have as many fetches as they may.

A claim is a lease in the feed's row and no lock: a worker that dies or hangs loses it by time. Counting is safe
because whoever counts for a tenant or a host first takes that one's turn, an advisory lock until the commit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.knowledge.models import Feed, FeedSample, FeedStatus, RunStatus, SampleStatus, SyncRun
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


@dataclass(frozen=True, slots=True)
class SampleClaim:
    """A sample that is this worker's until its lease ends; the lease tells it from every other claim."""

    project_id: str
    sample_id: str
    host: str
    lease_until: datetime


class Ended(Protocol):
    """A fetch that is over, be it of a run or of a sample."""

    @property
    def project_id(self) -> str: ...
    @property
    def host(self) -> str: ...


class NoRoomError(Exception):
    """A sample whose tenant or host has as many fetches as it may."""


def claim_sample(project_id: str, sample_id: str) -> SampleClaim | None:
    """A queued sample, leased; None when it is gone or taken.

    Raises `NoRoomError` over a limit: somebody looks on, who rather hears that than waits.
    """
    now = timezone.now()
    with across_projects():
        samples = FeedSample.objects.all_projects().select_for_update()
        sample = samples.filter(project_id=project_id, id=sample_id, status=SampleStatus.QUEUED).first()
        if sample is None:
            return None
        _take_turns(project_id, sample.target_host)
        if not _has_room(project_id, sample.target_host, now):
            raise NoRoomError
        sample.status, sample.started_at, sample.lease_until = SampleStatus.RUNNING, now, lease_of(now)
        sample.save(update_fields=["status", "started_at", "lease_until"])
        return SampleClaim(project_id, sample_id, sample.target_host, sample.lease_until)


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

_BUSY: Final = """
WITH busy AS (SELECT project_id, target_host FROM knowledge_feed WHERE lease_until > %(now)s
              UNION ALL SELECT project_id, target_host FROM knowledge_feedsample WHERE lease_until > %(now)s)
"""
# Starts in the future are those of a clock that was set back; they say nothing of this minute.
_HAS_ROOM: Final = f"""
{_BUSY}, started AS (SELECT project_id, started_at FROM knowledge_syncrun
                     UNION ALL SELECT project_id, started_at FROM knowledge_feedsample)
SELECT (SELECT count(*) FROM busy WHERE project_id = %(project)s) < %(per_project)s
   AND (SELECT count(*) FROM busy WHERE target_host = %(host)s) < %(per_host)s
   AND (SELECT count(*) FROM started
        WHERE project_id = %(project)s AND started_at > %(minute_ago)s AND started_at <= %(now)s) < %(a_minute)s
"""  # noqa: S608 -- put together from our own constants

_FIRST_WAITING: Final = f"""
{_BUSY}
SELECT r.project_id, r.id FROM knowledge_syncrun r
JOIN knowledge_feed f ON f.project_id = r.project_id AND f.source_id = r.source_id
WHERE r.status = 'queued' AND r.called_at IS NULL AND {{whose}}
  AND (SELECT count(*) FROM busy WHERE project_id = r.project_id) < %(per_project)s
  AND (SELECT count(*) FROM busy WHERE target_host = f.target_host) < %(per_host)s
ORDER BY r.created_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED
"""  # noqa: S608 -- as above
_OF_THE_PROJECT: Final = _FIRST_WAITING.format(whose="r.project_id = %(project)s")
_FOR_THE_HOST: Final = _FIRST_WAITING.format(whose="f.target_host = %(host)s AND r.project_id <> %(project)s")


def wake_next(ended: Ended) -> None:
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
