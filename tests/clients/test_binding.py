"""A call is for one account: the binding is compared before it and after it, and a swapped login gets nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, Binding, MemoryTokenStore, turn_input
from tests.clients.conftest import Maker, login_of
from tests.fakes.hub import APP_ID, OTHER_ROUTE, ROUTE, Hub, Session

Call = Callable[..., Any]
READ_PATH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/read"

CALLS = [
    pytest.param(lambda client, **options: client.get_knowledge_capabilities(**options), id="capabilities"),
    pytest.param(lambda client, **options: client.search_knowledge(query="x", **options), id="search"),
    pytest.param(lambda client, **options: client.read_knowledge(ref="kr_1", **options), id="read"),
    pytest.param(lambda client, **options: client.read_all(ref="kr_1", **options), id="read_all"),
    pytest.param(lambda client, **options: client.start_turn(turn_input("x"), **options), id="turn"),
]


def binding_of(hub: Hub, session: Session, **changes: str) -> dict[str, str]:
    return {
        "hub_url": hub.url,
        "client_app_id": APP_ID,
        "workspace": ROUTE,
        "session_id": session.session_id,
        **changes,
    }


@pytest.mark.conformance("SDK-034")
def test_the_expected_account_is_served(hub: Hub, session: Session, client: AgentClient) -> None:
    found = client.search_knowledge(query="x", expected_binding=binding_of(hub, session))

    assert found.status == "ok"


@pytest.mark.conformance("SDK-034")
def test_a_binding_may_be_spelt_as_other_clients_do(hub: Hub, session: Session, client: AgentClient) -> None:
    binding = {"hubUrl": hub.url, "clientAppId": APP_ID, "workspace": ROUTE, "sessionId": session.session_id}

    assert client.search_knowledge(query="x", expectedBinding=binding).status == "ok"
    assert client.search_knowledge(query="x", expected_binding=Binding(session_id=session.session_id)).hints


@pytest.mark.conformance("SDK-035")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "changes",
    [
        {"hub_url": "https://elsewhere.example"},
        {"client_app_id": "another-app"},
        {"workspace": OTHER_ROUTE},
        {"session_id": "ses_another"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_another_account_is_refused_before_anything_is_asked(
    hub: Hub, session: Session, stored_client: AgentClient, call: Call, changes: dict[str, str]
) -> None:
    with pytest.raises(AgentError) as refused:
        call(stored_client, expected_binding=binding_of(hub, session, **changes))
    assert (refused.value.code, refused.value.status) == ("agent_binding_changed", 403)
    assert (refused.value.retryable, refused.value.next_action) == (False, "select_account")
    assert hub.received == []


@pytest.mark.conformance("SDK-035")
def test_a_bare_token_is_compared_by_what_the_server_says_of_it(
    hub: Hub, session: Session, client: AgentClient
) -> None:
    with pytest.raises(AgentError, match="agent_binding_changed"):
        client.search_knowledge(query="x", expected_binding=binding_of(hub, session, session_id="ses_another"))
    assert hub.paths() == ["GET /agent-auth/v1/session"]


def test_whose_a_bare_token_is_gets_asked_once(hub: Hub, session: Session, client: AgentClient) -> None:
    client.search_knowledge(query="x", expected_binding=binding_of(hub, session))
    client.search_knowledge(query="x", expected_binding=binding_of(hub, session))

    assert hub.paths().count("GET /agent-auth/v1/session") == 1


def swapped_by(hub: Hub, store: MemoryTokenStore) -> Callable[[Any], None]:
    """As when the person logs in as somebody else while a call is under way."""
    return lambda _: store.save("default", login_of(hub, hub.open_session()))


@pytest.mark.conformance("SDK-035")
@pytest.mark.parametrize("call", [CALLS[0], CALLS[1], CALLS[4]])
def test_a_login_that_is_swapped_meanwhile_gets_nothing(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient, call: Call
) -> None:
    hub.during = swapped_by(hub, store)

    with pytest.raises(AgentError) as refused:
        call(stored_client)
    assert (refused.value.code, refused.value.retryable) == ("agent_binding_changed", False)


@pytest.mark.conformance("SDK-035")
def test_a_page_that_arrives_for_another_login_is_dropped(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    ref = stored_client.search_knowledge(query="x").hints[0].ref
    hub.during = swapped_by(hub, store)

    with pytest.raises(AgentError) as refused:
        stored_client.read_knowledge(ref=ref)
    assert (refused.value.code, refused.value.operation) == ("agent_binding_changed", "read_knowledge")


def swapping_at(member: str, hub: Hub, store: MemoryTokenStore) -> Callable[[Any], Any]:
    """Swap the login when a request with this member is answered, here that of the second page."""

    def amend(body: Any) -> Any:
        if member in hub.received[-1].body:
            swapped_by(hub, store)(None)
        return body

    return amend


@pytest.mark.conformance("SDK-035")
def test_a_login_that_is_swapped_between_pages_gets_none_of_them(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    hints = stored_client.search_knowledge(query="x").hints
    hub.amend["POST", READ_PATH] = swapping_at("cursor", hub, store)

    with pytest.raises(AgentError) as refused:
        stored_client.read_all(ref=hints[1].ref, max_bytes=4_096)
    assert (refused.value.code, refused.value.operation) == ("agent_binding_changed", "read_all")
    assert hub.paths()[-2:] == [f"POST {READ_PATH}"] * 2


@pytest.mark.conformance("SDK-035")
def test_after_a_swap_no_further_page_is_asked_for(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    hints = stored_client.search_knowledge(query="x").hints
    hub.amend["POST", READ_PATH] = swapping_at("ref", hub, store)

    with pytest.raises(AgentError, match="agent_binding_changed"):
        stored_client.read_all(ref=hints[1].ref, max_bytes=4_096)
    assert hub.paths().count(f"POST {READ_PATH}") == 1


def test_a_login_that_is_removed_meanwhile_gets_nothing(
    hub: Hub, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    hub.during = lambda _: store.delete("default")

    with pytest.raises(AgentError, match="agent_binding_changed"):
        stored_client.search_knowledge(query="x")


def test_a_renewed_login_is_the_same_account(
    hub: Hub, session: Session, store: MemoryTokenStore, stored_client: AgentClient
) -> None:
    session.access_token = "access-renewed"
    hub.during = lambda _: store.save("default", login_of(hub, session))
    found = stored_client.search_knowledge(query="x", expected_binding=binding_of(hub, session))

    assert found.status == "ok"


@pytest.mark.conformance("SDK-034")
def test_a_connection_is_named_by_its_key(hub: Hub, session: Session, make_client: Maker) -> None:
    store = MemoryTokenStore({"work": login_of(hub, session)})
    client = make_client(hub.url, workspace=ROUTE, token_store=store, connection_key="work")

    assert client.search_knowledge(query="x", connection_key="work").status == "ok"
    assert client.search_knowledge(query="x", connectionKey="work").status == "ok"
    with pytest.raises(AgentError, match="agent_binding_changed"):
        client.search_knowledge(query="x", connection_key="home")


def test_a_login_of_another_hub_is_not_used(hub: Hub, make_client: Maker, session: Session) -> None:
    login = login_of(hub, session)
    store = MemoryTokenStore({"default": type(login)("https://elsewhere.example", login.access_token)})
    client = make_client(hub.url, workspace=ROUTE, token_store=store)

    with pytest.raises(AgentError, match="agent_binding_changed"):
        client.search_knowledge(query="x")
    assert hub.received == []


def test_without_a_login_one_is_asked_for(hub: Hub, make_client: Maker) -> None:
    client = make_client(hub.url, workspace=ROUTE, token_store=MemoryTokenStore())

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.next_action) == ("agent_login_required", "log_in")


def test_a_binding_has_four_members(client: AgentClient) -> None:
    with pytest.raises(AgentError, match="nothing else"):
        client.search_knowledge(query="x", expected_binding={"tenant": "x"})
