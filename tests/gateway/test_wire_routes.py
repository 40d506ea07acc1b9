"""Every address of the agent protocol has a row: whose credential opens it, and that no other one does (K-6)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from apps.gateway.credentials import ACCESS_TOKEN, CLIENT_TOKEN
from apps.gateway.models import AgentClient, AgentSession, AgentToken
from apps.gateway.refusals import PATHS
from apps.gateway.sessions import Tokens
from apps.projects.scoping import project_scope
from apps.rest.views import ApiView
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.gateway.making import Login, make_client, make_session

ANYONE: Final = "anyone"
AGENT: Final = "agent"
BACKEND: Final = "backend"


@dataclass(frozen=True)
class Row:
    """Who may call a method of an address."""

    method: str
    path: str
    who: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


ROWS: Final = [
    Row("POST", "/agent-auth/v1/authorizations", ANYONE),
    Row("GET", "/agent-auth/v1/authorizations/{authorization_id}", BACKEND),
    Row("POST", "/agent-auth/v1/authorizations/{authorization_id}/approve", BACKEND),
    Row("POST", "/agent-auth/v1/authorizations/{authorization_id}/deny", BACKEND),
    Row("POST", "/agent-auth/v1/token", ANYONE),
    Row("GET", "/agent-auth/v1/session", AGENT),
    # By an access token, or by what its body says.
    Row("POST", "/agent-auth/v1/revoke", AGENT),
    Row("POST", "/agent-auth/v1/sessions/{session_id}/revoke", BACKEND),
    Row("GET", "/agent-api/v1/workspaces", AGENT),
    Row("GET", "/agent-api/v1/workspaces/{route}/bootstrap", AGENT),
    Row("GET", "/agent-api/v1/workspaces/{route}/system-info", AGENT),
    Row("POST", "/agent-api/v1/workspaces/{route}/turns", AGENT),
    Row("POST", "/agent-api/v1/workspaces/{route}/capabilities/search", AGENT),
    Row("GET", "/agent-api/v1/workspaces/{route}/knowledge/capabilities", AGENT),
    Row("POST", "/agent-api/v1/workspaces/{route}/knowledge/search", AGENT),
    Row("POST", "/agent-api/v1/workspaces/{route}/knowledge/read", AGENT),
    Row("POST", "/agent-api/v1/runs/{run_id}/complete", AGENT),
    Row("POST", "/agent-api/v1/tool-invocations", AGENT),
    Row("POST", "/agent-api/v1/tool-invocations/{invocation_id}/resume", AGENT),
    Row("GET", "/agent-api/v1/tool-invocations/{invocation_id}/receipt", AGENT),
    Row("POST", "/agent-api/v1/conversation-audits", AGENT),
    Row("GET", "/agent-api/v1/conversation-audits/capabilities", AGENT),
    Row("POST", "/agent-api/v1/conversation-audits/{conversation_id}/confirm", AGENT),
    Row("POST", "/agent-api/v1/conversation-audits/{conversation_id}/events", AGENT),
    Row("POST", "/run", BACKEND),
    Row("GET", "/jobs/{job_id}", BACKEND),
    Row("GET", "/health", ANYONE),
]
# One class answers all of these in both methods; only the documented one has a row.
ALSO_ANSWERED: Final = {
    ("GET", "/agent-api/v1/tool-invocations"),
    ("GET", "/agent-api/v1/tool-invocations/{invocation_id}/resume"),
    ("POST", "/agent-api/v1/tool-invocations/{invocation_id}/receipt"),
    ("GET", "/agent-api/v1/conversation-audits"),
    ("POST", "/agent-api/v1/conversation-audits/capabilities"),
    ("GET", "/agent-api/v1/conversation-audits/{conversation_id}/confirm"),
    ("GET", "/agent-api/v1/conversation-audits/{conversation_id}/events"),
}
WHAT_TO_DO: Final = "Give each address of the protocol a row in ROWS of tests/gateway/test_wire_routes.py."


def routes_of_urls(patterns: Any = None, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """Method and path of everything of the protocol in the URL configuration."""
    for pattern in get_resolver(settings.ROOT_URLCONF).url_patterns if patterns is None else patterns:
        path = (prefix + str(pattern.pattern)).replace("<str:", "{").replace("<path:", "{").replace(">", "}")
        if isinstance(pattern, URLResolver):
            yield from routes_of_urls(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and path.startswith(("/agent-", "/run", "/jobs", "/health")):
            view: type[ApiView] | None = getattr(pattern.callback, "cls", None)
            if path == "/healthz" or view is None:
                continue
            names = [name for name in view.http_method_names if hasattr(view, name) and name != "options"]
            yield from ((name.upper(), path) for name in names)


@pytest.mark.conformance("K-6")
def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert set(routes_of_urls()) - ALSO_ANSWERED == {(row.method, row.path) for row in ROWS}, WHAT_TO_DO


def path_of(row: Row) -> str:
    names = ["authorization_id", "session_id", "run_id", "invocation_id", "conversation_id", "job_id"]
    return row.path.format_map({**dict.fromkeys(names, "nothing-has-this-id"), "route": "no-such-route"})


# --- route × credential -------------------------------------------------------------------------------------


class Issued:
    """Everything of a client that looks like a credential, and what happens to it."""

    def __init__(self, shop: Tenant) -> None:
        self.shop = shop
        self.client, self.client_token = make_client(shop)
        self.tokens = make_session(self.client)

    def ended(self) -> "Issued":
        ApiClient(self.shop.key).post(f"/v1/agent_sessions/{self.tokens.session.id}/revoke")
        return self

    def switched_off(self) -> "Issued":
        ApiClient(self.shop.key).patch(f"/v1/agent_clients/{self.client.id}", {"enabled": False})
        return self

    def ran_out(self) -> "Issued":
        self._end(AgentToken)
        return self

    def logged_out_by_time(self) -> "Issued":
        self._end(AgentSession)
        return self

    def _end(self, model: type[AgentToken | AgentSession]) -> None:
        with project_scope(self.shop.id):
            model.objects.for_project(self.shop.id).update(expires_at=timezone.now())

    def callback_secret(self) -> str:
        rotated = ApiClient(self.shop.key).post(f"/v1/agent_clients/{self.client.id}/rotate_token")
        return str(rotated.json()["callback_secret"])


# Each credential by name: whose it is, None when it opens nothing, and its text.
CREDENTIALS: Final[dict[str, tuple[str | None, Callable[[Issued], str | None]]]] = {
    "none": (None, lambda _: None),
    "a malformed one": (None, lambda _: "mwd_access_0000"),
    "a key of the project": (None, lambda issued: make_key(issued.shop)[1]),
    "an access token nobody made": (None, lambda _: ACCESS_TOKEN.new().text),
    "a Client Token nobody made": (None, lambda _: CLIENT_TOKEN.new().text),
    "a refresh token": (None, lambda issued: issued.tokens.refresh_token),
    "a callback secret": (None, Issued.callback_secret),
    "an access token of a session that was ended": (None, lambda issued: issued.ended().tokens.access_token),
    "an access token that ran out": (None, lambda issued: issued.ran_out().tokens.access_token),
    "an access token of a login that ran out": (
        None,
        lambda issued: issued.logged_out_by_time().tokens.access_token,
    ),
    "an access token of a client that is off": (None, lambda issued: issued.switched_off().tokens.access_token),
    "a Client Token of a client that is off": (None, lambda issued: issued.switched_off().client_token),
    "an access token": (AGENT, lambda issued: issued.tokens.access_token),
    "a Client Token": (BACKEND, lambda issued: issued.client_token),
}


@pytest.mark.conformance("BH-001", "BH-004", "BH-005", "BH-006", "BH-031", "K-6")
@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_credential_opens_what_the_table_says(shop: Tenant, row: Row, credential: str) -> None:
    whose, text = CREDENTIALS[credential]

    answer = ApiClient(text(Issued(shop))).request(row.method, path_of(row))

    assert (answer.status_code == 401) == (row.who not in {ANYONE, whose})
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.conformance("K-2", "BH-086")
@pytest.mark.parametrize("row", [row for row in ROWS if row.who != ANYONE], ids=str)
def test_everything_that_is_no_good_gets_one_answer(shop: Tenant, row: Row) -> None:
    bad = [text(Issued(shop)) for whose, text in CREDENTIALS.values() if whose != row.who]

    answers = [ApiClient(text).request(row.method, path_of(row)) for text in bad]

    assert {(answer.content, answer["WWW-Authenticate"]) for answer in answers} == {
        (answers[0].content, "Bearer"),
    }
    assert answers[0].json()["error"] == "unauthorized"


@pytest.mark.conformance("K-2")
@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "mwd_access_0000",
        "Bearer مفتاح",
        "Bearer " + "a" * 10_000,
        "Bearer mwd_access_" + "0" * 65,
        "Bearer mwd_access_" + "é" * 65,
        "Bearer a, Bearer b",
        "Bearer a\tb",
    ],
)
@pytest.mark.parametrize("path", ["/agent-auth/v1/session", "/jobs/x"])
def test_no_header_is_too_odd_to_be_refused(db: None, path: str, header: str) -> None:
    answer = Client().get(path, headers={"authorization": header})

    assert (answer.status_code, answer.json()["error"]) == (401, "unauthorized")


@pytest.mark.conformance("K-10")
def test_a_token_counts_in_the_header_alone(tokens: Tokens) -> None:
    answer = ApiClient(None).get(f"/agent-auth/v1/session?access_token={tokens.access_token}")

    assert answer.status_code == 401


def test_the_scheme_may_be_spelt_in_any_case(tokens: Tokens) -> None:
    headers = {"authorization": f"bEARER {tokens.access_token}"}

    assert Client().get("/agent-auth/v1/session", headers=headers).status_code == 200


# --- what every address shares ------------------------------------------------------------------------------


@pytest.mark.conformance("BH-088", "BH-006", "BH-086")
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_another_method_is_refused_flat(
    backend: ApiClient, agent: ApiClient, row: Row, stranger: ApiClient
) -> None:
    caller = {AGENT: agent, BACKEND: backend, ANYONE: stranger}[row.who]

    answer = caller.request("PUT", path_of(row), {})

    assert (answer.status_code, answer.json().keys()) == (405, {"error", "message"})
    assert answer.json()["error"] == "method_not_allowed"
    assert row.method in answer["Allow"]
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/agent-auth",
        "/agent-auth/",
        "/agent-auth/v1",
        "/agent-auth/v1/session/",
        "/agent-auth/v1/token/",
        "/agent-auth/v2/token",
        "/agent-auth/v1/%00",
        "/agent-auth/v1/authorizations/" + "a" * 300 + "/approve",
        "/agent-api",
        "/agent-api/v1/workspaces/",
        "/agent-api/v1/nothing",
        "/run/",
        "/jobs",
        "/jobs/",
        "/jobs/a/b",
        "/health/",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_not_there_is_told_flat_and_without_a_redirect(stranger: ApiClient, method: str, path: str) -> None:
    answer = stranger.request(method, path, accept="text/html")

    assert (answer.status_code, answer.json().keys()) == (404, {"error", "message"})
    assert answer.json()["error"] == "not_found"
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/healthz/x", "/runs", "/jobsx", "/agent-apis", "/v1/run"])
def test_paths_that_only_begin_alike_are_not_of_the_protocol(stranger: ApiClient, path: str) -> None:
    assert isinstance(stranger.get(path).json()["error"], dict)


def test_a_failure_outside_of_any_view_is_told_flat(stranger: ApiClient, settings: Any) -> None:
    settings.MIDDLEWARE = [settings.MIDDLEWARE[1], "tests.rest.test_errors.failing_middleware"]

    answer = Client(raise_request_exception=False).get("/agent-api/v1/workspaces")

    assert (answer.status_code, answer.json()["error"]) == (500, "internal_error")
    assert answer.json().keys() == {"error", "message"}


def test_an_unknown_host_is_refused_flat(db: None) -> None:
    answer = Client().post("/agent-auth/v1/token", headers={"host": "evil.example"})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_a_length_that_is_no_number_is_refused_flat(db: None) -> None:
    answer = Client().post("/agent-auth/v1/token", CONTENT_LENGTH="-1")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.conformance("BH-086")
def test_a_bug_is_told_flat_and_without_what_broke(agent: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gateway.presenters.session_view", lambda _: 1 / 0)

    answer = agent.get("/agent-auth/v1/session")

    assert (answer.status_code, answer.json()["error"]) == (500, "internal_error")
    assert "division" not in answer.content.decode()


def test_refusals_come_in_the_language_of_the_reader(stranger: ApiClient) -> None:
    arabic = stranger.get("/agent-auth/v1/session", accept_language="ar-SA, en;q=0.5")

    assert "يلزم تصريح صالح" in arabic.content.decode()
    assert arabic["Content-Language"] == "ar"


# --- hostile bodies -----------------------------------------------------------------------------------------

POSTS: Final = [row for row in ROWS if row.method == "POST"]
# Of neighbouring calls for which there is nothing here the body is not even looked at.
UNREAD: Final = ("tool-invocations", "conversation-audits")


@pytest.mark.conformance("BH-088", "BH-086")
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\\u0000"}',
        b'{"a": "\\ud800"}',
        b'{"\\ud800": 1}',
        b"[" * 100_000,
        b'{"a": ' * 200 + b"1" + b"}" * 200,
        b'{"unheard_of": true}',
        b'{"state": {"$ne": 1}, "code": ["x"], "principal": [[]]}',
    ],
    ids=range(14),
)
@pytest.mark.parametrize("row", [row for row in POSTS if not any(word in row.path for word in UNREAD)], ids=str)
def test_no_body_does_more_than_be_refused(
    backend: ApiClient, agent: ApiClient, stranger: ApiClient, row: Row, body: bytes
) -> None:
    caller = {AGENT: agent, BACKEND: backend, ANYONE: stranger}[row.who]

    answer = caller.post(path_of(row), body)

    assert (answer.status_code, answer.json()["error"]) in {
        (400, "invalid_request"),
        (400, "invalid_route"),
    }
    assert "unheard" not in answer.content.decode()


@pytest.mark.parametrize("row", POSTS, ids=str)
def test_a_body_over_the_limit_is_refused_flat(
    backend: ApiClient, agent: ApiClient, stranger: ApiClient, row: Row
) -> None:
    caller = {AGENT: agent, BACKEND: backend, ANYONE: stranger}[row.who]

    answer = caller.post(path_of(row), b'{"a": "' + b"x" * 2_200_000 + b'"}')

    assert (answer.status_code, answer.json()["error"]) == (413, "request_too_large")


@pytest.mark.conformance("BH-088")
@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_body_that_says_it_is_no_json_is_refused(stranger: ApiClient, content_type: str) -> None:
    answer = stranger.request("POST", "/agent-auth/v1/token", b"{}", content_type=content_type)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "GET" and row.who == AGENT], ids=str)
def test_a_read_may_say_that_it_is_json_without_a_body(agent: ApiClient, row: Row) -> None:
    answer = agent.request("GET", path_of(row), content_type="application/json")

    assert answer.status_code in {200, 403, 404}


@pytest.mark.parametrize("path", ["/agent-auth/v1/session?x=1", "/health?x=1"])
def test_parameters_that_nobody_knows_are_refused(agent: ApiClient, path: str) -> None:
    answer = agent.get(path)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


# --- limits -------------------------------------------------------------------------------------------------


def test_a_session_has_so_many_requests_a_minute(
    agent: ApiClient, settings: Any, agent_client: AgentClient
) -> None:
    settings.RATE_LIMIT_PER_AGENT_SESSION = 2
    colleague = ApiClient(make_session(agent_client).access_token)

    answers = [agent.get("/agent-auth/v1/session") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"] == "rate_limited"
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert colleague.get("/agent-auth/v1/session").status_code == 200


def test_too_many_bad_credentials_of_an_address_are_told_to_wait(
    stranger: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.rest.throttles.MAX_BAD_CREDENTIALS_PER_ADDRESS", 2)

    answers = [stranger.get("/agent-auth/v1/session").status_code for _ in range(3)]

    assert answers == [401, 401, 429]


def test_guessing_at_codes_is_counted(agent_client: AgentClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.rest.throttles.MAX_BAD_CREDENTIALS_PER_ADDRESS", 2)

    answers = [Login(agent_client).exchange("mwd_code_0").status_code for _ in range(3)]

    assert answers == [400, 400, 429]


def test_the_paths_of_the_protocol_are_those_of_its_table() -> None:
    assert [row for row in ROWS if not re.match(PATHS, row.path)] == []
