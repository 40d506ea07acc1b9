"""Claiming due deliveries: which are next, fairly, and for how long they belong to this worker.

A claim is a lease in the row and no lock: a worker that dies or hangs loses it by time. Any number of workers may
claim at once.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection

from apps.projects.scoping import across_projects
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.retry import AILING_AFTER, LONGEST_PAUSE
from apps.webhooks.services import cancel_pending

PER_ENDPOINT: Final = 2
# An ailing endpoint gets one at a time, and all of them together only a part of a worker's senders.
PER_AILING_ENDPOINT: Final = 1
# How much of a project's work all workers together do at once, so that a project with many slow endpoints leaves
# room for others.
PER_PROJECT: Final = 8


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
        rooms = _endpoints_to_serve(limit, ailing, now)
        endpoints = _lock(rooms)
        for endpoint in endpoints:
            if not endpoint.enabled:
                cancel_pending(endpoint)
        enabled = [endpoint for endpoint in endpoints if endpoint.enabled]
        return _lease(enabled, rooms, limit, now, lease) if enabled else []


def is_claimable(now: datetime) -> bool:
    """Whether `claim` would find something, unless another worker is taking it at this moment."""
    with across_projects():
        return bool(_endpoints_to_serve(1, 1, now))


def next_due_at(after: datetime) -> datetime | None:
    """When the next delivery falls due that is not due yet."""
    with across_projects():
        pending = Delivery.objects.all_projects().filter(status="pending", next_attempt_at__gt=after)
        return pending.order_by("next_attempt_at").values_list("next_attempt_at", flat=True).first()


# `waiting` hops from endpoint to endpoint along an index and meets only the oldest delivery of each, so that the
# cost grows with the endpoints that wait for something and not with what they wait for. Projects take turns, and
# within a project its endpoints; who has waited longest comes first. What a person asks for ends the pause of an
# ailing endpoint.
_TO_SERVE: Final = """
WITH RECURSIVE waiting AS (
    (SELECT endpoint_id, next_attempt_at FROM webhooks_delivery WHERE status = 'pending'
     ORDER BY endpoint_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT further.endpoint_id, further.next_attempt_at FROM waiting CROSS JOIN LATERAL (
        SELECT endpoint_id, next_attempt_at FROM webhooks_delivery
        WHERE status = 'pending' AND endpoint_id > waiting.endpoint_id
        ORDER BY endpoint_id, next_attempt_at LIMIT 1) further
), due AS (
    SELECT e.*, next_attempt_at AS oldest, %(per_project)s - sum(busy) OVER (PARTITION BY project_id) AS room
    FROM waiting CROSS JOIN LATERAL (
        SELECT id, project_id, failures >= %(ailing_after)s AS is_ailing,
               last_failure_at IS NULL OR last_failure_at <= %(now)s - make_interval(
                   secs => %(unit)s * least(2 ^ least(failures - %(ailing_after)s, 10), %(pause)s)) AS is_rested,
               (SELECT count(*) FROM webhooks_delivery d
                WHERE d.endpoint_id = e.id AND d.lease_until > %(now)s) AS busy
        FROM webhooks_endpoint e WHERE id = waiting.endpoint_id OFFSET 0) e
    WHERE next_attempt_at <= %(now)s
), endpoints AS (
    SELECT id, is_ailing, oldest, room, row_number() OVER (PARTITION BY project_id ORDER BY oldest) AS turn
    FROM due
    WHERE room > 0 AND busy < CASE WHEN is_ailing THEN %(per_ailing_endpoint)s ELSE %(per_endpoint)s END
      AND (busy = 0 OR EXISTS (
          SELECT FROM webhooks_delivery d WHERE d.endpoint_id = due.id AND d.status = 'pending'
          AND d.next_attempt_at <= %(now)s AND (d.lease_until IS NULL OR d.lease_until <= %(now)s)))
      AND (NOT is_ailing OR is_rested OR EXISTS (
          SELECT FROM webhooks_delivery d WHERE d.endpoint_id = due.id AND d.status = 'pending'
          AND d.next_attempt_at <= %(now)s AND (d.is_manual OR d.is_test)))
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY is_ailing ORDER BY turn, oldest) AS place
    FROM endpoints WHERE turn <= room
)
SELECT id, room FROM ranked WHERE NOT is_ailing OR place <= %(ailing)s
ORDER BY turn, oldest LIMIT %(limit)s
"""

# What PostgreSQL knows of a table whose rows come in floods is mostly out of date. Thinking it small, it would read
# and sort all of it for every hop; so the way along the index is the only one it is left with.
_ALONG_THE_INDEX: Final = """
SELECT set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)
"""

# Each endpoint's first free place is filled before any second one.
_TAKE: Final = """
WITH free AS (
    SELECT e.id, e.room, e.places - (
        SELECT count(*) FROM webhooks_delivery b WHERE b.endpoint_id = e.id AND b.lease_until > %(now)s) AS places
    FROM unnest(%(endpoints)s::varchar[], %(places)s::int[], %(rooms)s::int[]) AS e(id, places, room)
), candidates AS (
    SELECT d.id, d.turn, d.next_attempt_at, free.room,
           row_number() OVER (PARTITION BY d.project_id ORDER BY d.turn, d.next_attempt_at) AS place
    FROM free CROSS JOIN LATERAL (
        SELECT id, project_id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at) AS turn
        FROM webhooks_delivery
        WHERE endpoint_id = free.id AND status = 'pending' AND next_attempt_at <= %(now)s
          AND (lease_until IS NULL OR lease_until <= %(now)s)
        ORDER BY next_attempt_at LIMIT %(per_endpoint)s) d
    WHERE d.turn <= free.places
), taken AS (
    SELECT id FROM webhooks_delivery
    WHERE id IN (SELECT id FROM candidates WHERE place <= room ORDER BY turn, next_attempt_at LIMIT %(limit)s)
      AND status = 'pending'
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE webhooks_delivery d
SET lost_claims = lost_claims + (lease_until IS NOT NULL)::int, lease_until = %(until)s, claims = claims + 1
FROM taken WHERE d.id = taken.id
RETURNING d.id, d.project_id, d.endpoint_id, d.claims, d.next_attempt_at, d.lost_claims
"""


def _endpoints_to_serve(limit: int, ailing: int, now: datetime) -> dict[str, int]:
    """Their ids, each with how many deliveries its project may have under way besides those that are."""
    parameters = {
        "now": now,
        "limit": limit,
        "ailing": ailing,
        "ailing_after": AILING_AFTER,
        "pause": LONGEST_PAUSE,
        "unit": settings.WEBHOOK_TIME_UNIT_MS / 1_000,
        "per_endpoint": PER_ENDPOINT,
        "per_ailing_endpoint": PER_AILING_ENDPOINT,
        "per_project": PER_PROJECT,
    }
    _rows(_ALONG_THE_INDEX, {})
    return dict(_rows(_TO_SERVE, parameters))


def _lock(endpoint_ids: Collection[str]) -> list[Endpoint]:
    """The endpoints that no other worker is claiming for: counting their places is safe until the commit.

    The count must be a statement of its own after this one, to see what the worker before has committed.
    """
    endpoints = Endpoint.objects.all_projects().filter(id__in=endpoint_ids)
    return list(endpoints.select_for_update(skip_locked=True, no_key=True))


def _lease(
    endpoints: list[Endpoint], rooms: Mapping[str, int], limit: int, now: datetime, lease: timedelta
) -> list[Claim]:
    ailing = {endpoint.id for endpoint in endpoints if endpoint.failures >= AILING_AFTER}
    ids = [endpoint.id for endpoint in endpoints]
    parameters = {
        "endpoints": ids,
        "places": [PER_AILING_ENDPOINT if id_ in ailing else PER_ENDPOINT for id_ in ids],
        "rooms": [rooms[id_] for id_ in ids],
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
