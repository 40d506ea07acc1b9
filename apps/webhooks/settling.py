"""From outcomes to the next state of deliveries and endpoints."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import uniform
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.utils import timezone
from prometheus_client import Counter

from apps.kernel.times import to_iso
from apps.projects.scoping import across_projects
from apps.webhooks import retry
from apps.webhooks.claims import Claim
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint
from apps.webhooks.retry import Outcome, Plan, Standing, Streak
from apps.webhooks.services import disable_endpoint

ACTOR: Final = "dispatcher"
KEPT_ATTEMPTS: Final = 50

ATTEMPTS: Final = Counter(
    "mawrid_webhook_attempts_total", "Attempts to deliver, by what came of them.", ["outcome"]
)
LOST_LEASES: Final = Counter(
    "mawrid_webhook_lost_leases_total", "Attempts whose delivery was another's by the end."
)

# One statement for a batch of any size; Django's own grows a branch for each value and takes ten times as long.
_STORE: Final = """
UPDATE webhooks_delivery d
SET attempts = n.attempts, status = n.status, scheduled_attempts = n.scheduled_attempts,
    next_attempt_at = n.next_attempt_at, succeeded_at = n.succeeded_at,
    is_manual = false, resume_at = NULL, lease_until = NULL, lost_claims = 0
FROM jsonb_to_recordset(%s) AS n(
    id text, attempts jsonb, status text, scheduled_attempts smallint,
    next_attempt_at timestamptz, succeeded_at timestamptz)
WHERE d.id = n.id
"""


def settle(*attempts: tuple[Claim, Outcome]) -> int:
    """Write down attempts in one transaction; returns of how many.

    An outcome is dropped when the delivery is no longer its claim's. Endpoints are locked before deliveries, as
    whoever disables one does, and both in the order of their ids.
    """
    now = timezone.now()
    with across_projects():
        endpoints = _locked(Endpoint, [claim.endpoint_id for claim, _ in attempts])
        deliveries = _locked(Delivery, [claim.delivery_id for claim, _ in attempts])
        current = [
            (endpoints[claim.endpoint_id], deliveries[claim.delivery_id], outcome)
            for claim, outcome in attempts
            if claim.endpoint_id in endpoints and _is_current(claim, deliveries.get(claim.delivery_id))
        ]
        for _, delivery, outcome in current:
            _move_on(delivery, outcome, now)
        _store([delivery for _, delivery, _ in current])
        for endpoint, delivery, outcome in current:
            _judge(endpoint, delivery, outcome, now)
    _count(current, lost=len(attempts) - len(current))
    return len(current)


def _locked(model: type[Any], ids: list[str]) -> dict[str, Any]:
    rows = model.objects.all_projects().filter(id__in=ids).order_by("id").select_for_update(no_key=True)
    return {row.id: row for row in rows}


def _is_current(claim: Claim, delivery: Delivery | None) -> bool:
    return delivery is not None and delivery.claims == claim.number


def _count(current: list[tuple[Endpoint, Delivery, Outcome]], *, lost: int) -> None:
    LOST_LEASES.inc(lost)
    for _, _, outcome in current:
        ATTEMPTS.labels(outcome.error or "succeeded").inc()


def _move_on(delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    planned = retry.plan(_standing(delivery), outcome, now=now, chance=uniform(-1, 1), unit=_unit())  # noqa: S311 -- jitter guards nothing
    delivery.attempts = [*delivery.attempts, _shown_attempt(outcome, now)][-KEPT_ATTEMPTS:]
    _follow(delivery, planned)
    if outcome.succeeded:
        delivery.succeeded_at = now


def _store(deliveries: list[Delivery]) -> None:
    """Write what `_move_on` changed, and end the claims."""
    rows = [
        {
            "id": delivery.id,
            "attempts": delivery.attempts,
            "status": delivery.status,
            "scheduled_attempts": delivery.scheduled_attempts,
            "next_attempt_at": to_iso(delivery.next_attempt_at),
            "succeeded_at": to_iso(delivery.succeeded_at),
        }
        for delivery in deliveries
    ]
    with connection.cursor() as cursor:
        cursor.execute(_STORE, [json.dumps(rows)])


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
