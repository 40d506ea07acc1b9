"""Claiming due deliveries: which are next, fairly, and for how long they belong to this worker.

A claim is a lease in the row and no lock: a worker that dies or hangs loses it by time. Any number of workers may
claim at once.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection

from apps.projects.scoping import across_projects
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.services import cancel_pending

PER_ENDPOINT: Final = 2
# After so many failures in a row an endpoint is ailing: it most likely keeps a sender waiting for nothing, so it
# gets one at a time, and all such endpoints together only a part of a worker's senders.
AILING_AFTER: Final = 3
PER_AILING_ENDPOINT: Final = 1
# How much of a project's work all workers together do at once, so that a project with many slow endpoints leaves
# room for others.
PER_PROJECT: Final = 8
# Due deliveries looked at in one go; one endpoint with thousands of them fills this once, and is full after that.
_WINDOW: Final = 1_000


@dataclass(frozen=True, slots=True)
class Claim:
    """A delivery that is this worker's until its lease ends; `number` tells this attempt from any other."""

    delivery_id: str
    project_id: str
    endpoint_id: str
    number: int
    due_at: datetime
    lost_claims: int
    is_ailing: bool


def claim(limit: int, *, ailing: int, now: datetime, lease: timedelta) -> list[Claim]:
    """Take up to `limit` due deliveries, `ailing` of them at most from ailing endpoints.

    However many workers claim, an endpoint never has more than its places.
    """
    with across_projects():
        endpoints = _lock(_endpoints_to_serve(limit, ailing, now))
        for endpoint in endpoints:
            if not endpoint.enabled:
                cancel_pending(endpoint)
        enabled = [endpoint for endpoint in endpoints if endpoint.enabled]
        return _lease(enabled, limit, now, lease) if enabled else []


def next_due_at() -> datetime | None:
    """When the next delivery that nobody has claimed falls due."""
    with across_projects():
        pending = Delivery.objects.all_projects().filter(status="pending", lease_until=None)
        return pending.order_by("next_attempt_at").values_list("next_attempt_at", flat=True).first()


# Projects take turns, and within a project its endpoints; who has waited longest comes first.
_TO_SERVE: Final = """
WITH busy AS (
    SELECT endpoint_id, project_id, count(*) AS deliveries
    FROM webhooks_delivery WHERE lease_until > %(now)s GROUP BY endpoint_id, project_id
), due AS (
    SELECT d.endpoint_id, d.project_id, d.next_attempt_at, e.failures >= %(ailing_after)s AS is_ailing
    FROM webhooks_delivery d JOIN webhooks_endpoint e ON e.id = d.endpoint_id
    WHERE d.status = 'pending' AND d.next_attempt_at <= %(now)s
      AND (d.lease_until IS NULL OR d.lease_until <= %(now)s)
      AND d.endpoint_id NOT IN (SELECT endpoint_id FROM busy WHERE deliveries >= %(per_endpoint)s)
      AND d.project_id NOT IN (
          SELECT project_id FROM busy GROUP BY project_id HAVING sum(deliveries) >= %(per_project)s)
      AND (e.failures < %(ailing_after)s OR (
          %(ailing)s > 0 AND d.endpoint_id NOT IN (
              SELECT endpoint_id FROM busy WHERE deliveries >= %(per_ailing_endpoint)s)))
    ORDER BY d.next_attempt_at LIMIT %(window)s
), endpoints AS (
    SELECT endpoint_id, is_ailing, min(next_attempt_at) AS oldest,
           row_number() OVER (PARTITION BY project_id ORDER BY min(next_attempt_at)) AS turn
    FROM due GROUP BY endpoint_id, project_id, is_ailing
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY is_ailing ORDER BY turn, oldest) AS place FROM endpoints
)
SELECT endpoint_id FROM ranked WHERE NOT is_ailing OR place <= %(ailing)s
ORDER BY turn, oldest LIMIT %(limit)s
"""

# Each endpoint's first free place is filled before any second one.
_TAKE: Final = """
WITH free AS (
    SELECT e.id, e.places - (
        SELECT count(*) FROM webhooks_delivery b WHERE b.endpoint_id = e.id AND b.lease_until > %(now)s) AS places
    FROM unnest(%(endpoints)s::varchar[], %(places)s::int[]) AS e(id, places)
), candidates AS (
    SELECT d.id, d.turn, d.next_attempt_at FROM free CROSS JOIN LATERAL (
        SELECT id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at) AS turn FROM webhooks_delivery
        WHERE endpoint_id = free.id AND status = 'pending' AND next_attempt_at <= %(now)s
          AND (lease_until IS NULL OR lease_until <= %(now)s)
        ORDER BY next_attempt_at LIMIT %(per_endpoint)s) d
    WHERE d.turn <= free.places
), taken AS (
    SELECT id FROM webhooks_delivery
    WHERE id IN (SELECT id FROM candidates ORDER BY turn, next_attempt_at LIMIT %(limit)s) AND status = 'pending'
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE webhooks_delivery d
SET lost_claims = lost_claims + (lease_until IS NOT NULL)::int, lease_until = %(until)s, claims = claims + 1
FROM taken WHERE d.id = taken.id
RETURNING d.id, d.project_id, d.endpoint_id, d.claims, d.next_attempt_at, d.lost_claims
"""


def _endpoints_to_serve(limit: int, ailing: int, now: datetime) -> list[str]:
    parameters = {
        "now": now,
        "limit": limit,
        "ailing": ailing,
        "ailing_after": AILING_AFTER,
        "window": _WINDOW,
        "per_endpoint": PER_ENDPOINT,
        "per_ailing_endpoint": PER_AILING_ENDPOINT,
        "per_project": PER_PROJECT,
    }
    return [row[0] for row in _rows(_TO_SERVE, parameters)]


def _lock(endpoint_ids: Collection[str]) -> list[Endpoint]:
    """The endpoints that no other worker is claiming for: counting their places is safe until the commit.

    The count must be a statement of its own after this one, to see what the worker before has committed.
    """
    endpoints = Endpoint.objects.all_projects().filter(id__in=endpoint_ids)
    return list(endpoints.select_for_update(skip_locked=True, no_key=True))


def _lease(endpoints: list[Endpoint], limit: int, now: datetime, lease: timedelta) -> list[Claim]:
    ailing = {endpoint.id for endpoint in endpoints if endpoint.failures >= AILING_AFTER}
    ids = [endpoint.id for endpoint in endpoints]
    parameters = {
        "endpoints": ids,
        "places": [PER_AILING_ENDPOINT if id_ in ailing else PER_ENDPOINT for id_ in ids],
        "per_endpoint": PER_ENDPOINT,
        "limit": limit,
        "now": now,
        "until": now + lease,
    }
    return [
        Claim(delivery_id, project_id, endpoint_id, number, due_at, lost_claims, endpoint_id in ailing)
        for delivery_id, project_id, endpoint_id, number, due_at, lost_claims in _rows(_TAKE, parameters)
    ]


def _rows(query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())
