"""How tests of syncs do a worker's work, move time, and look at what came of it."""

import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.knowledge.models import Feed, SyncRun
from apps.knowledge.sync import due
from apps.knowledge.sync.run import run_sync
from apps.projects.scoping import project_scope
from apps.webhooks.models import Event
from tests.api_client import ApiClient
from tests.factories import Tenant

SOURCES = "/v1/knowledge_sources"


def work(tenant: Tenant) -> None:
    """Do every run that is queued now, as a worker would that was called for each."""
    with project_scope(tenant.id):
        queued = SyncRun.objects.for_project(tenant.id).filter(status="queued").order_by("created_at", "id")
        run_ids = list(queued.values_list("id", flat=True))
    for run_id in run_ids:
        run_sync(tenant.id, run_id)


def sync_now(api: ApiClient, tenant: Tenant, source_id: str) -> dict[str, Any]:
    """Sync on demand and do the work; the run as it ended."""
    run = api.post(f"{SOURCES}/{source_id}/sync").json()
    work(tenant)
    return next(one for one in runs(api, source_id) if one["id"] == run["id"])


def shown(api: ApiClient, source_id: str) -> dict[str, Any]:
    source: dict[str, Any] = api.get(f"{SOURCES}/{source_id}").json()
    return source


def runs(api: ApiClient, source_id: str) -> list[dict[str, Any]]:
    """The newest first."""
    listed: list[dict[str, Any]] = api.get(f"{SOURCES}/{source_id}/sync_runs?limit=100").json()["data"]
    return listed


def events(tenant: Tenant) -> list[tuple[str, dict[str, Any]]]:
    """Type and data of what syncs told, the oldest first."""
    with project_scope(tenant.id):
        bodies = Event.objects.for_project(tenant.id).order_by("created_at", "id").values_list("type", "body")
        told = [(type_.removeprefix("knowledge_source."), json.loads(body)["data"]) for type_, body in bodies]
    return [(type_, data) for type_, data in told if type_.startswith("sync_")]


def event_types(tenant: Tenant) -> list[str]:
    return [type_ for type_, _ in events(tenant)]


def change_feed(tenant: Tenant, source_id: str, **columns: Any) -> None:
    with project_scope(tenant.id):
        Feed.objects.for_project(tenant.id).filter(source_id=source_id).update(**columns)


def feed_row(tenant: Tenant, source_id: str) -> Feed:
    with project_scope(tenant.id):
        return Feed.objects.for_project(tenant.id).get(source_id=source_id)


def time_comes(tenant: Tenant, source_id: str) -> None:
    """Let the source fall due."""
    change_feed(tenant, source_id, next_sync_at=timezone.now() - timedelta(seconds=1))


def lease_runs_out(tenant: Tenant, source_id: str) -> None:
    change_feed(tenant, source_id, lease_until=timezone.now() - timedelta(seconds=1))


def tick(tenant: Tenant) -> None:
    """What beat does each minute, and the work that follows from it."""
    due.sync_due()
    work(tenant)
