"""What a workspace says of its knowledge before anything is asked of it."""

import re
from typing import Any

import pytest

from apps.agents.models import Agent
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, change, told


@pytest.fixture
def said(talk: Talk, create: Create, attach: Attach) -> dict[str, Any]:
    attach(create())
    return told(talk.capabilities())


@pytest.mark.conformance("BH-009", "BH-030")
def test_the_exact_address_answers_without_a_redirect(talk: Talk) -> None:
    assert talk.capabilities().status_code == 200


@pytest.mark.conformance("BH-009")
def test_the_address_with_a_slash_is_no_address_and_redirects_nowhere(talk: Talk) -> None:
    answer = talk.get("knowledge/capabilities/")

    assert answer.status_code == 404
    assert "Location" not in answer


@pytest.mark.conformance("BH-010", "BH-011", "SDK-002")
def test_schema_and_protocol_are_named(said: dict[str, Any]) -> None:
    assert said["schema"] == said["schema_version"] == "bailing.agent-knowledge-capabilities.v1"
    assert said["protocol"] == "bailing.agent-knowledge.v1"


@pytest.mark.conformance("BH-012", "BH-007")
def test_support_route_switch_and_scope_are_told(said: dict[str, Any]) -> None:
    assert said["supported"] is True
    assert said["route"] == "order-assistant"
    assert said["enabled"] is True
    assert re.fullmatch("[0-9a-f]{64}", said["knowledge_scope_revision"])


@pytest.mark.conformance("BH-013", "SDK-002")
def test_both_ways_of_delivery_are_offered_in_their_order(said: dict[str, Any]) -> None:
    assert said["delivery_modes"] == ["inline", "on_demand"]


@pytest.mark.conformance("BH-014", "BH-015", "BH-016", "BH-017", "BH-018", "BH-019", "SDK-002")
def test_the_limits_are_those_of_the_protocol(said: dict[str, Any]) -> None:
    assert said["limits"] == {
        "search_max_results": 3,
        "search_max_bytes": 4096,
        "read_default_bytes": 16384,
        "read_max_bytes": 32768,
        "reference_ttl_seconds": 300,
        "read_chain_max_bytes": 131072,
    }


@pytest.mark.conformance("BH-020", "SDK-003")
def test_knowledge_that_is_off_is_supported_and_not_enabled(talk: Talk, workspace: Agent) -> None:
    change(workspace, knowledge={"enabled": False})

    said = told(talk.capabilities())

    assert (said["supported"], said["enabled"]) == (True, False)


@pytest.mark.conformance("BH-012")
def test_nothing_secret_and_no_id_is_told(said: dict[str, Any]) -> None:
    assert set(said) == {
        "schema",
        "schema_version",
        "protocol",
        "supported",
        "route",
        "enabled",
        "knowledge_scope_revision",
        "delivery_modes",
        "limits",
    }
