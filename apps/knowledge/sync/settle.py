"""Writes down what came of a run: content, segment, run, feed and events together, or nothing of it.

The source is locked first, then its feed. Only who holds the feed's lease may write, and only a result of today's
config is one.
"""

from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.utils import timezone

from apps.knowledge import presenters, queries, services
from apps.knowledge.models import Feed, FeedStatus, RunStatus, RunTrigger, Source, SyncRun
from apps.knowledge.sync import decide, metrics
from apps.knowledge.sync.claims import Claim
from apps.knowledge.sync.config import config_of, interval_of
from apps.knowledge.sync.decide import Plan, Standing
from apps.knowledge.sync.faults import Fault
from apps.knowledge.sync.fetching import Fetched, Text
from apps.knowledge.sync.queue import chance_of_jitter, lock_feed, open_run
from apps.projects.scoping import project_scope
from apps.webhooks import events

log = structlog.get_logger(__name__)

_EVENTS: Final[dict[decide.Happening, str]] = {
    "sync_succeeded": events.SYNC_SUCCEEDED,
    "sync_recovered": events.SYNC_RECOVERED,
    "sync_failed": events.SYNC_FAILED,
}


@dataclass(frozen=True, slots=True)
class Held:
    """A source, its feed and its run, locked and ours."""

    source: Source
    feed: Feed
    run: SyncRun


def settle(claimed: Claim, fetched: Fetched, *, config_version: int | None) -> bool:
    """Write a result down; False when it was dropped, because the source is gone or another worker's by now.

    `config_version` is that of the config which the result came from, None for a result of no config.
    """
    with project_scope(claimed.project_id):
        held = _lock(claimed)
        if held is None:
            metrics.LOST_LEASES.inc()
            return False
        _end_lease(held.feed)
        if config_version not in {None, held.feed.config_version}:
            _throw_away(held)
        else:
            _follow(held, fetched)
    log.info("sync_ended", source_id=claimed.source_id, run_id=claimed.run_id, status=held.run.status)
    metrics.RUNS.labels(held.run.status, held.run.error_code or "").inc()
    return True


def _lock(claimed: Claim) -> Held | None:
    source = queries.lock_source(claimed.project_id, claimed.source_id)
    if source is None:
        return None
    feed = lock_feed(source)
    if feed.lease_token != claimed.token:
        return None
    return Held(source, feed, SyncRun.objects.for_project(claimed.project_id).get(id=claimed.run_id))


def _end_lease(feed: Feed) -> None:
    feed.lease_token = feed.lease_until = None


def _throw_away(held: Held) -> None:
    """The config was edited meanwhile: this says nothing of the feed as it is wanted now, so it is asked again."""
    metrics.OUTDATED.inc()
    _end_run(held.run, RunStatus.UNCHANGED)
    held.run.save()
    held.feed.save(update_fields=["lease_token", "lease_until"])
    open_run(held.feed, RunTrigger.CONFIG_CHANGE)


def _follow(held: Held, fetched: Fetched) -> None:
    plan = decide.plan(_standing(held), _outcome(fetched), chance=chance_of_jitter())
    if fetched.text is not None:
        _take(held, fetched.text, plan)
    _write_run(held, fetched, plan)
    _write_feed(held, fetched, plan)
    if not plan.counts:
        open_run(held.feed, held.run.trigger)
    _tell(held, plan)


def _standing(held: Held) -> Standing:
    feed = held.feed
    return Standing(
        interval=interval_of(config_of(held.source)),
        attempted_at=held.run.started_at or timezone.now(),
        synced=feed.synced_sha256,
        failures=feed.consecutive_failures,
        lost_claims=feed.lost_claims,
    )


def _outcome(fetched: Fetched) -> decide.Outcome:
    if fetched.fault is not None:
        return decide.Failed(fetched.fault.code)
    return decide.NotModified() if fetched.text is None else decide.Brought(fetched.text.intake.sha256)


def _take(held: Held, text: Text, plan: Plan) -> None:
    feed = held.feed
    services.take_synced_content(held.source, text.intake, is_news=plan.takes_content)
    feed.synced_sha256 = text.intake.sha256
    feed.etag, feed.last_modified = text.validators.etag, text.validators.last_modified
    feed.warnings, feed.is_capped = text.warnings, text.is_capped


def _write_run(held: Held, fetched: Fetched, plan: Plan) -> None:
    run, text = held.run, fetched.text
    _end_run(run, plan.status)
    run.http_status, run.bytes, run.duration_ms = fetched.http_status, fetched.bytes, fetched.duration_ms
    run.items, run.lines = (None, None) if text is None else (text.items, text.lines)
    run.revision = held.feed.synced_sha256 if plan.is_good else None
    if fetched.fault is not None:
        run.error_code, run.error_detail = fetched.fault.code, fetched.fault.detail
    run.save()


def _end_run(run: SyncRun, status: str) -> None:
    run.status, run.finished_at = status, timezone.now()


def _write_feed(held: Held, fetched: Fetched, plan: Plan) -> None:
    feed = held.feed
    feed.last_attempt_at = held.run.started_at
    feed.consecutive_failures, feed.lost_claims = plan.failures, plan.lost_claims
    if plan.is_good:
        feed.status, feed.last_success_at = FeedStatus.OK, held.run.finished_at
        feed.error_code, feed.error_detail, feed.error_at = None, {}, None
    elif plan.counts and fetched.fault is not None:
        feed.status = FeedStatus.FAILING
        _note_error(feed, fetched.fault, held.run)
    feed.next_sync_at = plan.next_sync_at or feed.next_sync_at
    feed.save()


def _note_error(feed: Feed, fault: Fault, run: SyncRun) -> None:
    feed.error_code, feed.error_detail, feed.error_at = fault.code, fault.detail, run.finished_at


def _tell(held: Held, plan: Plan) -> None:
    if not plan.happenings:
        return
    language = presenters.language_of_project(held.source.project_id)
    data: dict[str, Any] = {
        "source": presenters.told_source(held.source, language=language),
        "run": presenters.sync_run(held.run, language=language),
        "consecutive_failures": plan.failures,
    }
    for happening in plan.happenings:
        events.record(held.source.project_id, _EVENTS[happening], data, run_id=held.run.id)
