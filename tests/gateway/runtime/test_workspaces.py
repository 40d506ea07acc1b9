"""What agents learn of their workspaces before they ask anything."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE, make_client, make_session, make_workspace
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, change, refusal, told

WORKSPACES = "/agent-api/v1/workspaces"


def routes_of(agent: ApiClient) -> list[str]:
    return [one["route"] for one in told(agent.get(WORKSPACES))["workspaces"]]


def test_the_workspaces_of_a_session_are_listed_by_route(shop: Tenant) -> None:
    for_all = ["order-assistant", "returns-assistant", "of-the-client-alone"]
    made = [make_workspace(shop, route) for route in [*for_all, "of-nobody"]]
    client, _ = make_client(shop, for_all)
    session = make_session(client, for_all[:2])

    listed = told(ApiClient(session.access_token).get(WORKSPACES))

    assert listed["schema"] == listed["schema_version"] == "bailing.agent-workspaces.v1"
    assert listed["workspaces"] == [
        {"route": "order-assistant", "name": made[0].name, "description": ""},
        {"route": "returns-assistant", "name": made[1].name, "description": ""},
    ]


@pytest.mark.conformance("BH-005")
@pytest.mark.parametrize("switch", [{"enabled": False}, {"audiences": ["customers"]}])
def test_a_workspace_that_is_not_open_is_not_listed(agent: ApiClient, workspace: Agent, switch: Any) -> None:
    assert routes_of(agent) == [ROUTE]

    change(workspace, agent_client=switch)

    assert routes_of(agent) == []


def test_an_unpublished_agent_is_no_workspace(agent: ApiClient, api: ApiClient) -> None:
    api.post("/v1/agents", {"name": "مساعد الطلبات", "route": ROUTE})

    assert routes_of(agent) == []


def test_a_name_of_emoji_is_cut_to_what_agents_take(agent: ApiClient, workspace: Agent) -> None:
    change(workspace, name="😀" * 200)

    [listed] = told(agent.get(WORKSPACES))["workspaces"]

    assert listed["name"] == "😀" * 128


@pytest.mark.parametrize("what", [WORKSPACES, f"{WORKSPACES}/{ROUTE}/bootstrap"])
def test_what_has_not_changed_is_answered_with_304(agent: ApiClient, workspace: Agent, what: str) -> None:
    etag = agent.get(what)["ETag"]

    again = agent.get(what, if_none_match=etag)

    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == "no-store"
    assert not etag.startswith("W/")


def test_a_bootstrap_says_what_the_agent_is_told(talk: Talk, create: Create, attach: Attach) -> None:
    always = create("الشحن مجاني فوق 200 ريال", name="الشحن")
    attach(create(), always=[always], instructions="أجب بلطف.", agent_client={"instructions": "اختصر."})

    said = told(talk.get("bootstrap"))

    profile = said["profile"]
    assert said["schema"] == said["schema_version"] == "bailing.agent-runtime-profile.v1"
    assert said["workspace"]["route"] == ROUTE
    assert profile["instructions"].startswith("أجب بلطف.\n\nاختصر.\n\n# Context Information")
    assert profile["instructions"].endswith("الشحن مجاني فوق 200 ريال")
    assert profile["knowledge"]["sources"] == 1
    assert profile["memory"]["recent_messages"] == 0
    assert said["capabilities"]["authorized_total"] == 0
    assert re.fullmatch("[0-9a-f]{64}", profile["revision"])
    assert re.fullmatch("[0-9a-f]{64}", said["capabilities"]["revision"])


@pytest.mark.conformance("BH-003")
def test_governance_says_that_knowledge_is_for_reference(talk: Talk) -> None:
    governance = told(talk.get("bootstrap"))["profile"]["governance"]

    assert governance["knowledge_trust"] == "reference_only"
    assert governance["tool_results_trust"] == "untrusted_data"
    assert governance["hidden_reasoning_sync"] is False


def test_the_revision_of_a_profile_moves_with_what_an_always_source_says(
    talk: Talk, api: ApiClient, create: Create, attach: Attach
) -> None:
    always = create()
    attach(always=[always])
    before = told(talk.get("bootstrap"))["profile"]["revision"]

    api.patch(f"/v1/knowledge_sources/{always['id']}", {"content": "صندوق بخور — 99 ريال"})

    assert told(talk.get("bootstrap"))["profile"]["revision"] != before
    assert talk.started()["profile_revision"] != before


@pytest.fixture
def outgrow(api: ApiClient, create: Create, attach: Attach) -> Callable[[int], None]:
    """Let an always-source grow to so many characters after it was published."""

    def grow(size: int) -> None:
        always = create()
        attach(always=[always])
        lines = f"{'x' * 1_999}\n" * (size // 2_000)
        assert api.patch(f"/v1/knowledge_sources/{always['id']}", {"content": lines}).status_code == 200

    return grow


@pytest.mark.parametrize("size", [110_000, 2_300_000])
def test_always_text_that_outgrew_what_agents_take_is_an_outage(
    size: int, talk: Talk, outgrow: Callable[[int], None]
) -> None:
    outgrow(size)

    assert refusal(talk.get("bootstrap")) == (503, "agent_runtime_unavailable")
    assert refusal(talk.start()) == (503, "agent_runtime_unavailable")


def test_instructions_of_exactly_what_agents_take_are_served(talk: Talk, workspace: Agent) -> None:
    change(workspace, instructions="😀" * 10_000, agent_client={"instructions": ""})

    assert len(told(talk.get("bootstrap"))["profile"]["instructions"]) == 10_000


def test_no_setting_of_the_project_shows(talk: Talk, workspace: Agent, agent_client: AgentClient) -> None:
    said = talk.get("bootstrap").content.decode()

    with project_scope(workspace.project_id):
        inside = [workspace.project_id, workspace.id, agent_client.id]
    assert [one for one in inside if one in said] == []


def test_system_information_is_not_supported(talk: Talk) -> None:
    assert refusal(talk.get("system-info")) == (404, "system_info_unsupported")
