"""The dispatcher: claims what is due, sends it outside any transaction, and writes down what came of it.

One thread talks to the database; a bounded number of others only talk to receivers, so that a slow one delays
nobody. Dying anywhere loses nothing: before the send the lease runs out, after it the receiver may get the same
message once more, under the same id.
"""

import math
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.cache import caches
from django.utils import timezone
from prometheus_client import Gauge, Histogram
from redis.exceptions import RedisError

from apps.outbound import Policy
from apps.projects.scoping import across_projects
from apps.webhooks.claims import Claim, claim, is_claimable, next_due_at
from apps.webhooks.messages import load
from apps.webhooks.models import Delivery, DeliveryStatus
from apps.webhooks.retry import Outcome
from apps.webhooks.sending import Message, send
from apps.webhooks.settling import settle

log = structlog.get_logger(__name__)

# A send that takes longer gives its place to another, so that silent receivers hold up nobody; it goes on beside
# the others, and there are so many such places for each ordinary one.
PATIENCE_SECONDS: Final = 0.25
_SLOW_PLACES: Final = 2
# One worker that has nothing to do stays for what falls due this soon: the first retry comes after five seconds.
LINGER_SECONDS: Final = 8.0
_LINGERING: Final = "webhooks:lingering"
_SHORTEST_WAIT_SECONDS: Final = 0.05
_POLL_SECONDS: Final = 0.1
# When there is much to do, results are gathered for so long and written down together.
_GATHER_SECONDS: Final = 0.01

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


# One thread of a process claims at a time. Whoever finds another one doing so leaves a call for it and goes.
_claiming = threading.Lock()
_called = threading.Event()
# Rung by calls and by senders that have ended; what it wakes looks for both.
_bell = threading.Event()


@dataclass(frozen=True, slots=True)
class Sending:
    """A claim in the hands of a sender."""

    claim: Claim
    started: float


UnderWay = dict[Future[Outcome], Sending]


def drain(hand_over: Callable[[], None]) -> None:
    """Send what is due and what falls due soon, for a bounded time, unless a thread of this process does already.

    When time is up and deliveries are still due, `hand_over` calls for another worker before the last answers
    have come in, so that a slow receiver holds up only this one.
    """
    _called.set()
    _bell.set()
    if not _claiming.acquire(blocking=False):
        return
    with ThreadPoolExecutor(settings.WEBHOOK_CONCURRENCY * (1 + _SLOW_PLACES), "webhook") as senders:
        under_way: UnderWay = {}
        try:
            time_is_up = _dispatch(senders, under_way)
        finally:
            _claiming.release()
        # A call that came since the last look has nobody else to answer it.
        if _called.is_set() or (time_is_up and is_claimable(timezone.now())):
            hand_over()
        if under_way:
            _wait_for_last(under_way)
            # Whoever came in the meantime has not been able to take what was due to the same endpoints.
            if is_claimable(timezone.now()):
                hand_over()


def _wait_for_last(under_way: UnderWay) -> None:
    while under_way:
        _settle_ended(under_way, wait(under_way, return_when=FIRST_COMPLETED).done)


def _dispatch(senders: ThreadPoolExecutor, under_way: UnderWay) -> bool:
    """Claim, send and settle until nothing is left, or until time is up, which is then the answer."""
    stop_at = time.monotonic() + settings.WEBHOOK_DRAIN_SECONDS
    policy = _policy()
    while time.monotonic() < stop_at:
        _bell.clear()
        _called.clear()
        _settle_ended(under_way, {future for future in under_way if future.done()})
        _fill(senders, under_way, policy, stop_at)
        if under_way:
            _wait_for_news(under_way)
        elif not _wait_for_due(stop_at):
            return False
    _settle_quick(under_way)
    return True


