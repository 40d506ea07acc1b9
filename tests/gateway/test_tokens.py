"""Tokens of a session: renewed one by one, ended by whoever may, and never good twice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from apps.gateway.models import AgentClient, AgentSession, AgentToken
from apps.gateway.sessions import Tokens
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from apps.rest.times import read_time
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import Login, make_client, make_session, refresh

VIEW = "/agent-auth/v1/session"
REVOKE = "/agent-auth/v1/revoke"


def refusal(answer: Any) -> tuple[int, str]:
    assert set(answer.json()) == {"error", "message"}
    return answer.status_code, answer.json()["error"]


def is_open(access_token: str) -> bool:
    return bool(ApiClient(access_token).get(VIEW).status_code == 200)


def let_pass(tenant: Tenant, **passed: float) -> None:
    """Let the project's sessions and tokens be older than they are."""
    with project_scope(tenant.id):
        for rows in (AgentSession.objects.for_project(tenant.id), AgentToken.objects.for_project(tenant.id)):
            rows.update(expires_at=F("expires_at") - timedelta(**passed))


# --- renewing -----------------------------------------------------------------------------------------------


def test_a_refresh_token_becomes_new_tokens_of_the_same_session(agent_client: AgentClient, tokens: Tokens) -> None:
    answer = refresh(agent_client, tokens.refresh_token)

    renewed = answer.json()
    assert answer.status_code == 200
    assert (renewed["session_id"], renewed["client_app_id"]) == (tokens.session.id, agent_client.app_id)
    assert renewed["access_token"] != tokens.access_token
    assert renewed["refresh_token"] != tokens.refresh_token
    assert is_open(renewed["access_token"])


def test_calls_under_way_with_the_access_token_before_still_succeed(
    agent_client: AgentClient, tokens: Tokens
) -> None:
    refresh(agent_client, tokens.refresh_token)

    assert is_open(tokens.access_token)


def test_a_session_goes_on_from_token_to_token(agent_client: AgentClient, tokens: Tokens) -> None:
    second = refresh(agent_client, tokens.refresh_token).json()

    third = refresh(agent_client, second["refresh_token"]).json()

    assert is_open(third["access_token"])


@pytest.mark.parametrize("again", [0, 1])
def test_a_refresh_token_that_is_used_again_ends_the_session_for_all(
    agent_client: AgentClient, tokens: Tokens, again: int
) -> None:
    second = refresh(agent_client, tokens.refresh_token).json()
    third = refresh(agent_client, second["refresh_token"]).json()
    used = [tokens.refresh_token, second["refresh_token"]][again]

    assert refusal(refresh(agent_client, used)) == (401, "invalid_grant")

    assert [is_open(token) for token in (tokens.access_token, second["access_token"], third["access_token"])] == [
        False,
        False,
        False,
    ]
    assert refusal(refresh(agent_client, third["refresh_token"])) == (401, "invalid_grant")


def test_the_project_sees_why_such_a_session_ended(
    api: ApiClient, agent_client: AgentClient, tokens: Tokens
) -> None:
    refresh(agent_client, tokens.refresh_token)
    refresh(agent_client, tokens.refresh_token)

    shown = api.get(f"/v1/agent_sessions/{tokens.session.id}").json()

    assert (shown["status"], shown["revoked_reason"]) == ("revoked", "token_reused")


def test_a_session_ends_after_its_days_however_often_it_is_renewed(
    shop: Tenant, agent_client: AgentClient, tokens: Tokens
) -> None:
    let_pass(shop, days=29, hours=23, minutes=59)

    renewed = refresh(agent_client, tokens.refresh_token).json()

    assert 0 < renewed["expires_in"] < renewed["refresh_expires_in"] <= 60
    let_pass(shop, minutes=1)
    assert refusal(refresh(agent_client, renewed["refresh_token"])) == (401, "invalid_grant")
    assert not is_open(renewed["access_token"])


def test_an_access_token_ends_after_its_minutes(shop: Tenant, agent_client: AgentClient, tokens: Tokens) -> None:
    let_pass(shop, seconds=900)

    assert not is_open(tokens.access_token)
    assert refresh(agent_client, tokens.refresh_token).status_code == 200


def test_how_long_tokens_last_is_a_setting(settings: Settings, agent_client: AgentClient) -> None:
    settings.AGENT_ACCESS_TOKEN_SECONDS = 60
    settings.AGENT_SESSION_DAYS = 1

    tokens = make_session(agent_client)

    assert (tokens.expires_in, tokens.refresh_expires_in) == (60, 86_400)


