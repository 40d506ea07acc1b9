"""What can be told to a customer's system, and how it is written down: with the change itself, or not at all."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from apps.kernel.times import to_iso
from apps.webhooks.models import Delivery, Event, new_event_id
from apps.webhooks.wakeup import call_dispatcher_on_commit

SOURCE_CREATED: Final = "knowledge_source.created"
SOURCE_UPDATED: Final = "knowledge_source.updated"
SOURCE_DELETED: Final = "knowledge_source.deleted"
SYNC_FAILED: Final = "knowledge_source.sync_failed"
SYNC_RECOVERED: Final = "knowledge_source.sync_recovered"
SYNC_SUCCEEDED: Final = "knowledge_source.sync_succeeded"
ENDPOINT_DISABLED: Final = "webhook_endpoint.disabled"
ENDPOINT_TEST: Final = "webhook_endpoint.test"

# Every type with when it happens; the guide has the same table.
TYPES: Final[Mapping[str, str]] = {
    SOURCE_CREATED: "A source was created.",
    SOURCE_UPDATED: "A caller changed a source's name, content, `complete` or config.",
    SOURCE_DELETED: "A source was deleted.",
    SYNC_FAILED: "A sync of an API source failed; sent for every failed run, with `consecutive_failures`.",
    SYNC_RECOVERED: "A sync succeeded after one or more failures.",
    SYNC_SUCCEEDED: "A sync brought changed content.",
    ENDPOINT_DISABLED: "An endpoint was disabled, by a member or because it kept failing.",
    ENDPOINT_TEST: "A test was asked for; sent to that endpoint alone and never retried.",
}
ALL: Final = "*"

MAX_BODY_BYTES: Final = 20_000
# What a source shows to its own project and an event never carries outside.
_NEVER_SENT: Final = frozenset({"content", "config"})


def record(project_id: str, type_: str, data: Mapping[str, Any], *, run_id: str | None = None) -> Event:
    """Write an event and a delivery for each endpoint that wants it, in the caller's transaction.

    `data` holds what the payload's `data` shows besides the project: `source`, `run`, `consecutive_failures`. A
    second event of the same run and type is the first one over again and changes nothing.
    """
    event, is_new = _insert(project_id, type_, data, run_id)
    if is_new:
        _fan_out(event, _endpoints_wanting(project_id, type_), is_test=False)
    return event


def record_for_one(project_id: str, type_: str, data: Mapping[str, Any], *, endpoint_id: str) -> Delivery:
    """Write an event that only one endpoint gets, as a test."""
    event, _ = _insert(project_id, type_, data, None)
    return _fan_out(event, [endpoint_id], is_test=True)[0]


def _insert(project_id: str, type_: str, data: Mapping[str, Any], run_id: str | None) -> tuple[Event, bool]:
    now = timezone.now()
    event = Event(
        id=new_event_id(),
        project_id=project_id,
        type=type_,
        source_id=(data.get("source") or {}).get("id"),
        run_id=run_id,
        created_at=now,
    )
    event.body = _body(event, data)
    events = Event.objects.for_project(project_id)
    events.bulk_create([event], ignore_conflicts=True)
    if run_id is None:
        return event, True
    stored = events.get(run_id=run_id, type=type_)
    return stored, stored.id == event.id


def _body(event: Event, data: Mapping[str, Any]) -> str:
    """The one text that is stored, signed and sent; what must not leave raises a ValueError."""
    if event.type not in TYPES:
        raise ValueError(f"unknown event type {event.type!r}")
    if _NEVER_SENT & set(data.get("source") or {}):
        raise ValueError("an event carries neither content nor config of a source")
    payload = {
        "id": event.id,
        "type": event.type,
        "timestamp": to_iso(event.created_at),
        "data": {"project_id": event.project_id, **data},
    }
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    if len(body.encode()) > MAX_BODY_BYTES:
        raise ValueError(f"the payload of {event.type} is longer than {MAX_BODY_BYTES} bytes")
    return body


def _endpoints_wanting(project_id: str, type_: str) -> list[str]:
    """Enabled endpoints, kept from being deleted before this transaction ends (others may still change them)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM webhooks_endpoint WHERE project_id = %s AND enabled AND events && %s::varchar[]"
            " ORDER BY id FOR KEY SHARE",
            [project_id, [type_, ALL]],
        )
        return [row[0] for row in cursor.fetchall()]


def _fan_out(event: Event, endpoint_ids: list[str], *, is_test: bool) -> list[Delivery]:
    deliveries = [
        Delivery(
            project_id=event.project_id,
            event=event,
            endpoint_id=endpoint_id,
            is_test=is_test,
            next_attempt_at=event.created_at,
            created_at=event.created_at,
        )
        for endpoint_id in endpoint_ids
    ]
    if deliveries:
        Delivery.objects.for_project(event.project_id).bulk_create(deliveries)
        call_dispatcher_on_commit()
    return deliveries
