"""Logging in by the browser, here one that does as it is told."""

import asyncio
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from mawrid_client import AgentClient, AgentError, Login, MemoryTokenStore, log_in, log_in_async
from mawrid_client.sessions import is_safe_page
from tests.fakes.hub import APP_ID, OTHER_ROUTE, ROUTE, Hub, Says

AUTHORIZATIONS = "/agent-auth/v1/authorizations"
TOKEN = "/agent-auth/v1/token"
SESSION = "/agent-auth/v1/session"
Browser = Callable[[str], object]


def visit(address: str, **headers: str) -> int:
    """The status of a page, as a browser would get it."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as page:
            return int(page.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def authorization_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["authorization_id"][0]


@pytest.fixture
def agreeing(hub: Hub) -> Browser:
    return lambda address: visit(hub.approve(authorization_of(address)))


@pytest.fixture
def store() -> MemoryTokenStore:
    return MemoryTokenStore()


def logged_in(hub: Hub, browser: Browser, store: MemoryTokenStore, **options: Any) -> Login:
    return log_in(hub.url, APP_ID, ROUTE, token_store=store, open_page=browser, patience_seconds=5, **options)


def test_a_person_who_agrees_is_logged_in(hub: Hub, agreeing: Browser, store: MemoryTokenStore) -> None:
    login = logged_in(hub, agreeing, store)

    assert login.session_id == hub.sessions[0].session_id
    assert store.load("default") == login
    with AgentClient(hub.url, workspace=ROUTE, token_store=store) as client:
        assert client.search_knowledge(query="x").status == "ok"


def test_a_login_asks_by_the_wires_rules(hub: Hub, agreeing: Browser, store: MemoryTokenStore) -> None:
    logged_in(hub, agreeing, store, other_workspaces=[OTHER_ROUTE], device_label="متجر")
    asked, exchanged = hub.bodies(AUTHORIZATIONS)[0], hub.bodies(TOKEN)[0]

    assert asked["requested_routes"] == [ROUTE, OTHER_ROUTE]
    assert (asked["client_app_id"], asked["device_label"]) == (APP_ID, "متجر")
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["code_challenge"]) == 43
    assert urlsplit(asked["redirect_uri"]).hostname == "127.0.0.1"
    assert urlsplit(asked["redirect_uri"]).port
    assert len(exchanged["code_verifier"]) == 86
    assert exchanged["redirect_uri"] == asked["redirect_uri"]


def test_a_login_may_be_awaited(hub: Hub, agreeing: Browser, store: MemoryTokenStore) -> None:
    login = asyncio.run(
        log_in_async(hub.url, APP_ID, ROUTE, token_store=store, open_page=agreeing, patience_seconds=5)
    )

    assert store.load("default") == login


def test_each_login_has_secrets_of_its_own(hub: Hub, agreeing: Browser, store: MemoryTokenStore) -> None:
    logged_in(hub, agreeing, store)
    logged_in(hub, agreeing, store)
    first, second = hub.bodies(AUTHORIZATIONS)

    assert first["state"] != second["state"]
    assert first["code_challenge"] != second["code_challenge"]


def test_a_person_who_denies_is_not(hub: Hub, store: MemoryTokenStore) -> None:
    with pytest.raises(AgentError) as refused:
        logged_in(hub, lambda address: visit(hub.deny(authorization_of(address))), store)
    assert (refused.value.code, refused.value.status) == ("access_denied", 403)
    assert store.load("default") is None


def test_a_page_that_nobody_finishes_ends_in_time(hub: Hub, store: MemoryTokenStore) -> None:
    with pytest.raises(AgentError, match="agent_login_timeout"):
        log_in(hub.url, APP_ID, ROUTE, token_store=store, open_page=lambda _: None, patience_seconds=0.1)


def forged(change: Callable[[str], str]) -> Callable[[Hub], Browser]:
    """A browser that first brings something forged, and then the truth."""

    def of(hub: Hub) -> Browser:
        def browser(address: str) -> None:
            true = hub.approve(authorization_of(address))
            assert visit(change(true)) == 404
            assert visit(true) == 200

        return browser

    return of


@pytest.mark.parametrize(
    "change",
    [
        lambda true: true.replace("state=", "state=x"),
        lambda true: true.replace("state=", "status="),
        lambda true: true.replace("code=", "kode="),
        lambda true: true + "&error=access_denied",
        lambda true: true + "&code=another",
        lambda true: true + "&state=another",
        lambda true: true.replace("/callback", "/favicon.ico"),
        lambda true: true + "&padding=" + "x" * 9_000,
    ],
)
def test_a_forged_visit_changes_nothing(hub: Hub, store: MemoryTokenStore, change: Callable[[str], str]) -> None:
    assert logged_in(hub, forged(change)(hub), store).session_id


def test_a_visit_under_another_name_changes_nothing(hub: Hub, store: MemoryTokenStore) -> None:
    """As by a page whose own name was turned to this machine."""

    def browser(address: str) -> None:
        true = hub.approve(authorization_of(address))
        assert visit(true, Host="evil.example") == 404
        visit(true)

    assert logged_in(hub, browser, store).session_id


def test_the_page_tells_nothing_of_the_visit(hub: Hub, store: MemoryTokenStore) -> None:
    seen: list[Any] = []

    def browser(address: str) -> None:
        with urllib.request.urlopen(hub.approve(authorization_of(address))) as page:
            seen.extend([page.headers, page.read().decode()])

    logged_in(hub, browser, store)
    headers, text = seen

    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "code" not in text
    assert "يمكنك إغلاق هذه الصفحة" in text


@pytest.mark.parametrize(
    "changes",
    [
        {"authorization_url": "http://localhost:9000/consent"},
        {"authorization_url": "http://127.0.0.1/consent"},
        {"authorization_url": "http://shop.example/consent"},
        {"authorization_url": "javascript:alert(1)"},
        {"authorization_url": "file:///etc/passwd"},
        {"authorization_url": "https://user:pass@shop.example/"},
        {"authorization_url": "https://"},
        {"authorization_url": "https://a.example/" + "x" * 4_096},
        {"authorization_url": None},
        {"authorization_id": ""},
        {"authorization_id": "a" * 129},
        {"expires_in": 0},
        {"expires_in": 3_601},
        {"expires_in": "600"},
    ],
)
def test_a_page_that_is_not_safe_is_not_opened(hub: Hub, store: MemoryTokenStore, changes: dict[str, Any]) -> None:
    opened: list[str] = []
    hub.amend["POST", AUTHORIZATIONS] = lambda body: {**body, **changes}

    with pytest.raises(AgentError, match="agent_response_invalid"):
        logged_in(hub, opened.append, store)
    assert opened == []


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://shop.example/consent?a=1", True),
        ("http://127.0.0.1:8000/consent", True),
        ("http://[::1]:8000/consent", True),
        ("http://[::1]/consent", False),
        ("http://127.0.0.1:0/", False),
        ("http://127.0.0.2:8000/", False),
        ("HTTPS://shop.example/", True),
        ("https://shop.example/\n", False),
        ("https://shop example/", False),
        ("http://[::1", False),
        ("https://shop.example:99999/", False),
        ("//shop.example/", False),
        ("", False),
    ],
)
def test_what_a_browser_may_be_sent_to(address: str, safe: bool) -> None:
    assert is_safe_page(address) is safe


@pytest.mark.parametrize(
    "changes",
    [
        {"token_type": "bearer"},
        {"access_token": ""},
        {"access_token": "a" * 8_193},
        {"access_token": "a\nb"},
        {"refresh_token": None},
        {"expires_in": 0},
        {"expires_in": 31 * 86_400 + 1},
        {"refresh_expires_in": 366 * 86_400 + 1},
        {"refresh_expires_in": True},
        {"session_id": ""},
        {"session_id": "s" * 129},
        {"client_app_id": "another-app"},
    ],
)
def test_tokens_that_are_not_as_published_are_not_stored(
    hub: Hub, agreeing: Browser, store: MemoryTokenStore, changes: dict[str, Any]
) -> None:
    hub.amend["POST", TOKEN] = lambda body: {**body, **changes}

    with pytest.raises(AgentError, match="agent_response_invalid"):
        logged_in(hub, agreeing, store)
    assert store.load("default") is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"allowed_routes": [OTHER_ROUTE]}, "route_not_allowed"),
        ({"allowed_routes": []}, "agent_response_invalid"),
        ({"allowed_routes": ["r" * 65]}, "agent_response_invalid"),
        ({"session_id": "ses_another"}, "agent_binding_changed"),
        ({"client_app_id": "another"}, "agent_binding_changed"),
        ({"device_label": ""}, "agent_response_invalid"),
        ({"principal": None}, "agent_response_invalid"),
        ({"created_at": "yesterday"}, "agent_response_invalid"),
        ({"expires_at": "2026-13-01T00:00:00Z"}, "agent_response_invalid"),
        ({"refresh_expires_at": "2000-01-01T00:00:00Z"}, "agent_response_invalid"),
    ],
)
def test_a_session_that_is_another_is_not_stored(
    hub: Hub, agreeing: Browser, store: MemoryTokenStore, changes: dict[str, Any], code: str
) -> None:
    hub.amend["GET", SESSION] = lambda body: {**body, **changes}

    with pytest.raises(AgentError) as refused:
        logged_in(hub, agreeing, store)
    assert refused.value.code == code
    assert store.load("default") is None


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({AUTHORIZATIONS: Says({"error": "invalid_client"}, 400)}, "invalid_client"),
        ({AUTHORIZATIONS: Says({}, 200)}, "agent_response_invalid"),
        ({AUTHORIZATIONS: Says({}, 429)}, "agent_rate_limited"),
        ({TOKEN: Says({"error": "invalid_grant"}, 400)}, "invalid_grant"),
        ({TOKEN: Says({}, 201)}, "agent_response_invalid"),
        ({TOKEN: Says({}, 500)}, "agent_server_unavailable"),
    ],
)
def test_a_refusal_on_the_way_is_told(
    hub: Hub, agreeing: Browser, store: MemoryTokenStore, answers: dict[str, Says], code: str
) -> None:
    hub.says |= {("POST", path): says for path, says in answers.items()}

    with pytest.raises(AgentError) as refused:
        logged_in(hub, agreeing, store)
    assert refused.value.code == code


@pytest.mark.parametrize("workspace", ["auto", "*", "", "Upper"])
def test_a_login_names_the_workspaces_it_wants(hub: Hub, store: MemoryTokenStore, workspace: str) -> None:
    with pytest.raises(AgentError, match="workspace"):
        log_in(hub.url, APP_ID, workspace, token_store=store, open_page=lambda _: None)
    assert hub.received == []


def test_a_second_visit_is_one_too_many(hub: Hub, store: MemoryTokenStore) -> None:
    statuses: list[int] = []

    def browser(address: str) -> None:
        true = hub.approve(authorization_of(address))
        statuses.extend([visit(true), visit(true)])

    logged_in(hub, browser, store)

    assert statuses == [200, 404]


def test_the_page_waits_while_the_person_reads(hub: Hub, store: MemoryTokenStore) -> None:
    def browser(address: str) -> None:
        threading.Timer(0.2, lambda: visit(hub.approve(authorization_of(address)))).start()

    assert logged_in(hub, browser, store).session_id
