"""The dispatcher: claims what is due, sends it outside any transaction, and writes down what came of it.

One thread talks to the database; a bounded number of others only talk to receivers, so that a slow one delays
nobody. Dying anywhere loses nothing: before the send the lease runs out, after it the receiver may get the same
message once more, under the same id.
"""

import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from prometheus_client import Gauge, Histogram
from redis.exceptions import RedisError

from apps.outbound import Policy
from apps.projects.scoping import across_projects
from apps.webhooks.claims import Claim, claim, next_due_at
from apps.webhooks.messages import load
from apps.webhooks.models import Delivery, DeliveryStatus
from apps.webhooks.retry import Outcome
from apps.webhooks.sending import send
from apps.webhooks.settling import settle

log = structlog.get_logger(__name__)

# One worker that has nothing to do stays for what falls due this soon: the first retry comes after five seconds.
LINGER_SECONDS: Final = 8.0
_LINGERING: Final = "webhooks:lingering"
_JUST_DUE_SECONDS: Final = 1.0
_SHORTEST_WAIT_SECONDS: Final = 0.05
_POLL_SECONDS: Final = 0.5

LATENESS: Final = Histogram(
    "mawrid_webhook_lateness_seconds",
    "From when a delivery fell due to when it was claimed.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800),
)
PENDING: Final = Gauge(
    "mawrid_webhook_deliveries_pending", "Deliveries that wait to be sent.", multiprocess_mode="mostrecent"
)
OUTBOX_AGE: Final = Gauge(
    "mawrid_webhook_outbox_age_seconds",
    "How long the delivery that is due longest has been waiting.",
    multiprocess_mode="mostrecent",
)


def drain(hand_over: Callable[[], None]) -> None:
    """Send what is due and what falls due soon, for a bounded time.

    When time is up and deliveries are still due, `hand_over` calls for another worker before the last answers
    have come in, so that a slow receiver holds up only this one.
    """
    stop_at = time.monotonic() + settings.WEBHOOK_DRAIN_SECONDS
    policy = _policy()
    with ThreadPoolExecutor(settings.WEBHOOK_CONCURRENCY, thread_name_prefix="webhook") as senders:
        under_way: dict[Future[Outcome], Claim] = {}
        while time.monotonic() < stop_at:
            _fill(senders, under_way, policy, stop_at)
            if not under_way and not _wait_for_due(stop_at):
                return
            _settle_some(under_way, timeout=_POLL_SECONDS)
        if _is_due():
            hand_over()
        while under_way:
            _settle_some(under_way, timeout=None)


def measure_outbox() -> None:
    """Set the gauges of what is waiting."""
    now = timezone.now()
    with across_projects():
        pending = Delivery.objects.all_projects().filter(status=DeliveryStatus.PENDING)
        oldest = pending.order_by("next_attempt_at").values_list("next_attempt_at", flat=True).first()
        PENDING.set(pending.count())
    OUTBOX_AGE.set(0 if oldest is None else max((now - oldest).total_seconds(), 0))


def _policy() -> Policy:
    policy = Policy.for_webhooks(
        contact=settings.PUBLIC_URL,
        trusted_origins=settings.OUTBOUND_TRUSTED_ORIGINS,
        extra_ca_file=settings.OUTBOUND_EXTRA_CA_FILE,
    )
    return replace(policy, deadline=float(settings.WEBHOOK_TIMEOUT_SECONDS))


def _fill(
    senders: ThreadPoolExecutor, under_way: dict[Future[Outcome], Claim], policy: Policy, stop_at: float
) -> None:
    """Give every idle sender something to do, as long as there is something."""
    while (idle := settings.WEBHOOK_CONCURRENCY - len(under_way)) > 0 and time.monotonic() < stop_at:
        now = timezone.now()
        claims = claim(
            idle,
            ailing=_idle_for_ailing(under_way.values()),
            now=now,
            lease=timedelta(seconds=settings.WEBHOOK_LEASE_SECONDS),
        )
        if not claims:
            return
        for one, message in load(claims):
            LATENESS.observe(max((now - one.due_at).total_seconds(), 0))
            if isinstance(message, Outcome):
                settle((one, message))
            else:
                under_way[senders.submit(send, message, policy, timezone.now)] = one


def _idle_for_ailing(under_way: Iterable[Claim]) -> int:
    """A quarter of the senders may wait for endpoints that have been failing, and the rest never does."""
    share = max(settings.WEBHOOK_CONCURRENCY // 4, 1)
    return max(share - sum(one.is_ailing for one in under_way), 0)


def _settle_some(under_way: dict[Future[Outcome], Claim], *, timeout: float | None) -> None:
    done, _ = wait(under_way, timeout=timeout, return_when=FIRST_COMPLETED)
    if done:
        ended = [(under_way.pop(future), future) for future in done]
        settle(*((one, _result(future, one)) for one, future in ended))


def _result(future: Future[Outcome], one: Claim) -> Outcome:
    """The outcome; an error of ours counts as a failed attempt, so that the delivery moves on either way."""
    error = future.exception()
    if error is None:
        return future.result()
    log.error("delivery_attempt_broke", delivery_id=one.delivery_id, exc_info=error)
    return Outcome("internal_error")


def _wait_for_due(stop_at: float) -> bool:
    """Whether something falls due within the time left; returns when it has."""
    due_at = next_due_at()
    if due_at is None:
        return False
    seconds = (due_at - timezone.now()).total_seconds()
    # What has been due for longer and is not claimed belongs to an endpoint that other workers are busy with.
    if not -_JUST_DUE_SECONDS < seconds <= LINGER_SECONDS or time.monotonic() + seconds >= stop_at:
        return False
    return _linger(max(seconds, _SHORTEST_WAIT_SECONDS))


def _linger(seconds: float) -> bool:
    """Wait, unless another worker does already: a worker that waits has no time for anything else."""
    try:
        if not cache.add(_LINGERING, "", timeout=math.ceil(seconds) + 1):
            return False
        time.sleep(seconds)
        cache.delete(_LINGERING)
    except RedisError:
        return False
    return True


def _is_due() -> bool:
    due_at = next_due_at()
    return due_at is not None and due_at <= timezone.now()