def test_the_access_token_ends_before_the_session_does(settings: Settings, agent_client: AgentClient) -> None:
    settings.AGENT_ACCESS_TOKEN_SECONDS = 86_400
    settings.AGENT_SESSION_DAYS = 1

    view = ApiClient(make_session(agent_client).access_token).get(VIEW).json()

    assert timezone.now() < _moment(view["expires_at"]) < _moment(view["refresh_expires_at"])


def _moment(text: str) -> datetime:
    moment = read_time(text)
    assert moment is not None
    return moment


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"refresh_token": "mwd_refresh_0"}, (401, "invalid_grant")),
        ({"refresh_token": "مفتاح"}, (401, "invalid_grant")),
        ({"refresh_token": ""}, (400, "invalid_request")),
        ({"refresh_token": "a" * 8_193}, (400, "invalid_request")),
        ({"refresh_token": 7}, (400, "invalid_request")),
        ({"client_app_id": "nobody"}, (400, "invalid_client")),
        ({"code": "mwd_code_0"}, (400, "invalid_request")),
        ({"grant_type": "Refresh_Token"}, (400, "invalid_request")),
    ],
)
def test_what_renews_nothing_ends_nothing(
    agent_client: AgentClient, tokens: Tokens, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert refusal(refresh(agent_client, tokens.refresh_token, **changed)) == expected
    assert refresh(agent_client, tokens.refresh_token).status_code == 200


def test_a_refresh_token_is_no_use_to_another_client(
    shop: Tenant, agent_client: AgentClient, tokens: Tokens
) -> None:
    other, _ = make_client(shop)

    assert refusal(refresh(other, tokens.refresh_token)) == (401, "invalid_grant")
    assert refresh(agent_client, tokens.refresh_token).status_code == 200


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_a_token_is_no_use_in_the_place_of_the_other(agent_client: AgentClient, tokens: Tokens, kind: str) -> None:
    wrong = {"access_token": tokens.refresh_token, "refresh_token": tokens.access_token}[kind]

    answers = {
        "access_token": ApiClient(wrong).get(VIEW).status_code,
        "refresh_token": refresh(agent_client, wrong).status_code,
    }

    assert answers[kind] == 401


def test_sessions_of_a_client_that_is_switched_off_rest(
    api: ApiClient, agent_client: AgentClient, tokens: Tokens
) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"enabled": False})

    assert refusal(refresh(agent_client, tokens.refresh_token)) == (401, "invalid_grant")
    assert not is_open(tokens.access_token)
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"enabled": True})
    assert is_open(tokens.access_token)


@pytest.mark.conformance("K-1")
def test_no_token_lies_in_the_database(shop: Tenant, agent_client: AgentClient, tokens: Tokens) -> None:
    with project_scope(shop.id):
        kept = repr([vars(token) for token in AgentToken.objects.for_project(shop.id)])

    assert [text for text in (tokens.access_token, tokens.refresh_token) if text in kept] == []
    assert tokens.access_token.split("_")[2] in kept


# --- at once ------------------------------------------------------------------------------------------------


def at_once(call: Any, times: int = 8) -> list[Any]:
    def one(_: int) -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(one, range(times)))


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_a_refresh_token_at_once_one_gets_tokens_and_the_session_ends(shop: Tenant) -> None:
    client, _ = make_client(shop)
    tokens = make_session(client)

    answers = at_once(lambda: refresh(client, tokens.refresh_token))

    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7
    [renewed] = [answer.json() for answer in answers if answer.status_code == 200]
    assert not is_open(renewed["access_token"])


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_a_code_at_once_one_gets_tokens_and_the_session_ends(shop: Tenant) -> None:
    client, token = make_client(shop)
    login = Login(client)
    code = login.approved(ApiClient(token))

    answers = at_once(lambda: login.exchange(code))

    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    [opened] = [answer.json() for answer in answers if answer.status_code == 200]
    assert not is_open(opened["access_token"])


@pytest.mark.django_db(transaction=True)
def test_of_many_who_decide_at_once_one_does(shop: Tenant) -> None:
    client, token = make_client(shop)
    path = f"/agent-auth/v1/authorizations/{Login(client).asked()}/deny"

    answers = at_once(lambda: ApiClient(token).post(path))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7


# --- ending -------------------------------------------------------------------------------------------------


def test_an_agent_ends_its_session_by_its_access_token(
    agent_client: AgentClient, tokens: Tokens, agent: ApiClient
) -> None:
    answer = agent.post(REVOKE)

    assert (answer.status_code, answer.json()) == (200, {"revoked": True})
    assert not is_open(tokens.access_token)
    assert refusal(refresh(agent_client, tokens.refresh_token)) == (401, "invalid_grant")


