"""What tests of webhooks start from, and how they look at what came of it."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.projects.scoping import project_scope
from apps.webhooks import delivery as dispatcher
from apps.webhooks import events
from apps.webhooks.models import Delivery, Endpoint, Event
from apps.webhooks.retry import LONGEST_PAUSE
from apps.webhooks.services import create_endpoint
from tests.factories import Tenant

SOURCE = {"id": "ks_01k6rz2n5q8t1w4z7c0f3h6k9m", "object": "knowledge_source", "name": "قائمة الأسعار"}


def make_endpoint(tenant: Tenant, url: str, wanted: list[str] | None = None) -> Endpoint:
    return make_endpoint_with_secret(tenant, url, wanted)[0]


def make_endpoint_with_secret(tenant: Tenant, url: str, wanted: list[str] | None = None) -> tuple[Endpoint, str]:
    with project_scope(tenant.id):
        return create_endpoint(tenant.id, url=url, events=wanted or ["*"], actor="operator")


def happens(tenant: Tenant, type_: str = events.SYNC_FAILED, *, run_id: str | None = None, **data: Any) -> Event:
    with project_scope(tenant.id):
        return events.record(tenant.id, type_, {"source": SOURCE, **data}, run_id=run_id)


def dispatch() -> list[str]:
    """Run the dispatcher once; returns its calls for another one."""
    calls: list[str] = []
    dispatcher.drain(hand_over=lambda: calls.append("called"))
    return calls


def dispatch_by_itself() -> None:
    """The dispatcher in a thread of its own, which has a connection of its own."""
    try:
        dispatch()
    finally:
        connection.close()


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 30
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)


def deliveries(tenant: Tenant) -> list[Delivery]:
    with project_scope(tenant.id):
        return list(Delivery.objects.for_project(tenant.id).order_by("id"))


def only_delivery(tenant: Tenant) -> Delivery:
    (delivery,) = deliveries(tenant)
    return delivery


def endpoint_now(endpoint: Endpoint) -> Endpoint:
    with project_scope(endpoint.project_id):
        return Endpoint.objects.for_project(endpoint.project_id).get(id=endpoint.id)


def make_due(tenant: Tenant) -> None:
    """Let the time of every waiting attempt come, and the end of every endpoint's pause."""
    change(tenant, next_attempt_at=timezone.now() - timedelta(seconds=1))
    with project_scope(tenant.id):
        failed = Endpoint.objects.for_project(tenant.id).exclude(last_failure_at=None)
        failed.update(last_failure_at=timezone.now() - timedelta(seconds=LONGEST_PAUSE))


def change(tenant: Tenant, **fields: Any) -> None:
    with project_scope(tenant.id):
        Delivery.objects.for_project(tenant.id).filter(status="pending").update(**fields)


def dispatch_until_settled(tenant: Tenant, *, rounds: int) -> None:
    for _ in range(rounds):
        make_due(tenant)
        dispatch()
