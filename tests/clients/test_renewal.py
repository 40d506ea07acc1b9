"""A login that has ended is renewed once, by one at a time, and only ever as the same session."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, AsyncAgentClient, MemoryTokenStore
from tests.fakes.hub import ROUTE, Hub, Says, Session

TOKEN = "/agent-auth/v1/token"
SEARCH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/search"


@pytest.fixture
def ended(session: Session, store: MemoryTokenStore) -> Session:
    """The stored access token has ended; the refresh token is good."""
    session.access_token = "access-that-nobody-has"
    return session


def test_an_ended_token_is_renewed_and_the_call_made_again(
    hub: Hub, ended: Session, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    assert stored_client.search_knowledge(query="x").status == "ok"
    assert hub.paths() == [f"POST {SEARCH}", f"POST {TOKEN}", f"POST {SEARCH}"]
    login = store.load("default")
    assert login is not None
    assert (login.access_token, login.refresh_token) == (ended.access_token, ended.refresh_token)


def test_the_next_call_uses_the_new_token(hub: Hub, ended: Session, stored_client: AgentClient) -> None:
    stored_client.search_knowledge(query="x")
    stored_client.search_knowledge(query="x")

    assert hub.paths().count(f"POST {TOKEN}") == 1


def test_a_call_is_made_again_only_once(hub: Hub, ended: Session, stored_client: AgentClient) -> None:
    hub.says["POST", SEARCH] = Says({"error": "unauthorized"}, 401)

    with pytest.raises(AgentError) as refused:
        stored_client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.status) == ("unauthorized", 401)
    assert hub.paths() == [f"POST {SEARCH}", f"POST {TOKEN}", f"POST {SEARCH}"]


def test_a_bare_token_is_not_renewed(hub: Hub, session: Session, client: AgentClient) -> None:
    session.access_token = "access-that-nobody-has"

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="x")
    assert (refused.value.status, refused.value.next_action) == (401, "log_in")
    assert hub.paths() == [f"POST {SEARCH}"]


def test_a_session_that_is_over_removes_the_login(
    hub: Hub, session: Session, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    session.is_over = True

    with pytest.raises(AgentError) as refused:
        stored_client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.next_action) == ("agent_login_expired", "log_in")
    assert store.load("default") is None


@pytest.mark.parametrize("status", [400, 403, 404, 409, 429, 500, 503])
def test_any_other_failure_keeps_the_login(
    hub: Hub, ended: Session, store: MemoryTokenStore, stored_client: AgentClient, status: int
) -> None:
    hub.says["POST", TOKEN] = Says({}, status)

    with pytest.raises(AgentError) as refused:
        stored_client.search_knowledge(query="x")
    assert (refused.value.status, refused.value.operation) == (status, "renew_login")
    assert store.load("default") is not None


@pytest.mark.conformance("SDK-028")
@pytest.mark.parametrize("changes", [{"session_id": "ses_another"}, {"client_app_id": "another-app"}])
def test_a_renewal_for_somebody_else_is_refused(
    hub: Hub, ended: Session, store: MemoryTokenStore, stored_client: AgentClient, changes: dict[str, str]
) -> None:
    before = store.load("default")
    hub.amend["POST", TOKEN] = lambda body: {**body, **changes}

    with pytest.raises(AgentError, match="agent_binding_changed"):
        stored_client.search_knowledge(query="x")
    assert store.load("default") == before


def test_threads_renew_a_login_together(hub: Hub, ended: Session, store: MemoryTokenStore) -> None:
    """A refresh token works once: two uses would end the session."""
    start = threading.Barrier(6)

    with AgentClient(hub.url, workspace=ROUTE, token_store=store) as client, ThreadPoolExecutor(6) as threads:

        def search(_: int) -> str:
            start.wait()
            return client.search_knowledge(query="x").status

        assert list(threads.map(search, range(6))) == ["ok"] * 6
    assert hub.paths().count(f"POST {TOKEN}") == 1


def test_tasks_renew_a_login_together(hub: Hub, ended: Session, store: MemoryTokenStore) -> None:
    async def search_six_times() -> list[Any]:
        async with AsyncAgentClient(hub.url, workspace=ROUTE, token_store=store) as client:
            found = await asyncio.gather(*(client.search_knowledge(query="x") for _ in range(6)))
            return [one.status for one in found]

    assert asyncio.run(search_six_times()) == ["ok"] * 6
    assert hub.paths().count(f"POST {TOKEN}") == 1


def test_logging_out_ends_the_session(
    hub: Hub, session: Session, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    refresh_token = session.refresh_token
    stored_client.log_out()

    assert session.is_over
    assert store.load("default") is None
    assert hub.bodies("/agent-auth/v1/revoke") == [
        {"client_app_id": "merchant-agent", "refresh_token": refresh_token}
    ]
    assert "authorization" not in hub.received[-1].headers


def test_a_bare_token_logs_out_by_itself(hub: Hub, session: Session, client: AgentClient) -> None:
    client.log_out()

    assert hub.received[-1].headers["authorization"] == f"Bearer {session.access_token}"


def test_logging_out_of_what_is_over_is_as_good(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    hub.says["POST", "/agent-auth/v1/revoke"] = Says({"error": "unauthorized"}, 401)
    stored_client.log_out()

    assert store.load("default") is None


def test_a_server_that_cannot_end_a_session_leaves_the_login(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    hub.says["POST", "/agent-auth/v1/revoke"] = Says({}, 503)

    with pytest.raises(AgentError, match="503"):
        stored_client.log_out()
    assert store.load("default") is not None
