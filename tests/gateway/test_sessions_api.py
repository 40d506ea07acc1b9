"""Sessions under /v1: a trusted backend opens, lists and ends them without a browser."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.gateway import clients, queries
from apps.gateway.models import AgentClient, AgentSession
from apps.gateway.sessions import Tokens
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import PRINCIPAL, ROUTE, make_client, make_session
from tests.together import held_up


def new(client: AgentClient, **changed: Any) -> dict[str, Any]:
    return {
        "agent_client_id": client.id,
        "principal": PRINCIPAL,
        "on_behalf_of": "نورة",
        "allowed_routes": [ROUTE],
        "device_label": "خادم المتجر",
        **changed,
    }


def code_of(answer: Any) -> tuple[int, str, str | None]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["param"]


def test_a_backend_opens_a_session(api: ApiClient, agent_client: AgentClient) -> None:
    answer = api.post("/v1/agent_sessions", new(agent_client))

    tokens = answer.json()
    view = ApiClient(tokens["access_token"]).get("/agent-auth/v1/session").json()
    assert answer.status_code == 201
    assert answer["Location"] == f"/v1/agent_sessions/{tokens['session_id']}"
    assert (tokens["token_type"], tokens["client_app_id"]) == ("Bearer", agent_client.app_id)
    assert (view["session_id"], view["principal"]) == (tokens["session_id"], PRINCIPAL)


def test_a_repeated_request_opens_one_session(api: ApiClient, agent_client: AgentClient) -> None:
    first = api.post("/v1/agent_sessions", new(agent_client), idempotency_key="1").json()

    assert api.post("/v1/agent_sessions", new(agent_client), idempotency_key="1").json() == first
    assert len(api.get("/v1/agent_sessions").json()["data"]) == 1


def test_what_a_principal_leaves_out_has_a_default(api: ApiClient, agent_client: AgentClient) -> None:
    api.post("/v1/agent_sessions", new(agent_client, principal={"id": "u-1", "audience": "customers"}))

    [session] = api.get("/v1/agent_sessions").json()["data"]
    assert session["principal"] == {"id": "u-1", "tenant": None, "roles": [], "audience": "customers"}


def test_a_session_is_shown_without_its_tokens(api: ApiClient, agent_client: AgentClient) -> None:
    tokens = api.post("/v1/agent_sessions", new(agent_client)).json()

    shown = api.get(f"/v1/agent_sessions/{tokens['session_id']}").json()

    assert shown == {
        "id": tokens["session_id"],
        "object": "agent_session",
        "agent_client_id": agent_client.id,
        "client_app_id": agent_client.app_id,
        "device_label": "خادم المتجر",
        "principal": PRINCIPAL,
        "on_behalf_of": "نورة",
        "allowed_routes": [ROUTE],
        "status": "active",
        "revoked_reason": None,
        "created_at": shown["created_at"],
        "expires_at": shown["expires_at"],
        "revoked_at": None,
        "last_used_at": None,
    }


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"allowed_routes": ["other-route"]}, (403, "route_not_allowed", None)),
        ({"allowed_routes": []}, (400, "empty_list", "allowed_routes")),
        ({"allowed_routes": ["auto"]}, (400, "route_reserved", "allowed_routes[0]")),
        ({"agent_client_id": "acl_01k6rz2n5q8t1w4z7c0f3h6k9m"}, (404, "agent_client_not_found", "agent_client_id")),
        ({"agent_client_id": 7}, (400, "not_a_string", "agent_client_id")),
        ({"principal": {"id": ""}}, (400, "blank", "principal.id")),
        ({"principal": {"id": "a", "audience": ""}}, (400, "blank", "principal.audience")),
        ({"principal": {"id": "a"}}, (400, "required", "principal.audience")),
        (
            {"principal": {"id": "a", "audience": "b", "admin": True}},
            (400, "unknown_field", "principal.admin"),
        ),
        ({"principal": None}, (400, "null", "principal")),
        ({"on_behalf_of": "\u202e"}, (400, "control_character", "on_behalf_of")),
        ({"device_label": " "}, (400, "blank", "device_label")),
        ({"expires_at": "2030-01-01T00:00:00Z"}, (400, "unknown_field", "expires_at")),
    ],
)
def test_a_session_that_cannot_be_is_refused(
    api: ApiClient, agent_client: AgentClient, changed: dict[str, Any], expected: tuple[int, str, str | None]
) -> None:
    assert code_of(api.post("/v1/agent_sessions", new(agent_client, **changed))) == expected


def test_a_client_of_another_project_is_none(other_api: ApiClient, agent_client: AgentClient) -> None:
    assert code_of(other_api.post("/v1/agent_sessions", new(agent_client))) == (
        404,
        "agent_client_not_found",
        "agent_client_id",
    )


def test_a_client_that_is_switched_off_gets_no_session(api: ApiClient, agent_client: AgentClient) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"enabled": False})

    assert code_of(api.post("/v1/agent_sessions", new(agent_client)))[:2] == (409, "agent_client_switched_off")


def test_sessions_are_listed_newest_first_and_by_client(api: ApiClient, shop: Tenant) -> None:
    first, second = make_client(shop)[0], make_client(shop)[0]
    made = [make_session(client).session.id for client in (first, second, first)]

    everything = [session["id"] for session in api.get("/v1/agent_sessions").json()["data"]]
    of_first = [
        session["id"] for session in api.get(f"/v1/agent_sessions?agent_client_id={first.id}").json()["data"]
    ]

    assert everything == made[::-1]
    assert of_first == [made[2], made[0]]


def test_a_filter_by_a_client_of_another_project_is_refused(
    other_api: ApiClient, agent_client: AgentClient
) -> None:
    answer = other_api.get(f"/v1/agent_sessions?agent_client_id={agent_client.id}")

    assert code_of(answer) == (404, "agent_client_not_found", "agent_client_id")


def test_a_project_ends_a_session(api: ApiClient, tokens: Tokens, agent: ApiClient) -> None:
    answer = api.post(f"/v1/agent_sessions/{tokens.session.id}/revoke")

    shown = answer.json()
    assert (answer.status_code, shown["status"], shown["revoked_reason"]) == (200, "revoked", "project")
    assert agent.get("/agent-auth/v1/session").status_code == 401


def test_a_session_that_has_ended_stays_as_it_ended(api: ApiClient, tokens: Tokens, agent: ApiClient) -> None:
    agent.post("/agent-auth/v1/revoke")
    path = f"/v1/agent_sessions/{tokens.session.id}"
    ended = api.get(path).json()

    assert api.post(f"{path}/revoke").json() == ended
    assert ended["revoked_reason"] == "agent"


def test_a_session_past_its_end_is_shown_as_expired(api: ApiClient, tokens: Tokens, shop: Tenant) -> None:
    with project_scope(shop.id):
        AgentSession.objects.for_project(shop.id).update(expires_at=timezone.now() - timedelta(seconds=1))

    assert api.get(f"/v1/agent_sessions/{tokens.session.id}").json()["status"] == "expired"


def test_a_session_shows_when_it_was_last_used(api: ApiClient, tokens: Tokens, agent: ApiClient) -> None:
    agent.get("/agent-auth/v1/session")

    assert api.get(f"/v1/agent_sessions/{tokens.session.id}").json()["last_used_at"] is not None


@pytest.mark.parametrize("call", ["", "/revoke"])
def test_a_session_of_another_project_is_none(other_api: ApiClient, tokens: Tokens, call: str) -> None:
    method = "POST" if call else "GET"

    answer = other_api.request(method, f"/v1/agent_sessions/{tokens.session.id}{call}")

    assert code_of(answer)[:2] == (404, "agent_session_not_found")


@pytest.mark.django_db(transaction=True)
def test_no_session_is_opened_with_a_client_that_is_deleted_at_the_same_time(shop: Tenant) -> None:
    client, _ = make_client(shop)
    with project_scope(shop.id):
        clients.delete_client(queries.get_client(shop.id, client.id, lock=True), actor="test")
        answer = held_up(lambda: ApiClient(shop.key).post("/v1/agent_sessions", new(client)))

    assert code_of(answer.result())[:2] == (404, "agent_client_not_found")