def _settle_quick(under_way: UnderWay) -> None:
    """Only slow receivers keep places of their endpoints from whoever claims next."""
    while not all(map(_is_slow, under_way.values())):
        _bell.clear()
        _settle_ended(under_way, {future for future in under_way if future.done()})
        _bell.wait(_SHORTEST_WAIT_SECONDS)


def _wait_for_news(under_way: UnderWay) -> None:
    """Until a send has ended, somebody rings, or it is time to look at the places again."""
    _bell.wait(_POLL_SECONDS)
    if len(under_way) > settings.WEBHOOK_CONCURRENCY // 2:
        time.sleep(_GATHER_SECONDS)


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


def _fill(senders: ThreadPoolExecutor, under_way: UnderWay, policy: Policy, stop_at: float) -> None:
    """Give every idle sender something to do, as long as there is something."""
    while (idle := _idle(under_way)) > 0 and time.monotonic() < stop_at:
        now = timezone.now()
        claims = claim(
            idle,
            ailing=_idle_for_ailing(under_way),
            now=now,
            lease=timedelta(seconds=settings.WEBHOOK_LEASE_SECONDS),
        )
        for one, message in load(claims):
            LATENESS.observe(max((now - one.due_at).total_seconds(), 0))
            if isinstance(message, Outcome):
                settle((one, message))
            else:
                _start(senders, under_way, one, message, policy)
        if not claims or (under_way and len(claims) < idle):
            return


def _start(senders: ThreadPoolExecutor, under_way: UnderWay, one: Claim, message: Message, policy: Policy) -> None:
    future = senders.submit(send, message, policy, timezone.now)
    under_way[future] = Sending(one, time.monotonic())
    future.add_done_callback(_ring)


def _ring(_: object) -> None:
    _bell.set()


def _idle(under_way: UnderWay) -> int:
    slow = min(sum(map(_is_slow, under_way.values())), _SLOW_PLACES * settings.WEBHOOK_CONCURRENCY)
    return int(settings.WEBHOOK_CONCURRENCY) - (len(under_way) - slow)


def _idle_for_ailing(under_way: UnderWay) -> int:
    """A quarter of the senders may wait for endpoints that have been failing, and the rest never does."""
    share = max(settings.WEBHOOK_CONCURRENCY // 4, 1)
    return max(share - sum(one.claim.is_ailing and not _is_slow(one) for one in under_way.values()), 0)


def _is_slow(sending: Sending) -> bool:
    return time.monotonic() - sending.started > PATIENCE_SECONDS


def _settle_ended(under_way: UnderWay, ended: Collection[Future[Outcome]]) -> None:
    claims = {future: under_way.pop(future).claim for future in ended}
    if claims:
        settle(*((one, _result(future, one)) for future, one in claims.items()))


def _result(future: Future[Outcome], one: Claim) -> Outcome:
    """The outcome; an error of ours counts as a failed attempt, so that the delivery moves on either way."""
    error = future.exception()
    if error is None:
        return future.result()
    log.error("delivery_attempt_broke", delivery_id=one.delivery_id, exc_info=error)
    return Outcome("internal_error")


def _wait_for_due(stop_at: float) -> bool:
    """Whether something falls due within the time left; returns when it has, or when somebody rings."""
    now = timezone.now()
    if is_claimable(now):
        # Another worker was about to take it, and has hardly taken it all.
        _bell.wait(_SHORTEST_WAIT_SECONDS)
        return True
    due_at = next_due_at(after=now)
    if due_at is None:
        return False
    seconds = (due_at - now).total_seconds()
    if seconds > LINGER_SECONDS or time.monotonic() + seconds >= stop_at:
        return False
    return _linger(max(seconds, _SHORTEST_WAIT_SECONDS))


def _linger(seconds: float) -> bool:
    """Wait, unless another worker does already: one is enough."""
    try:
        locks = caches["locks"]
        if not locks.add(_LINGERING, "", timeout=math.ceil(seconds) + 1):
            return False
        _bell.wait(seconds)
        locks.delete(_LINGERING)
    except RedisError:
        return False
    return True
