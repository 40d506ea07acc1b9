"""Who may call what: every address of the runtime against every way of not being allowed in."""

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from apps.agents.errors import AGENT_VERSION_NOT_FOUND
from apps.agents.models import Agent
from apps.gateway import routes
from apps.gateway.models import AgentClient
from apps.gateway.runtime import reading, workspaces
from apps.gateway.sessions import Tokens
from apps.kernel.errors import AppError
from apps.knowledge import lookup
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE, make_client, make_session, make_workspace
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, refusal

RUN: Final = str(uuid4())
TURN: Final = {
    "client_conversation_id": "c",
    "client_turn_id": "t",
    "user_message_id": "m",
    "user_input": "بكم البخور؟",
}
COMPLETION: Final = {"assistant_message_id": "a", "status": "completed", "content": "x"}

# Method, what follows the workspace's path, and a good body.
IN_A_WORKSPACE: Final[dict[str, tuple[str, str, Any]]] = {
    "bootstrap": ("GET", "bootstrap", None),
    "system info": ("GET", "system-info", None),
    "turns": ("POST", "turns", TURN),
    "capability search": ("POST", "capabilities/search", {"query": "x", "limit": 12}),
    "knowledge capabilities": ("GET", "knowledge/capabilities", None),
    "knowledge search": ("POST", "knowledge/search", {"query": "x"}),
    "knowledge read": ("POST", "knowledge/read", {"ref": "x"}),
}
ELSEWHERE: Final[dict[str, tuple[str, str, Any]]] = {
    "workspaces": ("GET", "/agent-api/v1/workspaces", None),
    "complete": ("POST", f"/agent-api/v1/runs/{RUN}/complete", COMPLETION),
    "invocations": ("POST", "/agent-api/v1/tool-invocations", {"tool": "x"}),
    "resume": ("POST", f"/agent-api/v1/tool-invocations/{'a' * 64}/resume", None),
    "receipt": ("GET", f"/agent-api/v1/tool-invocations/{'a' * 64}/receipt", None),
    "audits": ("POST", "/agent-api/v1/conversation-audits", {"members": []}),
    "audit capabilities": ("GET", "/agent-api/v1/conversation-audits/capabilities", None),
}
EVERYWHERE: Final = {
    **{
        name: (method, f"/agent-api/v1/workspaces/{ROUTE}/{what}", body)
        for name, (method, what, body) in IN_A_WORKSPACE.items()
    },
    **ELSEWHERE,
}
KNOWLEDGE: Final = [name for name in IN_A_WORKSPACE if name.startswith("knowledge")]


def call(client: ApiClient, name: str, route: str = ROUTE) -> Any:
    method, path, body = EVERYWHERE[name]
    return client.request(method, path.replace(f"/{ROUTE}/", f"/{route}/"), body)


everywhere: Callable[[Any], Any] = pytest.mark.parametrize("name", EVERYWHERE)
in_a_workspace: Callable[[Any], Any] = pytest.mark.parametrize("name", IN_A_WORKSPACE)


@pytest.mark.conformance("BH-001", "BH-004", "SDK-001")
@everywhere
@pytest.mark.parametrize("credential", ["none", "a project's key", "a Client Token", "a made-up token"])
def test_nothing_but_an_agents_token_lets_in(
    name: str, credential: str, shop: Tenant, client_and_token: tuple[AgentClient, str], workspace: Agent
) -> None:
    tokens = {"none": None, "a project's key": shop.key, "a Client Token": client_and_token[1]}

    answer = call(ApiClient(tokens.get(credential, "mwd_access_0000")), name)

    assert refusal(answer) == (401, "unauthorized")
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.conformance("BH-005", "BH-030", "BH-031")
@in_a_workspace
@pytest.mark.parametrize("route", ["no-such-route", "of-nobody", "auto"])
def test_a_foreign_route_is_forbidden_and_never_not_found(
    name: str, route: str, agent: ApiClient, workspace: Agent, shop: Tenant
) -> None:
    make_workspace(shop, "of-nobody")

    assert refusal(call(agent, name, route)) == (403, "route_not_allowed")