def test_an_agent_ends_its_session_by_its_refresh_token_alone(agent_client: AgentClient, tokens: Tokens) -> None:
    body = {"client_app_id": agent_client.app_id, "refresh_token": tokens.refresh_token}

    answers = [ApiClient(None).post(REVOKE, body) for _ in range(2)]

    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, {"revoked": True})] * 2
    assert not is_open(tokens.access_token)


def test_a_used_refresh_token_still_ends_its_session(agent_client: AgentClient, tokens: Tokens) -> None:
    renewed = refresh(agent_client, tokens.refresh_token).json()

    ApiClient(None).post(REVOKE, {"client_app_id": agent_client.app_id, "refresh_token": tokens.refresh_token})

    assert not is_open(renewed["access_token"])


def test_a_refresh_token_that_nobody_has_ends_nothing(agent_client: AgentClient, tokens: Tokens) -> None:
    answer = ApiClient(None).post(
        REVOKE, {"client_app_id": agent_client.app_id, "refresh_token": "mwd_refresh_unknown"}
    )

    assert (answer.status_code, answer.json()) == (200, {"revoked": False})
    assert is_open(tokens.access_token)


def test_another_client_ends_nothing(shop: Tenant, tokens: Tokens) -> None:
    other, _ = make_client(shop)

    answer = ApiClient(None).post(REVOKE, {"client_app_id": other.app_id, "refresh_token": tokens.refresh_token})

    assert answer.json() == {"revoked": False}
    assert is_open(tokens.access_token)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (None, (401, "unauthorized")),
        ({}, (401, "unauthorized")),
        ({"refresh_token": "mwd_refresh_0"}, (400, "invalid_request")),
        ({"client_app_id": "nobody"}, (400, "invalid_request")),
        ({"client_app_id": "nobody", "refresh_token": "mwd_refresh_0"}, (400, "invalid_client")),
        ({"token": "mwd_refresh_0"}, (400, "invalid_request")),
    ],
)
def test_nobody_ends_a_session_without_either(
    agent_client: AgentClient, body: Any, expected: tuple[int, str]
) -> None:
    assert refusal(ApiClient(None).post(REVOKE, body)) == expected


def test_a_backend_ends_a_session_of_its_client(backend: ApiClient, tokens: Tokens) -> None:
    path = f"/agent-auth/v1/sessions/{tokens.session.id}/revoke"

    answers = [backend.post(path), backend.post(path, {})]

    assert [answer.json() for answer in answers] == [{"revoked": True, "session_id": tokens.session.id}] * 2
    assert not is_open(tokens.access_token)


def test_a_backend_ends_no_session_of_another_client(shop: Tenant, tokens: Tokens) -> None:
    other = ApiClient(make_client(shop)[1])

    answer = other.post(f"/agent-auth/v1/sessions/{tokens.session.id}/revoke")

    assert refusal(answer) == (404, "agent_session_not_found")
    assert is_open(tokens.access_token)


def test_a_session_whose_routes_are_all_gone_says_so(
    api: ApiClient, agent_client: AgentClient, agent: ApiClient
) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"allowed_routes": []})

    assert refusal(agent.get(VIEW)) == (403, "route_not_allowed")


# --- what is on record --------------------------------------------------------------------------------------


def test_every_event_of_a_session_is_on_record(
    shop: Tenant, agent_client: AgentClient, backend: ApiClient, tokens: Tokens
) -> None:
    refresh(agent_client, tokens.refresh_token)
    backend.post(f"/agent-auth/v1/sessions/{tokens.session.id}/revoke")

    with project_scope(shop.id):
        entries = AuditEntry.objects.for_project(shop.id).filter(target=tokens.session.id).order_by("id")
        deeds = list(entries.values_list("action", "actor"))
        told = repr([entry.details for entry in entries])
    assert deeds == [
        ("agent_session.opened", "operator"),
        ("agent_session.refreshed", tokens.session.id),
        ("agent_session.revoked", agent_client.id),
    ]
    assert "mwd_" not in told


def test_a_session_is_noted_as_used_once_a_minute(shop: Tenant, tokens: Tokens, agent: ApiClient) -> None:
    agent.get(VIEW)
    with project_scope(shop.id):
        first = AgentSession.objects.for_project(shop.id).get().last_used_at

    agent.get(VIEW)

    with project_scope(shop.id):
        assert AgentSession.objects.for_project(shop.id).get().last_used_at == first
