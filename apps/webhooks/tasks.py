"""What workers do for webhooks."""

import structlog
from celery import shared_task
from kombu.exceptions import OperationalError

from apps.rest.throttles import breaker
from apps.webhooks import delivery, notices, services
from apps.webhooks.wakeup import dispatch_callers, notice_callers

log = structlog.get_logger(__name__)

# A call that nobody has taken by then is not needed: the sweep has found the deliveries.
CALL_EXPIRES_SECONDS = 55


@shared_task
def dispatch_deliveries() -> None:
    """Called by each commit that leaves deliveries."""
    delivery.drain(hand_over=call_worker)


@shared_task
def sweep_deliveries() -> None:
    """What beat does each minute: retries, and whatever a lost call or a dead worker has left."""
    delivery.measure_outbox()
    delivery.drain(hand_over=call_worker)


@shared_task
def forget_old_records() -> None:
    services.forget_old_records()


@shared_task
def tell_owners(project_id: str, endpoint_id: str) -> None:
    notices.tell_owners(project_id, endpoint_id)


@dispatch_callers.add
def call_worker() -> None:
    """Without a broker nobody is called, and the sweep finds the deliveries later."""
    if breaker.is_open:
        return
    try:
        dispatch_deliveries.apply_async(expires=CALL_EXPIRES_SECONDS, retry=False)
    except OperationalError as error:
        breaker.trip()
        log.warning("dispatcher_not_called", error=type(error).__name__)


@notice_callers.add
def have_owners_told(project_id: str, endpoint_id: str) -> None:
    """Without a broker no mail is sent; the event and the audit entry stand in the database."""
    try:
        tell_owners.apply_async((project_id, endpoint_id), retry=False)
    except OperationalError as error:
        log.warning("owners_not_told", endpoint_id=endpoint_id, error=type(error).__name__)
