"""What workers do for webhooks."""

import structlog
from celery import shared_task
from kombu.exceptions import OperationalError

from apps.rest.throttles import breaker
from apps.webhooks import delivery, services
from apps.webhooks.wakeup import dispatch_callers

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
