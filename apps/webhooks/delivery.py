"""The dispatcher: claims what is due, sends it outside any transaction, and writes down what came of it.

One thread talks to the database; a bounded number of others only talk to receivers, so that a slow one delays
nobody. Dying anywhere loses nothing: before the send the lease runs out, after it the receiver may get the same
message once more, under the same id.
"""

import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import datetime, timedelta
from random import uniform
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from prometheus_client import Counter, Gauge, Histogram
from redis.exceptions import RedisError

from apps.kernel.times import to_iso
from apps.outbound import Policy
from apps.projects.scoping import across_projects, project_scope
from apps.vault.cipher import BrokenSealError
from apps.vault.envelope import open_sealed
from apps.webhooks import retry
from apps.webhooks.claims import Claim, claim, next_due_at
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint, SigningSecret
from apps.webhooks.retry import Outcome, Plan, Standing, Streak
from apps.webhooks.sending import Message, send
from apps.webhooks.services import SECRET_FIELD, disable_endpoint

log = structlog.get_logger(__name__)

ACTOR: Final = "dispatcher"
# A delivery whose worker died this often in a row has its attempt counted as failed, so that it cannot go on
# killing workers.
MAX_LOST_CLAIMS: Final = 3
KEPT_ATTEMPTS: Final = 50
# One worker that has nothing to do stays for what falls due this soon: the first retry comes after five seconds.
LINGER: Final = timedelta(seconds=8)
_LINGERING: Final = "webhooks:lingering"
_POLL_SECONDS: Final = 0.5

ATTEMPTS: Final = Counter(
    "mawrid_webhook_attempts_total", "Attempts to deliver, by what came of them.", ["outcome"]
)
LOST_LEASES: Final = Counter(
    "mawrid_webhook_lost_leases_total", "Attempts whose delivery was another's by the end."
)
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
            _fill(senders, under_way, policy)
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


def _fill(senders: ThreadPoolExecutor, under_way: dict[Future[Outcome], Claim], policy: Policy) -> None:
    """Give every idle sender something to do, as long as there is something."""
    while (idle := settings.WEBHOOK_CONCURRENCY - len(under_way)) > 0:
        now = timezone.now()
        claims = claim(idle, now=now, lease=timedelta(seconds=settings.WEBHOOK_LEASE_SECONDS))
        if not claims:
            return
        for one in claims:
            LATENESS.observe(max((now - one.due_at).total_seconds(), 0))
            message = _message(one)
            if isinstance(message, Outcome):
                settle(one, message)
            else:
                under_way[senders.submit(send, message, policy, timezone.now)] = one


def _settle_some(under_way: dict[Future[Outcome], Claim], *, timeout: float | None) -> None:
    done, _ = wait(under_way, timeout=timeout, return_when=FIRST_COMPLETED)
    for future in done:
        one = under_way.pop(future)
        settle(one, _result(future, one))


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
    seconds = 0.0 if due_at is None else (due_at - timezone.now()).total_seconds()
    # Something due already and yet not claimed belongs to an endpoint that other workers are busy with.
    if not 0.0 < seconds <= LINGER.total_seconds() or time.monotonic() + seconds >= stop_at:
        return False
    if not _may_linger(seconds):
        return False
    time.sleep(seconds)
    return True


def _may_linger(seconds: float) -> bool:
    """Whether no other worker is waiting already; a worker that waits has no time for anything else."""
    try:
        return bool(cache.add(_LINGERING, "", timeout=math.ceil(seconds)))
    except RedisError:
        return False


def _is_due() -> bool:
    due_at = next_due_at()
    return due_at is not None and due_at <= timezone.now()


# --- from a claim to a message ------------------------------------------------------------------------------


def _message(one: Claim) -> Message | Outcome:
    """What to send for a claim, or how the attempt ends without being made."""
    if one.lost_claims >= MAX_LOST_CLAIMS:
        return Outcome("worker_lost")
    with project_scope(one.project_id):
        found = Delivery.objects.for_project(one.project_id).filter(id=one.delivery_id)
        delivery = found.select_related("event", "endpoint").first()
        if delivery is None:
            return Outcome("endpoint_deleted")
        try:
            secrets = _signing_secrets(delivery.endpoint)
        except BrokenSealError:
            return Outcome("signing_secret_unusable")
    return Message(delivery.event_id, delivery.endpoint.url, delivery.event.body, secrets)


