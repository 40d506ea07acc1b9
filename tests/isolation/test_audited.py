"""What is made, handed out, restored or deleted leaves a note of who did it (A-9), walked over the whole API."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.description import Operation, described
from tests.factories import Tenant
from tests.isolation.world import Call, World, sound_call

# What only looks, and what leaves a record of its own: a run, a sync or an attempt to deliver.
NO_DEEDS: Final = frozenset(
    {
        "/v1/agents/{agent_id}/runs",
        "/v1/agents/{agent_id}/runs/{run_id}/search_knowledge",
        "/v1/documents/{document_id}/read",
        "/v1/documents/{document_id}/validate_selection",
        "/v1/knowledge/search",
        "/v1/knowledge_sources/preview_transform",
        "/v1/knowledge_sources/{source_id}/sync",
        "/v1/webhook_deliveries/{delivery_id}/retry",
        "/v1/webhook_endpoints/{endpoint_id}/test",
    }
)
DEEDS: Final = [
    operation
    for operation in described().operations.values()
    if operation.method == "DELETE" or (operation.method == "POST" and operation.path not in NO_DEEDS)
]
# Elsewhere a sound call need not change anything; these do.
CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    "/v1/project": {"name": "another name"},
    "/v1/secrets/{secret_id}": {"allowed_hosts": ["elsewhere.example"]},
    "/v1/webhook_endpoints/{endpoint_id}": {"enabled": False},
    "/v1/agent_clients/{agent_client_id}": {"name": "another name"},
    "/v1/knowledge_sources/{source_id}": {"name": "another name"},
    "/v1/knowledge_sources/{source_id}/content": {"file": SimpleUploadedFile("prices.txt", b"another text")},
    "/v1/documents/{document_id}": {"text": "Another text.", "revision": "another"},
    "/v1/agents/{agent_id}": {"name": "another name"},
}
CHANGING: Final = [
    operation for operation in described().operations.values() if operation.method in {"PATCH", "PUT"}
]


def actors(tenant: Tenant) -> list[str]:
    with project_scope(tenant.id):
        return list(AuditEntry.objects.for_project(tenant.id).order_by("id").values_list("actor", flat=True))


def doers(world: World, call: Call) -> list[str]:
    """Who is noted for what a call did."""
    before = actors(world.tenant)
    answer = call.send(world.api)
    assert answer.status_code < 300, answer.content.decode()
    return actors(world.tenant)[len(before) :]


def key_id_of(world: World) -> str:
    return str(world.api.get("/v1/api_keys?limit=100").json()["data"][-1]["id"])


@pytest.mark.conformance("A-9")
@pytest.mark.parametrize("operation", DEEDS, ids=str)
def test_a_deed_is_written_down_with_the_key_that_did_it(shop: Tenant, operation: Operation) -> None:
    world = World(shop)
    call = sound_call(operation, world)
    key_id = key_id_of(world)

    assert doers(world, call)[-1] == key_id


@pytest.mark.conformance("A-9")
@pytest.mark.parametrize("operation", CHANGING, ids=str)
def test_a_change_is_written_down_with_the_key_that_made_it(shop: Tenant, operation: Operation) -> None:
    world = World(shop)
    call = replace(sound_call(operation, world), body=dict(CHANGES[operation.path]))
    key_id = key_id_of(world)

    assert set(doers(world, call)) == {key_id}
