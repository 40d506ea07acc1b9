"""Behind a proxy one caller's bad credentials are that caller's alone, at every door that counts them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.gateway.models import AgentClient
from tests.api_client import ApiClient
from tests.gateway.making import Login

Knock = Callable[[AgentClient, str], Any]


@pytest.fixture(autouse=True)
def one_proxy(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TRUSTED_PROXIES = 1
    monkeypatch.setattr("apps.rest.throttles.MAX_BAD_CREDENTIALS_PER_ADDRESS", 2)
    monkeypatch.setattr("apps.gateway.login_api.MAX_LOGINS_PER_ADDRESS", 2)


def read(path: str) -> Knock:
    return lambda _, forwarded: ApiClient("wrong").get(path, x_forwarded_for=forwarded)


def exchange(client: AgentClient, forwarded: str) -> Any:
    body = {"grant_type": "refresh_token", "client_app_id": client.app_id, "refresh_token": "mwd_refresh_0"}
    return ApiClient(None).post("/agent-auth/v1/token", body, x_forwarded_for=forwarded)


def begin(client: AgentClient, forwarded: str) -> Any:
    return ApiClient(None).post("/agent-auth/v1/authorizations", Login(client).wanted, x_forwarded_for=forwarded)


def speak_mcp(_: AgentClient, forwarded: str) -> Any:
    headers = {"x-forwarded-for": forwarded, "authorization": "Bearer wrong"}
    return Client().post("/mcp", b"{}", content_type="application/json", headers=headers)


DOORS = {
    "a key of the API": read("/v1/project"),
    "an access token": read("/agent-auth/v1/session"),
    "a Client Token": read("/jobs/00000000-0000-4000-8000-000000000000"),
    "a refresh token": exchange,
    "the beginning of a login": begin,
    "MCP": speak_mcp,
}


@pytest.mark.conformance("K-11")
@pytest.mark.parametrize("knock", DOORS.values(), ids=DOORS.keys())
def test_only_the_address_that_the_proxy_saw_is_told_to_wait(agent_client: AgentClient, knock: Knock) -> None:
    invented = ["198.51.100.7", "203.0.113.1, 198.51.100.7", "203.0.113.2, 198.51.100.7"]

    guesses = [knock(agent_client, forwarded).status_code for forwarded in invented]
    neighbour = knock(agent_client, "198.51.100.8").status_code

    assert guesses[2] == 429
    assert 429 not in {*guesses[:2], neighbour}
