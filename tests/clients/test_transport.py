"""What the transports bear: no redirects, bounded answers, a deadline, and faults that tell no secrets."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, JobClient
from tests.clients.conftest import Maker
from tests.fakes.hub import ROUTE, Hub, Says, Session

SEARCH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/search"
CAPABILITIES = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/capabilities"


def test_a_request_says_who_asks_and_what_it_takes(hub: Hub, session: Session, client: AgentClient) -> None:
    client.search_knowledge(query="x")
    headers = hub.received[0].headers

    assert headers["authorization"] == f"Bearer {session.access_token}"
    assert headers["accept"] == "application/json"
    assert headers["accept-encoding"] == "identity"
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"].startswith("mawrid-client/")


def test_letters_are_sent_unescaped(hub: Hub, client: AgentClient) -> None:
    query = "بخور" * 500
    client.search_knowledge(query=query)

    assert int(hub.received[0].headers["content-length"]) == len(f'{{"query":"{query}"}}'.encode())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(hub: Hub, client: AgentClient, status: int) -> None:
    hub.says["GET", CAPABILITIES] = Says(b"", status, {"Location": f"{hub.url}/elsewhere"})

    with pytest.raises(AgentError) as refused:
        client.get_knowledge_capabilities()
    assert (refused.value.code, refused.value.status) == ("agent_redirect_refused", 502)
    assert not refused.value.retryable
    assert hub.paths() == [f"GET {CAPABILITIES}"]


@pytest.mark.parametrize("length", [1024 * 1024 + 1, 3 * 1024 * 1024])
def test_an_answer_over_a_mebibyte_is_refused(hub: Hub, client: AgentClient, length: int) -> None:
    hub.says["GET", CAPABILITIES] = Says(b" " * length)

    with pytest.raises(AgentError) as refused:
        client.get_knowledge_capabilities()
    assert (refused.value.code, refused.value.retryable) == ("agent_response_too_large", False)


def test_an_answer_of_a_mebibyte_is_read(hub: Hub, client: AgentClient) -> None:
    hub.amend["GET", CAPABILITIES] = lambda body: {**body, "padding": "x" * (1024 * 1024 - 2_000)}

    assert client.get_knowledge_capabilities().supported


def test_a_compressed_answer_is_refused(hub: Hub, client: AgentClient) -> None:
    hub.says["GET", CAPABILITIES] = Says(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})

    with pytest.raises(AgentError, match="compressed"):
        client.get_knowledge_capabilities()


def test_a_slow_server_is_given_up(hub: Hub, session: Session, make_client: Maker) -> None:
    hub.says["POST", SEARCH] = Says({}, after=1.0)
    client = make_client(hub.url, session.access_token, ROUTE, timeout=0.1)

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.status, refused.value.retryable) == ("agent_timeout", 504, True)


@pytest.fixture
def dripping() -> Iterator[int]:
    """The port of a server that answers a byte at a time, without end."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=drip, args=(server, done), daemon=True).start()
        yield server.getsockname()[1]
        done.set()


def drip(server: socket.socket, done: threading.Event) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while not done.wait(0.05):
            try:
                connection.sendall(b" ")
            except OSError:
                return


def test_a_server_that_drips_is_given_up(dripping: int, make_client: Maker) -> None:
    client = make_client(f"http://127.0.0.1:{dripping}", "token", ROUTE, timeout=0.4)

    with pytest.raises(AgentError, match="agent_timeout"):
        client.search_knowledge(query="x")


def test_nobody_there_is_told(make_client: Maker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    client = make_client(f"http://127.0.0.1:{port}", "token", ROUTE)

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.status) == ("agent_unreachable", 503)
    assert (refused.value.retryable, refused.value.dispatch) == (True, "unknown")


@pytest.mark.parametrize("timeout", [0, -1, 121, float("nan")])
def test_the_patience_has_bounds(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout"):
        AgentClient("https://mawrid.example", "token", ROUTE, timeout=timeout)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://mawrid.example",
        "ftp://mawrid.example",
        "mawrid.example",
        "https://",
        "https://user:pass@mawrid.example",
        "https://mawrid.example?x=1",
        "https://mawrid.example#x",
        "https://mawrid.example:99999",
        "https://mawrid example",
        "https://mawrid.example\n",
        "http://[::1",
        "",
        None,
    ],
)
def test_a_token_is_only_sent_over_https_or_on_this_machine(base_url: Any) -> None:
    with pytest.raises(ValueError, match="base_url"):
        AgentClient(base_url, "token", ROUTE)


@pytest.mark.parametrize(
    "base_url",
    ["https://mawrid.example/", "https://mawrid.example/hub", "http://localhost:8000", "http://[::1]:8000"],
)
def test_addresses_that_are_taken(base_url: str) -> None:
    AgentClient(base_url, "token", ROUTE).close()


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX-Injected: 1", "رمز", "x" * 8_193])
def test_a_token_cannot_leave_its_header(token: str) -> None:
    with pytest.raises(ValueError, match="access_token"):
        AgentClient("https://mawrid.example", token, ROUTE)
    with pytest.raises(AgentError, match="client_token"):
        JobClient("https://mawrid.example", token, ROUTE)


@pytest.mark.parametrize("arguments", [{}, {"access_token": "t", "token_store": object()}])
def test_a_client_has_a_token_or_a_store(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="either"):
        AgentClient("https://mawrid.example", workspace=ROUTE, **arguments)


def test_a_client_of_ones_own_http_stays_open(hub: Hub, session: Session) -> None:
    import httpx2

    with httpx2.Client() as http:
        AgentClient(hub.url, session.access_token, ROUTE, http_client=http).close()

        assert not http.is_closed


def test_a_client_that_follows_redirects_follows_none_here(hub: Hub, session: Session) -> None:
    import httpx2

    hub.says["GET", CAPABILITIES] = Says(b"", 302, {"Location": f"{hub.url}/elsewhere"})
    with httpx2.Client(follow_redirects=True) as http, pytest.raises(AgentError, match="redirect"):
        AgentClient(hub.url, session.access_token, ROUTE, http_client=http).get_knowledge_capabilities()