@in_a_workspace
@pytest.mark.parametrize(
    "route", ["A", "x", "ORDER-ASSISTANT", "a" * 65, "%00%00", "a.b", "a/b", "a%2Fb", "مسار", "a" * 5_000]
)
def test_a_malformed_route_is_told_as_such(name: str, route: str, agent: ApiClient) -> None:
    assert refusal(call(agent, name, route)) == (400, "invalid_route")


@pytest.mark.conformance("BH-030")
@in_a_workspace
def test_an_agent_that_is_deleted_while_it_is_entered_is_never_not_found(
    name: str, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise AppError(AGENT_VERSION_NOT_FOUND, param="version")

    monkeypatch.setattr(workspaces, "read_edition", gone)

    assert refusal(call(talk.agent, name)) == (403, "route_not_allowed")


@pytest.mark.conformance("BH-005", "BH-030")
@in_a_workspace
def test_a_route_that_the_session_was_not_given_is_forbidden(name: str, shop: Tenant, workspace: Agent) -> None:
    make_workspace(shop, "returns-assistant")
    client, _ = make_client(shop, [ROUTE, "returns-assistant"])
    session = make_session(client, [ROUTE])

    assert refusal(call(ApiClient(session.access_token), name, "returns-assistant")) == (403, "route_not_allowed")


@pytest.mark.conformance("BH-005")
@in_a_workspace
def test_a_route_that_is_taken_from_the_client_is_taken_from_its_sessions(
    name: str, talk: Talk, agent_client: AgentClient, api: ApiClient
) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"allowed_routes": []})

    assert refusal(call(talk.agent, name)) == (403, "route_not_allowed")


@pytest.mark.conformance("BH-005")
@in_a_workspace
def test_an_agent_that_is_switched_off_for_clients_is_told_as_such(name: str, talk: Talk, workspace: Agent) -> None:
    with project_scope(workspace.project_id):
        Agent.objects.for_project(workspace.project_id).update(client_enabled=False)

    assert refusal(call(talk.agent, name)) == (403, "agent_client_disabled")


@pytest.mark.conformance("BH-005")
@in_a_workspace
def test_another_audience_is_turned_away(name: str, agent_client: AgentClient, workspace: Agent) -> None:
    session = make_session(agent_client, audience="customers")

    assert refusal(call(ApiClient(session.access_token), name)) == (403, "audience_not_allowed")


@pytest.mark.conformance("BH-005")
@everywhere
def test_a_client_that_is_switched_off_is_out_at_once(
    name: str, talk: Talk, agent_client: AgentClient, api: ApiClient
) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"enabled": False})

    assert refusal(call(talk.agent, name)) == (401, "unauthorized")


@pytest.mark.conformance("BH-005", "BH-078")
@everywhere
def test_a_session_that_was_revoked_is_out_at_once(name: str, talk: Talk, api: ApiClient) -> None:
    session_id = api.get("/v1/agent_sessions").json()["data"][0]["id"]
    api.post(f"/v1/agent_sessions/{session_id}/revoke")

    assert refusal(call(talk.agent, name)) == (401, "unauthorized")


@pytest.mark.conformance("BH-006")
@everywhere
@pytest.mark.parametrize("is_let_in", [True, False])
def test_every_answer_is_not_to_be_stored(name: str, is_let_in: bool, talk: Talk) -> None:
    assert call(talk.agent if is_let_in else ApiClient(None), name)["Cache-Control"] == "no-store"


@pytest.mark.conformance("BH-088")
@everywhere
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_another_method_is_refused(name: str, method: str, talk: Talk) -> None:
    answer = talk.agent.request(method, EVERYWHERE[name][1])

    assert refusal(answer) == (405, "method_not_allowed")
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.conformance("BH-088")
@pytest.mark.parametrize("name", [name for name, (method, _, _) in EVERYWHERE.items() if method == "POST"])
@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'"x"', b"\xff", b"[" * 10_000, b'{"a": NaN}', b'{"query": "\\ud800"}']
)
def test_what_is_no_json_object_is_refused(name: str, body: bytes, talk: Talk) -> None:
    assert refusal(talk.agent.post(EVERYWHERE[name][1], body)) == (400, "invalid_request")


