"""What workers do for agent clients."""

import structlog
from celery import shared_task
from kombu.exceptions import OperationalError

from apps.gateway import retention
from apps.gateway.jobs import callbacks, sweep, work
from apps.gateway.jobs.wakeup import callback_callers, job_callers
from apps.rest.throttles import breaker

log = structlog.get_logger(__name__)

# A call that nobody has taken by then is not needed: the sweep has made it again.
CALLBACK_CALL_EXPIRES_SECONDS = 55


@shared_task
def run_job(project_id: str, job_id: str) -> None:
    work.run_job(project_id, job_id)


@shared_task
def send_callbacks() -> None:
    """Called by each job that ended, and again when an attempt falls due."""
    callbacks.send_due()


@shared_task
def sweep_jobs() -> None:
    """What beat does each minute."""
    sweep.sweep_jobs()


@shared_task
def forget_old_records() -> None:
    retention.forget_old_records()


@job_callers.add
def call_worker(project_id: str, job_id: str) -> None:
    """Without a broker nobody is called; the job stands in the database, and the sweep calls again."""
    if breaker.is_open:
        sweep.note_uncalled(project_id, job_id)
        return
    try:
        expires = sweep.call_lost_after().total_seconds()
        run_job.apply_async((project_id, job_id), expires=expires, retry=False)
    except OperationalError as error:
        breaker.trip()
        sweep.note_uncalled(project_id, job_id)
        log.warning("worker_not_called", job_id=job_id, error=type(error).__name__)


@callback_callers.add
def call_for_callbacks(seconds: float) -> None:
    if breaker.is_open:
        return
    try:
        send_callbacks.apply_async(countdown=seconds, expires=seconds + CALLBACK_CALL_EXPIRES_SECONDS, retry=False)
    except OperationalError as error:
        breaker.trip()
        log.warning("callbacks_not_called", error=type(error).__name__)
