"""What is made, handed out, restored or deleted leaves a note of who did it (A-9), walked over the whole API."""

from typing import Final

import pytest

from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.description import Operation, described
from tests.factories import Tenant
from tests.isolation.world import World, sound_call

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
# Not PATCH: a sound call of one need not change anything. The rooms test their own.
DEEDS: Final = [
    operation
    for operation in described().operations.values()
    if operation.method == "DELETE" or (operation.method == "POST" and operation.path not in NO_DEEDS)
]


def actors(tenant: Tenant) -> list[str]:
    with project_scope(tenant.id):
        return list(AuditEntry.objects.for_project(tenant.id).order_by("id").values_list("actor", flat=True))


@pytest.mark.conformance("A-9")
@pytest.mark.parametrize("operation", DEEDS, ids=str)
def test_a_deed_is_written_down_with_the_key_that_did_it(shop: Tenant, operation: Operation) -> None:
    world = World(shop)
    call = sound_call(operation, world)
    key_id = world.api.get("/v1/api_keys?limit=100").json()["data"][-1]["id"]
    before = actors(shop)

    call.send(world.api)

    [*_, doer] = actors(shop)[len(before) :]
    assert doer == key_id
