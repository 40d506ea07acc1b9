"""Asking whether a server knows the protocol: only an old server says no, everything else that is odd raises."""

from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError
from tests.clients.conftest import shared_by_both
from tests.fakes.hub import ROUTE, SCOPE_REVISION, Hub, Says

PATH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/capabilities"


@pytest.mark.conformance("SDK-002", "SDK-032")
def test_a_server_with_the_protocol_is_supported(client: AgentClient) -> None:
    capabilities = client.get_knowledge_capabilities()

    assert capabilities.supported
    assert capabilities.enabled
    assert capabilities.route == ROUTE
    assert capabilities.knowledge_scope_revision == SCOPE_REVISION
    assert capabilities.delivery_modes == ("inline", "on_demand")
    assert capabilities.limits["read_max_bytes"] == 32_768


def test_an_answer_reads_as_attributes_and_as_the_wire(client: AgentClient) -> None:
    capabilities = client.get_knowledge_capabilities()

    assert capabilities["delivery_modes"] == ["inline", "on_demand"]
    assert "limits" in capabilities
    assert dict(capabilities) == capabilities.wire


@pytest.mark.conformance("SDK-003")
def test_knowledge_switched_off_is_still_supported(hub: Hub, client: AgentClient) -> None:
    hub.knowledge_is_on = False
    capabilities = client.get_knowledge_capabilities()

    assert (capabilities.supported, capabilities.enabled) == (True, False)


@pytest.mark.conformance("SDK-004")
@pytest.mark.parametrize("status", [404, 405, 501])
def test_an_old_server_does_not_support_it(hub: Hub, client: AgentClient, status: int) -> None:
    hub.says["GET", PATH] = Says({"error": "not_found"}, status)
    capabilities = client.get_knowledge_capabilities()

    assert (capabilities.supported, capabilities.enabled) == (False, False)
    assert capabilities.delivery_modes == ("inline",)


@shared_by_both
@pytest.mark.conformance("SDK-004", "SDK-005")
@pytest.mark.parametrize("status", [400, 401, 403, 409, 410, 418, 429, 500, 502, 503, 504])
def test_no_other_status_counts_as_old(hub: Hub, client: AgentClient, status: int) -> None:
    hub.says["GET", PATH] = Says({"error": "whatever"}, status)

    with pytest.raises(AgentError) as refused:
        client.get_knowledge_capabilities()
    assert refused.value.status == status


def without(name: str) -> Any:
    return lambda body: {key: value for key, value in body.items() if key != name}


def having(**changes: Any) -> Any:
    return lambda body: {**body, **changes}


def with_limit(name: str, value: Any) -> Any:
    return lambda body: {**body, "limits": {**body["limits"], name: value}}


@shared_by_both
@pytest.mark.conformance("SDK-005", "SDK-009")
@pytest.mark.parametrize(
    "amendment",
    [
        having(
            schema="bailing.agent-knowledge-capabilities.v2",
            schema_version="bailing.agent-knowledge-capabilities.v2",
        ),
        having(schema_version="bailing.agent-knowledge-capabilities.v2"),
        lambda body: {key: value for key, value in body.items() if not key.startswith("schema")},
        having(protocol="bailing.agent-knowledge.v2"),
        without("protocol"),
        having(route="support"),
        without("route"),
        having(supported=False),
        having(supported="true"),
        without("supported"),
        having(enabled=1),
        without("enabled"),
        having(knowledge_scope_revision="5" * 63),
        having(knowledge_scope_revision="A" * 64),
        without("knowledge_scope_revision"),
        having(delivery_modes=["on_demand", "inline"]),
        having(delivery_modes=["inline"]),
        having(delivery_modes=["inline", "on_demand", "push"]),
        having(delivery_modes="inline"),
        without("delivery_modes"),
        having(limits=None),
        without("limits"),
        with_limit("search_max_results", 4),
        with_limit("search_max_bytes", 8192),
        with_limit("read_default_bytes", "16384"),
        with_limit("read_max_bytes", 65536),
        with_limit("reference_ttl_seconds", 300.5),
        with_limit("read_chain_max_bytes", None),
        lambda _: [],
        lambda _: None,
        lambda _: "supported",
    ],
)
def test_capabilities_that_are_not_as_published_raise(hub: Hub, client: AgentClient, amendment: Any) -> None:
    hub.amend["GET", PATH] = amendment

    with pytest.raises(AgentError) as refused:
        client.get_knowledge_capabilities()
    assert (refused.value.code, refused.value.status) == ("agent_response_invalid", 502)
    assert not refused.value.retryable


@pytest.mark.parametrize("one", ["schema", "schema_version"])
def test_one_of_the_two_schema_members_is_enough(hub: Hub, client: AgentClient, one: str) -> None:
    hub.amend["GET", PATH] = without(one)

    assert client.get_knowledge_capabilities().supported


@shared_by_both
@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"{", b'{"a":NaN}', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "html", "cut", "nan", "bytes", "deep"],
)
def test_an_answer_that_is_no_json_raises(hub: Hub, client: AgentClient, body: bytes) -> None:
    hub.says["GET", PATH] = Says(body)

    with pytest.raises(AgentError, match="agent_response_invalid"):
        client.get_knowledge_capabilities()


def test_more_members_than_published_do_no_harm(hub: Hub, client: AgentClient) -> None:
    hub.amend["GET", PATH] = having(region="riyadh")

    assert client.get_knowledge_capabilities()["region"] == "riyadh"