@pytest.mark.conformance("BH-088")
def test_another_media_type_is_refused(talk: Talk) -> None:
    answer = talk.agent.request("POST", f"{talk.path}/knowledge/search", b"query=x", content_type="text/plain")

    assert refusal(answer) == (400, "invalid_request")


@pytest.mark.conformance("BH-088")
def test_a_get_with_the_media_type_of_json_and_no_body_is_fine(talk: Talk, tokens: Tokens) -> None:
    headers = {"authorization": f"Bearer {tokens.access_token}"}

    answer = Client().get(f"{talk.path}/knowledge/capabilities", headers=headers, CONTENT_TYPE="application/json")

    assert answer.status_code == 200


@pytest.mark.conformance("BH-008", "BH-086", "SDK-014")
@pytest.mark.parametrize(
    "field", ["kb_id", "document_id", "source_ids", "source_id", "runId", "maxBytes", "route", "session_id"]
)
@pytest.mark.parametrize("name", ["turns", "knowledge search", "knowledge read"])
def test_no_field_names_what_is_to_be_searched_or_by_whom(name: str, field: str, talk: Talk) -> None:
    method, path, body = EVERYWHERE[name]

    answer = talk.agent.request(method, path, {**body, field: "ks_01k6rz2n5q8t1w4z7c0f3h6k9m"})

    assert refusal(answer) == (400, "invalid_request")
    assert "ks_01k6" not in answer.content.decode()


@pytest.mark.conformance("I-5", "I-7", "BH-037", "BH-074")
def test_nothing_of_another_project_can_be_named(
    talk: Talk, create: Create, attach: Attach, other_shop: Tenant
) -> None:
    make_workspace(other_shop)
    client, _ = make_client(other_shop)
    stranger = Talk(ApiClient(make_session(client).access_token), ROUTE)
    attach(create())
    run_id, ref = talk.started()["run_id"], talk.hint()["ref"]

    assert refusal(stranger.read(ref)) == (400, "knowledge_reference_invalid")
    assert refusal(stranger.search(run_id=run_id)) == (404, "run_not_found")
    assert refusal(stranger.complete(run_id)) == (404, "run_not_found")
    assert stranger.searched()["hints"] == []


# --- outages ------------------------------------------------------------------------------------------------


def broken(*_: Any, **__: Any) -> Any:
    raise OperationalError("could not connect to server at 10.0.0.7: password authentication failed")


@pytest.mark.conformance("BH-083", "BH-052", "BH-031", "BH-086")
@pytest.mark.parametrize("name", KNOWLEDGE)
def test_an_outage_of_the_database_is_told_as_knowledge_that_is_unavailable(
    name: str, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "find_workspace", broken)

    answer = call(talk.agent, name)

    assert refusal(answer) == (503, "knowledge_unavailable")
    assert "10.0.0.7" not in answer.content.decode()
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.conformance("BH-031")
@pytest.mark.parametrize("name", ["bootstrap", "turns", "capability search"])
def test_an_outage_elsewhere_is_told_as_one_of_the_runtime(
    name: str, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "read_edition", broken)

    assert refusal(call(talk.agent, name)) == (503, "agent_runtime_unavailable")


@pytest.mark.conformance("BH-083")
def test_an_outage_while_searching_is_told_as_one(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    monkeypatch.setattr(lookup, "search", broken)

    assert refusal(talk.search()) == (503, "knowledge_unavailable")


@pytest.mark.conformance("BH-083")
def test_an_outage_while_reading_is_told_as_one(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    ref = talk.hint()["ref"]
    monkeypatch.setattr(reading, "read_body", broken)

    assert refusal(talk.read(ref)) == (503, "knowledge_unavailable")


@pytest.mark.conformance("BH-002")
def test_searching_under_v1_is_the_same_before_and_after_a_turn(
    api: ApiClient, talk: Talk, create: Create, attach: Attach
) -> None:
    attach(create())
    before = api.post("/v1/knowledge/search", {"query": "صندوق بخور"}).json()

    talk.page(talk.hint()["ref"])
    talk.on_demand()

    assert api.post("/v1/knowledge/search", {"query": "صندوق بخور"}).json() == before
