"""What workers do for knowledge."""

import structlog
from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from apps.knowledge import services
from apps.knowledge.sync import due, queue, run, samples
from apps.knowledge.sync.wakeup import sample_callers, sync_callers
from apps.rest.throttles import breaker

log = structlog.get_logger(__name__)


@shared_task(acks_late=True, reject_on_worker_lost=False, max_retries=0, time_limit=60, soft_time_limit=45)
def sync_source(project_id: str, run_id: str) -> None:
    """One queued run. A worker that dies of it is not given it again: its lease ends, and the sweep sees to it."""
    run.run_sync(project_id, run_id)


@shared_task(acks_late=True, reject_on_worker_lost=False, max_retries=0, time_limit=60, soft_time_limit=45)
def fetch_sample(project_id: str, sample_id: str) -> None:
    """One answer of a feed that is being set up."""
    samples.fetch_sample(project_id, sample_id)


@shared_task
def sync_due() -> None:
    """What beat does each minute."""
    due.sync_due()


@shared_task
def forget_old_records() -> None:
    services.forget_old_query_counts()
    services.forget_old_revisions()
    services.forget_old_runs()
    services.forget_old_samples()


@sync_callers.add
def call_worker(project_id: str, run_id: str) -> None:
    """Without a broker nobody is called; the run stands in the database, and the sweep calls again."""
    if breaker.is_open:
        queue.note_uncalled(project_id, run_id)
        return
    # By then the sweep has called again, and this one would only be in the way.
    expires = due.CALL_LOST_AFTER * settings.SYNC_INTERVAL_UNIT_SECONDS
    try:
        sync_source.apply_async((project_id, run_id), expires=expires, retry=False)
    except OperationalError as error:
        breaker.trip()
        queue.note_uncalled(project_id, run_id)
        log.warning("worker_not_called", run_id=run_id, error=type(error).__name__)


@sample_callers.add
def call_for_sample(project_id: str, sample_id: str) -> None:
    """Without a broker nobody is called, and whoever waits for the sample is told so after a while."""
    if breaker.is_open:
        return
    try:
        fetch_sample.apply_async(
            (project_id, sample_id), expires=samples.GIVEN_UP_AFTER.total_seconds(), retry=False
        )
    except OperationalError as error:
        breaker.trip()
        log.warning("worker_not_called", sample_id=sample_id, error=type(error).__name__)
