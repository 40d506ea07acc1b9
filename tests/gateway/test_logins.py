"""A login of an agent: asked for, decided by the backend, and exchanged for tokens, once and by nobody else."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.gateway.models import AgentClient, Authorization
from apps.gateway.sessions import Tokens
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import (
    CALLBACK,
    PRINCIPAL,
    ROUTE,
    Login,
    make_client,
    refresh,
    told,
    verifier_and_challenge,
)

VIEW = "/agent-auth/v1/session"


@pytest.fixture
def login(agent_client: AgentClient) -> Login:
    return Login(agent_client)


def refusal(answer: Any) -> tuple[int, str]:
    assert set(answer.json()) == {"error", "message"}
    return answer.status_code, answer.json()["error"]


def pass_time(authorization_id: str, tenant: Tenant, **passed: float) -> None:
    """Let an authorization be older than it is."""
    with project_scope(tenant.id):
        authorization = Authorization.objects.for_project(tenant.id).get(id=authorization_id)
        authorization.expires_at -= timedelta(**passed)
        authorization.save()


def approval(**changed: Any) -> dict[str, Any]:
    return {"principal": PRINCIPAL, "on_behalf_of": "نورة", "allowed_routes": [ROUTE], **changed}


# --- asking -------------------------------------------------------------------------------------------------


def test_asking_answers_where_a_person_decides(login: Login, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://mawrid.example"

    answer = login.ask()

    asked = answer.json()
    assert answer.status_code == 201
    assert asked["expires_in"] == 600
    assert asked["authorization_url"] == (
        f"https://mawrid.example/authorize?authorization_id={asked['authorization_id']}"
    )


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("https://shop.example/agents", "https://shop.example/agents?authorization_id={id}"),
        ("https://shop.example/?view=agents", "https://shop.example/?view=agents&authorization_id={id}"),
        ("http://127.0.0.1:9000/let-in", "http://127.0.0.1:9000/let-in?authorization_id={id}"),
        ("https://متجر.example/", "https://xn--pgbep1f.example/?authorization_id={id}"),
    ],
)
def test_only_the_id_is_added_to_a_page_of_the_business(shop: Tenant, page: str, link: str) -> None:
    client, _ = make_client(shop, authorize_url=page)

    asked = Login(client).ask().json()

    assert asked["authorization_url"] == link.format(id=asked["authorization_id"])


@pytest.mark.parametrize(
    ("public_url", "page"),
    [
        ("http://localhost:8000", "http://127.0.0.1:8000/authorize"),
        ("http://127.0.0.1", "http://127.0.0.1:80/authorize"),
        ("http://[::1]:8000", "http://[::1]:8000/authorize"),
        ("https://mawrid.example/base", "https://mawrid.example/base/authorize"),
    ],
)
def test_the_link_never_names_localhost(login: Login, settings: Settings, public_url: str, page: str) -> None:
    settings.PUBLIC_URL = public_url

    link = login.ask().json()["authorization_url"]

    assert link.partition("?")[0] == page


def test_a_service_that_agents_would_not_open_says_so(login: Login, settings: Settings) -> None:
    settings.PUBLIC_URL = "http://mawrid.lan:8000"

    assert refusal(login.ask()) == (503, "service_unavailable")


def test_without_routes_a_login_asks_for_all_of_the_client(
    login: Login, backend: ApiClient, agent_client: AgentClient
) -> None:
    del login.wanted["requested_routes"]

    shown = backend.get(f"/agent-auth/v1/authorizations/{login.asked()}").json()

    assert shown["requested_routes"] == agent_client.allowed_routes


@pytest.mark.parametrize(
    "uri",
    [
        "http://127.0.0.1:53682/callback",
        "http://127.0.0.1:1/",
        "http://127.0.0.1:65535/a/b-c_d.e~f",
        "http://[::1]:53682/callback",
    ],
)
def test_an_agent_may_be_called_back_on_this_machine(login: Login, uri: str) -> None:
    assert login.ask(redirect_uri=uri).status_code == 201


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "http://127.0.0.1/callback",
        "http://127.0.0.1:0/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1:080/callback",
        "http://127.0.0.1:٥٣٦٨٢/callback",
        "http://127.0.0.1:53682",
        "http://localhost:53682/callback",
        "http://127.0.0.2:53682/callback",
        "http://127.1:53682/callback",
        "http://0.0.0.0:53682/callback",
        "http://2130706433:53682/callback",
        "http://0x7f.0.0.1:53682/callback",
        "http://[::ffff:127.0.0.1]:53682/callback",
        "http://[::1%25lo]:53682/callback",
        "http://shop.example:53682/callback",
        "http://127.0.0.1:53682@shop.example:1/callback",
        "http://user:pass@127.0.0.1:53682/callback",
        "http://127.0.0.1.shop.example:53682/callback",
        "https://127.0.0.1:53682/callback",
        "HTTP://127.0.0.1:53682/callback",
        "myapp://127.0.0.1:53682/callback",
        "javascript:alert(1)//127.0.0.1:53682/callback",
        "http://127.0.0.1:53682/callback?x=1",
        "http://127.0.0.1:53682/callback#x",
        "http://127.0.0.1:53682/call\\back",
        "http://127.0.0.1:53682/callback\n",
        " http://127.0.0.1:53682/callback",
        "//127.0.0.1:53682/callback",
        "http://127.0.0.1:53682/" + "a" * 300,
    ],
)
def test_an_agent_may_be_called_back_nowhere_else(login: Login, uri: str) -> None:
    assert refusal(login.ask(redirect_uri=uri)) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"client_app_id": "nobody"}, (400, "invalid_client")),
        ({"client_app_id": ""}, (400, "invalid_request")),
        ({"client_app_id": "a" * 65}, (400, "invalid_request")),
        ({"requested_routes": ["other-route"]}, (403, "route_not_allowed")),
        ({"requested_routes": [ROUTE, "other-route"]}, (403, "route_not_allowed")),
        ({"requested_routes": []}, (400, "invalid_request")),
        ({"requested_routes": ["auto"]}, (400, "invalid_request")),
        ({"requested_routes": ["*"]}, (400, "invalid_request")),
        ({"requested_routes": [ROUTE, ROUTE]}, (400, "invalid_request")),
        ({"requested_routes": ROUTE}, (400, "invalid_request")),
        ({"requested_routes": [f"route-{number}" for number in range(129)]}, (400, "invalid_request")),
        ({"device_label": ""}, (400, "invalid_request")),
        ({"device_label": "a" * 129}, (400, "invalid_request")),
        ({"device_label": "a\u202eb"}, (400, "invalid_request")),
        ({"device_label": "\u200b"}, (400, "invalid_request")),
        ({"state": ""}, (400, "invalid_request")),
        ({"state": "a\nb"}, (400, "invalid_request")),
        ({"state": "a" * 1_025}, (400, "invalid_request")),
        ({"state": 7}, (400, "invalid_request")),
        ({"code_challenge": "a" * 42}, (400, "invalid_request")),
        ({"code_challenge": "a" * 43 + "="}, (400, "invalid_request")),
        ({"code_challenge_method": "plain"}, (400, "invalid_request")),
        ({"code_challenge_method": None}, (400, "invalid_request")),
        ({"scope": "all"}, (400, "invalid_request")),
    ],
)
def test_a_login_that_is_not_as_it_must_be_is_refused(
    login: Login, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert refusal(login.ask(**changed)) == expected


@pytest.mark.parametrize(
    "field", ["client_app_id", "redirect_uri", "state", "device_label", "code_challenge", "code_challenge_method"]
)
def test_nothing_may_be_missing(login: Login, field: str) -> None:
    del login.wanted[field]

    assert refusal(login.ask()) == (400, "invalid_request")


def test_a_client_that_is_switched_off_is_none(login: Login, api: ApiClient) -> None:
    api.patch(f"/v1/agent_clients/{login.client.id}", {"enabled": False})

    assert refusal(login.ask()) == (400, "invalid_client")


def test_logins_that_anybody_begins_are_counted(login: Login, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gateway.login_api.MAX_LOGINS_PER_CLIENT", 1)
    login.asked()

    answer = login.ask()

    assert refusal(answer) == (429, "rate_limited")
    assert 0 < int(answer["Retry-After"]) <= 60


# --- deciding -----------------------------------------------------------------------------------------------


def test_whoever_decides_sees_what_is_asked_and_no_more(login: Login, backend: ApiClient) -> None:
    authorization_id = login.asked()

    shown = backend.get(f"/agent-auth/v1/authorizations/{authorization_id}").json()

    assert 590 < (_time(shown.pop("expires_at")) - timezone.now()).total_seconds() <= 600
    assert shown == {
        "authorization_id": authorization_id,
        "client_name": "مساعد المتجر",
        "device_label": "حاسوب المكتب",
        "requested_routes": [ROUTE],
        "status": "pending",
    }


def _time(text: str) -> Any:
    from apps.rest.times import read_time

    return read_time(text)


def test_an_approval_sends_the_person_back_with_a_code(login: Login, backend: ApiClient) -> None:
    authorization_id = login.asked()

    answer = backend.post(f"/agent-auth/v1/authorizations/{authorization_id}/approve", approval())

    assert (answer.status_code, answer.json()["status"]) == (200, "approved")
    assert answer.json()["redirect_uri"].startswith(f"{CALLBACK}?")
    assert told(answer.json()["redirect_uri"]).keys() == {"code", "state"}
    assert told(answer.json()["redirect_uri"])["state"] == "a-state_7"


def test_a_denial_sends_the_person_back_with_an_error(login: Login, backend: ApiClient) -> None:
    answer = backend.post(f"/agent-auth/v1/authorizations/{login.asked()}/deny", {})

    assert (answer.status_code, answer.json()["status"]) == (200, "denied")
    assert told(answer.json()["redirect_uri"]) == {"error": "access_denied", "state": "a-state_7"}


def test_a_state_comes_back_as_it_was(login: Login, backend: ApiClient) -> None:
    state = "a&b=c #?%20+ü"[:-1] + '"<>'

    answer = backend.post(f"/agent-auth/v1/authorizations/{login.asked(state=state)}/deny")

    assert told(answer.json()["redirect_uri"])["state"] == state
    assert urlsplit(answer.json()["redirect_uri"]).fragment == ""


@pytest.mark.parametrize("first", ["approve", "deny"])
@pytest.mark.parametrize("second", ["approve", "deny"])
def test_a_login_is_decided_once(login: Login, backend: ApiClient, first: str, second: str) -> None:
    path = f"/agent-auth/v1/authorizations/{login.asked()}"
    bodies = {"approve": approval(), "deny": {}}
    backend.post(f"{path}/{first}", bodies[first])

    assert refusal(backend.post(f"{path}/{second}", bodies[second])) == (409, "authorization_processed")


@pytest.mark.parametrize(("decision", "body"), [("approve", approval()), ("deny", {})])
def test_a_login_can_be_decided_for_ten_minutes(
    login: Login, backend: ApiClient, shop: Tenant, decision: str, body: dict[str, Any]
) -> None:
    authorization_id = login.asked()
    pass_time(authorization_id, shop, minutes=10)
    path = f"/agent-auth/v1/authorizations/{authorization_id}"

    assert refusal(backend.post(f"{path}/{decision}", body)) == (410, "authorization_expired")
    assert backend.get(path).json()["status"] == "expired"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"allowed_routes": ["second-route"]}, (403, "route_not_allowed")),
        ({"allowed_routes": [ROUTE, "second-route"]}, (403, "route_not_allowed")),
        ({"allowed_routes": []}, (400, "invalid_request")),
        ({"allowed_routes": ["*"]}, (400, "invalid_request")),
        ({"allowed_routes": None}, (400, "invalid_request")),
        ({"on_behalf_of": ""}, (400, "invalid_request")),
        ({"on_behalf_of": "a" * 257}, (400, "invalid_request")),
        ({"principal": "u-17"}, (400, "invalid_request")),
        ({"principal": {}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "id": 17}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "roles": "seller"}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "roles": ["r"] * 2}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "roles": [str(number) for number in range(51)]}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "audience": "In Ternal"}}, (400, "invalid_request")),
        ({"principal": {"id": "u-17", "tenant": "riyadh", "roles": []}}, (400, "invalid_request")),
        ({"principal": {**PRINCIPAL, "is_admin": True}}, (400, "invalid_request")),
        ({"subject": "u-17"}, (400, "invalid_request")),
    ],
)
def test_an_approval_that_is_not_as_it_must_be_is_refused_and_decides_nothing(
    shop: Tenant, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    client, token = make_client(shop, [ROUTE, "second-route"])
    backend = ApiClient(token)
    path = f"/agent-auth/v1/authorizations/{Login(client).asked()}"

    assert refusal(backend.post(f"{path}/approve", approval(**changed))) == expected
    assert backend.get(path).json()["status"] == "pending"


def test_routes_that_the_client_lost_meanwhile_cannot_be_approved(
    login: Login, backend: ApiClient, api: ApiClient
) -> None:
    authorization_id = login.asked()
    api.patch(f"/v1/agent_clients/{login.client.id}", {"allowed_routes": ["second-route"]})

    answer = backend.post(f"/agent-auth/v1/authorizations/{authorization_id}/approve", approval())

    assert refusal(answer) == (403, "route_not_allowed")


@pytest.mark.parametrize("call", ["", "/approve", "/deny"])
def test_a_login_of_another_client_is_not_there(shop: Tenant, login: Login, call: str) -> None:
    other = ApiClient(make_client(shop)[1])
    path = f"/agent-auth/v1/authorizations/{login.asked()}{call}"
    method, body = ("POST", approval() if call == "/approve" else {}) if call else ("GET", None)

    assert refusal(other.request(method, path, body)) == (404, "authorization_not_found")


# --- the code -----------------------------------------------------------------------------------------------


def test_a_code_becomes_tokens(login: Login, backend: ApiClient) -> None:
    answer = login.exchange(login.approved(backend))

    tokens = answer.json()
    assert answer.status_code == 200
    assert tokens.pop("access_token").startswith("mwd_access_")
    assert tokens.pop("refresh_token").startswith("mwd_refresh_")
    assert tokens.pop("session_id").startswith("ses_")
    assert tokens == {
        "token_type": "Bearer",
        "expires_in": 900,
        "refresh_expires_in": 30 * 24 * 3_600,
        "client_app_id": login.client.app_id,
    }


def test_a_session_is_what_was_approved(login: Login, backend: ApiClient) -> None:
    tokens = login.exchange(login.approved(backend)).json()

    session = ApiClient(tokens["access_token"]).get(VIEW).json()

    assert session["session_id"] == tokens["session_id"]
    assert session["client_app_id"] == login.client.app_id
    assert session["principal"] == PRINCIPAL
    assert (session["on_behalf_of"], session["device_label"]) == ("نورة", "حاسوب المكتب")
    assert session["allowed_routes"] == [ROUTE]
    assert session["created_at"] < session["expires_at"] < session["refresh_expires_at"]


def test_a_code_that_comes_a_second_time_ends_the_session_that_it_opened(
    login: Login, backend: ApiClient, api: ApiClient
) -> None:
    code = login.approved(backend)
    tokens = login.exchange(code).json()
    renewed = refresh(login.client, tokens["refresh_token"]).json()

    assert refusal(login.exchange(code)) == (400, "invalid_grant")

    assert refusal(ApiClient(tokens["access_token"]).get(VIEW)) == (401, "unauthorized")
    assert refusal(ApiClient(renewed["access_token"]).get(VIEW)) == (401, "unauthorized")
    assert refusal(refresh(login.client, renewed["refresh_token"])) == (401, "invalid_grant")
    shown = api.get(f"/v1/agent_sessions/{tokens['session_id']}").json()
    assert (shown["status"], shown["revoked_reason"]) == ("revoked", "code_reused")


def test_a_code_ends_its_session_also_when_it_comes_again_after_its_minutes(
    login: Login, backend: ApiClient, shop: Tenant
) -> None:
    code = login.approved(backend)
    tokens = login.exchange(code).json()
    with project_scope(shop.id):
        Authorization.objects.for_project(shop.id).update(code_expires_at=timezone.now() - timedelta(hours=1))

    login.exchange(code)

    assert ApiClient(tokens["access_token"]).get(VIEW).status_code == 401


def test_the_end_of_such_a_session_is_on_record_once(login: Login, backend: ApiClient, shop: Tenant) -> None:
    code = login.approved(backend)
    session_id = login.exchange(code).json()["session_id"]

    refusals = [login.exchange(code).status_code for _ in range(3)]

    with project_scope(shop.id):
        entries = AuditEntry.objects.for_project(shop.id).filter(action="agent_session.revoked")
        deeds = list(entries.values_list("target", "actor", "details"))
    assert refusals == [400] * 3
    assert deeds == [(session_id, session_id, {"reason": "code_reused"})]


@pytest.mark.parametrize(
    "changed",
    [
        {"code_verifier": verifier_and_challenge()[0]},
        {"redirect_uri": "http://127.0.0.1:53683/callback"},
        {"client_app_id": "another-client"},
    ],
)
def test_a_used_code_without_what_belongs_to_it_ends_nothing(
    login: Login, backend: ApiClient, shop: Tenant, changed: dict[str, str]
) -> None:
    make_client(shop, app_id="another-client")
    code = login.approved(backend)
    tokens = login.exchange(code).json()

    assert refusal(login.exchange(code, **changed)) == (400, "invalid_grant")

    assert ApiClient(tokens["access_token"]).get(VIEW).status_code == 200


def test_a_code_ends_no_other_session_of_its_client(login: Login, backend: ApiClient, tokens: Tokens) -> None:
    code = login.approved(backend)
    login.exchange(code)

    login.exchange(code)

    assert ApiClient(tokens.access_token).get(VIEW).status_code == 200


def test_a_code_works_for_two_minutes(login: Login, backend: ApiClient, shop: Tenant) -> None:
    code = login.approved(backend)
    with project_scope(shop.id):
        past = timezone.now() - timedelta(seconds=1)
        Authorization.objects.for_project(shop.id).update(code_expires_at=past)

    assert refusal(login.exchange(code)) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"code_verifier": verifier_and_challenge()[0]}, (400, "invalid_grant")),
        ({"redirect_uri": "http://127.0.0.1:53683/callback"}, (400, "invalid_grant")),
        ({"redirect_uri": "https://shop.example/"}, (400, "invalid_grant")),
        ({"code": "mwd_code_0"}, (400, "invalid_grant")),
        ({"code": "كود"}, (400, "invalid_grant")),
        ({"code": ""}, (400, "invalid_request")),
        ({"code": "a" * 8_193}, (400, "invalid_request")),
        ({"client_app_id": "nobody"}, (400, "invalid_client")),
        ({"code_verifier": "short"}, (400, "invalid_request")),
        ({"code_verifier": "a" * 129}, (400, "invalid_request")),
        ({"code_verifier": "ض" * 50}, (400, "invalid_request")),
        ({"grant_type": "password"}, (400, "invalid_request")),
        ({"grant_type": None}, (400, "invalid_request")),
        ({"refresh_token": "mwd_refresh_0"}, (400, "invalid_request")),
        ({"client_secret": "x"}, (400, "invalid_request")),
    ],
)
def test_a_code_in_wrong_hands_opens_nothing_and_stays_good_for_its_agent(
    login: Login, backend: ApiClient, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    code = login.approved(backend)

    assert refusal(login.exchange(**{"code": code, **changed})) == expected
    assert login.exchange(code).status_code == 200


def test_a_code_is_no_use_to_another_client(shop: Tenant, login: Login, backend: ApiClient) -> None:
    other, _ = make_client(shop)

    answer = login.exchange(login.approved(backend), client_app_id=other.app_id)

    assert refusal(answer) == (400, "invalid_grant")


def test_a_client_that_was_switched_off_gets_no_session(login: Login, backend: ApiClient, api: ApiClient) -> None:
    code = login.approved(backend)
    api.patch(f"/v1/agent_clients/{login.client.id}", {"enabled": False})

    assert refusal(login.exchange(code)) == (400, "invalid_client")


def test_a_login_leaves_its_deeds_in_the_record(login: Login, backend: ApiClient, shop: Tenant) -> None:
    session_id = login.exchange(login.approved(backend)).json()["session_id"]

    with project_scope(shop.id):
        entries = AuditEntry.objects.for_project(shop.id).filter(actor=login.client.id).order_by("id")
        deeds = list(entries.values_list("action", "target"))
    assert [deed for deed, _ in deeds] == ["agent_authorization.approved", "agent_session.opened"]
    assert deeds[1][1] == session_id
