"""What other systems are told when a caller creates, changes or deletes a source."""

import json
from typing import Any

import pytest

from apps.projects.scoping import project_scope
from apps.webhooks.models import Event
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.conftest import SOURCES, CreateSource


def told(tenant: Tenant) -> list[tuple[str, dict[str, Any]]]:
    """Type and source, the oldest first."""
    with project_scope(tenant.id):
        events = Event.objects.for_project(tenant.id).order_by("created_at", "id")
        return [(event.type, json.loads(event.body)["data"]["source"]) for event in events]


def types(tenant: Tenant) -> list[str]:
    return [type_.removeprefix("knowledge_source.") for type_, _ in told(tenant)]


def test_a_new_source_is_told_without_content_and_config(shop: Tenant, create: CreateSource) -> None:
    created = create()
    ((type_, source),) = told(shop)

    assert type_ == "knowledge_source.created"
    assert source == {name: value for name, value in created.items() if name not in {"content", "config"}}


@pytest.mark.parametrize(
    "change",
    [{"name": "new"}, {"content": "عود"}, {"complete": False}, {"config": {"format": "csv", "header": False}}],
)
def test_every_change_is_told(api: ApiClient, shop: Tenant, create: CreateSource, change: dict[str, Any]) -> None:
    api.patch(f"{SOURCES}/{create()['id']}", change)

    assert types(shop) == ["created", "updated"]


def test_a_change_to_what_is_already_so_is_not_told(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    created = create()
    api.patch(f"{SOURCES}/{created['id']}", {"name": created["name"], "content": created["content"]})

    assert types(shop) == ["created"]


def test_a_restored_content_is_a_change(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    created = create()
    api.patch(f"{SOURCES}/{created['id']}", {"content": "عود"})
    api.post(f"{SOURCES}/{created['id']}/restore", {"revision": created["revision"]})

    assert types(shop) == ["created", "updated", "updated"]
    assert told(shop)[2][1]["revision"] == created["revision"]


def test_a_deletion_is_told_with_what_was_deleted(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    created = create()
    api.delete(f"{SOURCES}/{created['id']}")

    assert types(shop) == ["created", "deleted"]
    assert told(shop)[1][1]["id"] == created["id"]


def test_a_refused_change_is_not_told(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    api.patch(f"{SOURCES}/{create()['id']}", {"content": ""})

    assert types(shop) == ["created"]
