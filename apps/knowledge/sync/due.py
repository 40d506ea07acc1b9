"""The look of every minute: whose time has come, whose worker was lost, who was never called.

Nothing here is lost by running late, twice or not at all for an hour; all it goes by stands in the database.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.knowledge.models import RunStatus, RunTrigger, SyncRun
from apps.knowledge.sync import metrics
from apps.knowledge.sync.claims import PER_PROJECT, Claim, lease_of
from apps.knowledge.sync.decide import WORKER_LOST
from apps.knowledge.sync.faults import Fault
from apps.knowledge.sync.fetching import Fetched
from apps.knowledge.sync.settle import settle
from apps.knowledge.sync.wakeup import call_worker_on_commit
from apps.projects.scoping import across_projects

# In units of the interval, minutes by default: after that the call for a worker counts as lost.
CALL_LOST_AFTER: Final = 10
_AT_ONCE: Final = 1_000
_MOST_BATCHES: Final = 50
_MOST_LOST: Final = 500
# A time further ahead than clocks of machines differ comes from a clock that was set back since.
_CLOCKS_DIFFER: Final = timedelta(minutes=1)


def sync_due() -> int:
    """Queue every source that is due and see to runs that nobody sees to; returns how many were queued."""
    now = timezone.now()
    mend_times(now)
    close_lost_runs(now)
    queued = _queue_due(now)
    _call_again(now)
    _measure(now)
    return queued


# --- a clock that was set back ------------------------------------------------------------------------------

_MEND_WAITS: Final = """
UPDATE knowledge_feed SET next_sync_at = %(now)s + (next_sync_at - last_attempt_at), last_attempt_at = %(now)s
WHERE last_attempt_at > %(soon)s
"""
_MEND_LEASES: Final = "UPDATE knowledge_feed SET lease_until = %(until)s WHERE lease_until > %(latest)s"


def mend_times(now: datetime) -> None:
    """Let waits and leases that a later clock began start over, else they would last longer by the difference."""
    until = lease_of(now)
    with across_projects():
        _run(_MEND_WAITS, now=now, soon=now + _CLOCKS_DIFFER)
        _run(_MEND_LEASES, until=until, latest=until + _CLOCKS_DIFFER)


# --- lost workers -------------------------------------------------------------------------------------------

_LOST: Final = """
SELECT f.project_id, f.source_id, r.id, f.lease_token, f.target_host, r.started_at
FROM knowledge_feed f JOIN knowledge_syncrun r ON r.project_id = f.project_id AND r.source_id = f.source_id
WHERE f.lease_until <= %(now)s AND r.status = 'running'
ORDER BY f.lease_until LIMIT %(limit)s
"""


def close_lost_runs(now: datetime) -> None:
    """End the runs whose lease ran out, as failed; each in a transaction of its own."""
    with across_projects():
        lost = [Claim(*row) for row in _run(_LOST, now=now, limit=_MOST_LOST)]
    for claimed in lost:
        if settle(claimed, Fetched(fault=Fault(WORKER_LOST)), config_version=None):
            metrics.LOST_WORKERS.inc()


# --- due sources --------------------------------------------------------------------------------------------

DUE: Final = """
SELECT source_id FROM knowledge_feed
WHERE next_sync_at <= %(now)s AND status NOT IN ('queued', 'running')
ORDER BY next_sync_at LIMIT %(limit)s FOR NO KEY UPDATE SKIP LOCKED
"""
_QUEUE: Final = f"""
WITH due AS ({DUE})
UPDATE knowledge_feed f SET status = 'queued' FROM due WHERE f.source_id = due.source_id
RETURNING f.project_id, f.source_id, f.next_sync_at
"""  # noqa: S608 -- put together from our own constants


def _queue_due(now: datetime) -> int:
    queued = 0
    for _ in range(_MOST_BATCHES):
        found = _queue_batch(now)
        queued += found
        if found < _AT_ONCE:
            break
    return queued


def _queue_batch(now: datetime) -> int:
    with across_projects():
        rows = _run(_QUEUE, now=now, limit=_AT_ONCE)
        runs = [
            SyncRun(
                project_id=project_id,
                source_id=source_id,
                trigger=RunTrigger.SCHEDULE,
                created_at=now,
                called_at=now,
            )
            for project_id, source_id, _ in rows
        ]
        SyncRun.objects.all_projects().bulk_create(runs)
        _call_in_turns((run.project_id, run.id) for run in runs)
    for _, _, due_at in rows:
        metrics.LATENESS.observe((now - due_at).total_seconds())
    return len(rows)


# --- runs that nobody was called for ------------------------------------------------------------------------

# Of the waiting ones as many of a project as it may run at once: each that ends calls for the next.
_CALL_AGAIN: Final = """
WITH waiting AS (
    SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY created_at) AS place
    FROM knowledge_syncrun WHERE status = 'queued' AND called_at IS NULL
)
UPDATE knowledge_syncrun SET called_at = %(now)s
WHERE status = 'queued' AND (
    id IN (SELECT id FROM waiting WHERE place <= %(per_project)s)
    OR called_at <= %(long_ago)s OR called_at > %(soon)s)
RETURNING project_id, id
"""


def _call_again(now: datetime) -> None:
    """Call workers for runs that wait for room, and for those whose call nobody heard."""
    long_ago = now - timedelta(seconds=CALL_LOST_AFTER * settings.SYNC_INTERVAL_UNIT_SECONDS)
    with across_projects():
        soon = now + _CLOCKS_DIFFER
        _call_in_turns(_run(_CALL_AGAIN, now=now, long_ago=long_ago, soon=soon, per_project=PER_PROJECT))


def _call_in_turns(runs: Iterable[tuple[Any, ...]]) -> None:
    """One of each project, then the next of each: nobody waits behind all the sources of another tenant."""
    by_project: dict[str, list[str]] = {}
    for project_id, run_id in runs:
        by_project.setdefault(project_id, []).append(run_id)
    for project_id, run_id in _in_turns(by_project):
        call_worker_on_commit(project_id, run_id)


def _in_turns(by_project: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    for turn in zip_longest(*by_project.values()):
        yield from ((project_id, run) for project_id, run in zip(by_project, turn, strict=True) if run is not None)


# --- what is measured ---------------------------------------------------------------------------------------


def _measure(now: datetime) -> None:
    with across_projects():
        queued = SyncRun.objects.all_projects().filter(status=RunStatus.QUEUED)
        oldest = queued.order_by("created_at").values_list("created_at", flat=True).first()
        metrics.QUEUED.set(queued.count())
    metrics.QUEUE_AGE.set(0 if oldest is None else max((now - oldest).total_seconds(), 0))


def _run(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall()) if cursor.description else []
