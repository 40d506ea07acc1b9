"""How endpoints, deliveries and events look to callers."""

import json
from typing import Any

from apps.kernel.times import to_iso
from apps.webhooks.models import Delivery, Endpoint, Event


def endpoint(shown: Endpoint, *, secret: str | None = None) -> dict[str, Any]:
    """`secret` is the signing secret in clear, which only the answers of create and rotate hold."""
    answer = {
        "id": shown.id,
        "object": "webhook_endpoint",
        "url": shown.url,
        "events": shown.events,
        "enabled": shown.enabled,
        "disabled_reason": shown.disabled_reason,
        "created_at": to_iso(shown.created_at),
    }
    return answer if secret is None else {**answer, "secret": secret}


def delivery(shown: Delivery) -> dict[str, Any]:
    return {
        "id": shown.id,
        "object": "webhook_delivery",
        "endpoint_id": shown.endpoint_id,
        "event_id": shown.event_id,
        "event_type": shown.event.type,
        "status": shown.status,
        "attempts": [_attempt(stored) for stored in shown.attempts],
        "next_attempt_at": to_iso(shown.next_attempt_at),
        "created_at": to_iso(shown.created_at),
    }


def _attempt(stored: dict[str, Any]) -> dict[str, Any]:
    """In the documented order, which the database does not keep."""
    return {name: stored[name] for name in ("at", "http_status", "duration_ms", "error", "response")}


def event(shown: Event) -> dict[str, Any]:
    """The payload as it is sent, marked as an object of the API."""
    payload = json.loads(shown.body)
    return {
        "id": payload["id"],
        "object": "event",
        "type": payload["type"],
        "timestamp": payload["timestamp"],
        "data": payload["data"],
    }
