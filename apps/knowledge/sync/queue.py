"""Puts sources in line for a sync, from within the transaction that makes it necessary.

Whoever calls has locked the source; its feed is locked here, always after it.
"""

from random import uniform
from typing import Final

from django.utils import timezone

from apps.kernel.errors import AppError
from apps.knowledge import errors
from apps.knowledge.models import OPEN_RUN, Feed, FeedStatus, RunStatus, RunTrigger, Source, SyncRun
from apps.knowledge.sync import config as feed_config
from apps.knowledge.sync.config import Config
from apps.knowledge.sync.decide import next_sync_at
from apps.knowledge.sync.wakeup import call_worker_on_commit
from apps.projects.scoping import project_scope

API: Final = "api"


def add_feed(source: Source) -> None:
    """Start to keep a new API source up to date."""
    host = feed_config.target_host(feed_config.config_of(source))
    source.feed = Feed.objects.add(project_id=source.project_id, source=source, target_host=host)
    open_run(source.feed, RunTrigger.CREATE)


def follow_config(source: Source, before: Config) -> None:
    """Do what a changed config asks for: another answer at once, or only another time for the next one."""
    feed, config = lock_feed(source), feed_config.config_of(source)
    if any(config[key] != before[key] for key in feed_config.FETCHED_BY):
        feed.config_version += 1
        feed.etag = feed.last_modified = None
        feed.target_host = feed_config.target_host(config)
        feed.save(update_fields=["config_version", "etag", "last_modified", "target_host"])
        open_run(feed, RunTrigger.CONFIG_CHANGE)
    elif config != before and feed.last_attempt_at is not None:
        interval = feed_config.interval_of(config)
        feed.next_sync_at = next_sync_at(
            feed.last_attempt_at, interval, feed.consecutive_failures, chance=chance_of_jitter()
        )
        feed.save(update_fields=["next_sync_at"])


def request_sync(source: Source) -> SyncRun:
    """The source's open run, or a new one. Raises `not_an_api_source`."""
    if source.kind != API:
        raise AppError(errors.NOT_AN_API_SOURCE)
    return open_run(lock_feed(source), RunTrigger.MANUAL)


def lock_feed(source: Source) -> Feed:
    feeds = Feed.objects.for_project(source.project_id).select_for_update(no_key=True)
    source.feed = feeds.get(source_id=source.id)
    return source.feed


def open_run(feed: Feed, trigger: str) -> SyncRun:
    """The open run of a locked feed, or a new one for which a worker is called."""
    runs = SyncRun.objects.for_project(feed.project_id).filter(source_id=feed.source_id)
    run = runs.filter(OPEN_RUN).first()
    if run is not None:
        return run
    now = timezone.now()
    run = SyncRun.objects.add(
        project_id=feed.project_id, source_id=feed.source_id, trigger=trigger, created_at=now, called_at=now
    )
    feed.status = FeedStatus.QUEUED
    feed.save(update_fields=["status"])
    call_worker_on_commit(run.project_id, run.id)
    return run


def chance_of_jitter() -> float:
    return uniform(-1, 1)  # noqa: S311 -- jitter guards nothing


def note_uncalled(project_id: str, run_id: str) -> None:
    """No worker could be called for a run; the next tick calls again."""
    with project_scope(project_id):
        waiting = SyncRun.objects.for_project(project_id).filter(id=run_id, status=RunStatus.QUEUED)
        waiting.update(called_at=None)