def _signing_secrets(endpoint: Endpoint) -> tuple[str, ...]:
    """The secrets that sign now, the newest first."""
    project_id, now = endpoint.project_id, timezone.now()
    stored = SigningSecret.objects.for_project(project_id).filter(endpoint=endpoint).order_by("-created_at")
    return tuple(
        open_sealed(project_id, secret.id, SECRET_FIELD, bytes(secret.sealed))
        for secret in stored
        if secret.valid_until is None or secret.valid_until > now
    )


# --- from an outcome to the next state ----------------------------------------------------------------------


def settle(one: Claim, outcome: Outcome) -> bool:
    """Write down an attempt; False when the delivery is no longer this claim's, and the outcome is dropped.

    The endpoint is locked before the delivery, as whoever disables it does.
    """
    now = timezone.now()
    with project_scope(one.project_id):
        endpoints = Endpoint.objects.for_project(one.project_id).select_for_update(no_key=True)
        endpoint = endpoints.filter(id=one.endpoint_id).first()
        deliveries = Delivery.objects.for_project(one.project_id).select_for_update(no_key=True)
        delivery = deliveries.filter(id=one.delivery_id, claims=one.number).first()
        if endpoint is None or delivery is None:
            LOST_LEASES.inc()
            return False
        _move_on(delivery, outcome, now)
        _judge(endpoint, delivery, outcome, now)
    ATTEMPTS.labels(outcome.error or "succeeded").inc()
    return True


def _move_on(delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    planned = retry.plan(_standing(delivery), outcome, now=now, chance=uniform(-1, 1), unit=_unit())  # noqa: S311 -- jitter guards nothing
    delivery.attempts = [*delivery.attempts, _shown_attempt(outcome, now)][-KEPT_ATTEMPTS:]
    _follow(delivery, planned)
    if outcome.succeeded:
        delivery.succeeded_at = now
    delivery.is_manual, delivery.resume_at = False, None
    delivery.lease_until, delivery.lost_claims = None, 0
    delivery.save()


def _standing(delivery: Delivery) -> Standing:
    return Standing(
        attempts=delivery.scheduled_attempts,
        is_manual=delivery.is_manual,
        resume_at=delivery.resume_at,
        has_succeeded=delivery.succeeded_at is not None,
        is_test=delivery.is_test,
        is_cancelled=delivery.status == DeliveryStatus.CANCELLED,
    )


def _follow(delivery: Delivery, planned: Plan) -> None:
    delivery.status = planned.status
    delivery.scheduled_attempts = planned.attempts
    delivery.next_attempt_at = planned.next_attempt_at


def _shown_attempt(outcome: Outcome, now: datetime) -> Mapping[str, Any]:
    started = now - timedelta(milliseconds=outcome.duration_ms)
    return {
        "at": to_iso(started),
        "http_status": outcome.http_status,
        "duration_ms": outcome.duration_ms,
        "error": outcome.error,
        "response": outcome.response,
    }


def _judge(endpoint: Endpoint, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    """Count the endpoint's failures in a row, and disable it when it is beyond hope. Failed tests do not count."""
    if delivery.is_test and not outcome.succeeded:
        return
    streak = Streak(endpoint.failures, endpoint.failing_since, endpoint.last_failure_at)
    after = retry.streak_after(streak, outcome, now=now, unit=_unit())
    if after != streak:
        endpoint.failures, endpoint.failing_since, endpoint.last_failure_at = (
            after.failures,
            after.since,
            after.last,
        )
        endpoint.save(update_fields=["failures", "failing_since", "last_failure_at"])
    reason = retry.reason_to_disable(after, outcome, now=now, unit=_unit())
    if reason and endpoint.enabled:
        disable_endpoint(endpoint, reason, actor=ACTOR)


def _unit() -> float:
    return float(settings.WEBHOOK_TIME_UNIT_MS) / 1_000
