"""The page where a member lets an agent in: for whoever may, once, and back to the agent alone."""

import re
from datetime import timedelta
from html import escape
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from apps.dashboard.consent import views
from apps.gateway.models import AgentClient, AgentSession, Authorization
from apps.projects import queries
from apps.projects.accounts import delete_person
from apps.projects.models import AuditEntry, Member, Role, User
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.dashboard.world import signed_in
from tests.factories import Tenant, make_member
from tests.gateway.making import CALLBACK, ROUTE, Login, make_client, make_workspace, told

SECOND = "returns-assistant"


@pytest.fixture
def login(shop: Tenant) -> Login:
    return Login(make_client(shop, [ROUTE, SECOND])[0], routes=[ROUTE, SECOND])


@pytest.fixture
def path(login: Login) -> str:
    """The page of a login that waits."""
    return f"/authorize?authorization_id={login.asked()}"


def approve(client: Client, path: str, *routes: str) -> Any:
    return client.post(path, {"decision": "approve", "routes": routes or (ROUTE, SECOND)})


def led_to(answer: Any) -> str:
    """Where the browser goes by itself, which is also what the page's link says."""
    address = str(answer["Refresh"]).removeprefix("0;url=")
    assert f'href="{escape(address)}"' in answer.content.decode()
    return address


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def change(tenant: Tenant, **fields: Any) -> None:
    with project_scope(tenant.id):
        Authorization.objects.for_project(tenant.id).update(**fields)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ar", "يطلب مساعد المتجر على الجهاز حاسوب المكتب أن يعمل باسمك في مشروع متجر العود."),
        ("en", "مساعد المتجر on the device حاسوب المكتب asks to act for you in the project متجر العود."),
    ],
)
def test_the_page_says_who_asks_and_for_what(
    shop: Tenant, member: User, path: str, language: str, sentence: str
) -> None:
    make_workspace(shop)

    answer = signed_in(member).get(path, headers={"accept-language": language})

    assert answer.status_code == 200
    assert sentence in text_of(answer)
    assert f"agent of {ROUTE} {ROUTE}" in text_of(answer)
    assert answer.content.decode().count('type="checkbox"') == 2


def test_a_page_that_decides_is_never_kept(member: User, path: str) -> None:
    assert "no-store" in signed_in(member).get(path)["Cache-Control"]


def test_whoever_is_not_signed_in_does_so_first(path: str) -> None:
    answer = signed_in(None).get(path)

    assert answer.status_code == 302
    assert answer["Location"] == f"/accounts/login/?next={quote(path)}"


def test_a_member_lets_an_agent_in(shop: Tenant, member: User, login: Login, path: str) -> None:
    answer = approve(signed_in(member), path)

    assert answer.status_code == 200
    assert led_to(answer).startswith(f"{CALLBACK}?")
    sent = told(led_to(answer))
    assert (sorted(sent), sent["state"]) == (["code", "state"], "a-state_7")
    tokens = login.exchange(sent["code"]).json()
    session = ApiClient(tokens["access_token"]).get("/agent-auth/v1/session").json()
    assert session["allowed_routes"] == [ROUTE, SECOND]
    assert session["on_behalf_of"] == member.email
    assert session["principal"] == {
        "id": f"user:{member.pk}",
        "tenant": shop.id,
        "roles": ["editor"],
        "audience": "internal",
    }


def test_a_member_may_leave_routes_out(member: User, login: Login, path: str) -> None:
    answer = approve(signed_in(member), path, SECOND)

    tokens = login.exchange(told(led_to(answer))["code"]).json()
    session = ApiClient(tokens["access_token"]).get("/agent-auth/v1/session").json()
    assert session["allowed_routes"] == [SECOND]


@pytest.mark.parametrize("form", [{"decision": "deny"}, {}, {"decision": "APPROVE", "routes": ROUTE}])
def test_whatever_is_no_agreement_keeps_the_agent_out(member: User, path: str, form: dict[str, str]) -> None:
    answer = signed_in(member).post(path, form)

    assert told(led_to(answer)) == {"error": "access_denied", "state": "a-state_7"}


@pytest.mark.parametrize("routes", [[], ["another-route"], [ROUTE, "another-route"], ["*"]])
def test_only_what_was_asked_for_can_be_allowed(shop: Tenant, member: User, path: str, routes: list[str]) -> None:
    answer = signed_in(member).post(path, {"decision": "approve", "routes": routes})

    assert (answer.status_code, 'class="faults"' in answer.content.decode()) == (200, True)
    with project_scope(shop.id):
        assert Authorization.objects.for_project(shop.id).get().status == "pending"


def test_a_route_that_the_client_lost_is_not_offered(member: User, api: ApiClient, login: Login, path: str) -> None:
    api.patch(f"/v1/agent_clients/{login.client.id}", {"allowed_routes": [ROUTE]})

    assert SECOND not in signed_in(member).get(path).content.decode()


def test_a_viewer_may_not_decide(shop: Tenant, path: str) -> None:
    viewer = signed_in(make_member(shop, "viewer@shop.example", Role.VIEWER))

    assert (viewer.get(path).status_code, approve(viewer, path).status_code) == (403, 403)
    with project_scope(shop.id):
        assert not AgentSession.objects.for_project(shop.id).exists()


def test_for_others_there_is_nothing_to_decide(
    other_shop: Tenant, member: User, outsider: User, login: Login, path: str
) -> None:
    foreign = signed_in(make_member(other_shop, "owner@elsewhere.example", Role.OWNER))
    stranger = signed_in(outsider)

    assert [client.get(path).status_code for client in (foreign, stranger)] == [404, 404]
    assert [approve(client, path).status_code for client in (foreign, stranger)] == [404, 404]
    assert approve(signed_in(member), path).status_code == 200


@pytest.mark.parametrize(
    "query", ["", "?authorization_id=", "?authorization_id=aut_0", "?authorization_id=%00", "?authorization_id=ض"]
)
def test_a_login_that_nobody_began_is_not_there(member: User, query: str) -> None:
    assert signed_in(member).get(f"/authorize{query}").status_code == 404


def test_a_client_with_a_page_of_its_own_is_not_decided_about_here(shop: Tenant, member: User) -> None:
    client, _ = make_client(shop, authorize_url="https://shop.example/agents")
    path = f"/authorize?authorization_id={Login(client).asked()}"

    assert (signed_in(member).get(path).status_code, approve(signed_in(member), path, ROUTE).status_code) == (
        404,
        404,
    )


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"status": "approved"}, 409),
        ({"status": "denied"}, 409),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, 410),
    ],
)
def test_what_is_decided_or_past_cannot_be_decided(
    shop: Tenant, member: User, path: str, fields: dict[str, Any], status: int
) -> None:
    change(shop, **fields)
    client = signed_in(member)

    assert (client.get(path).status_code, approve(client, path).status_code) == (status, status)
    assert "Refresh" not in approve(client, path)


def test_a_decision_needs_the_token_of_the_form(member: User, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member)

    assert approve(client, path).status_code == 403


def test_names_that_an_agent_gives_are_escaped(shop: Tenant, member: User, login: Login) -> None:
    path = f"/authorize?authorization_id={login.asked(device_label='<b>ok</b>')}"

    page = signed_in(member).get(path).content.decode()

    assert "&lt;b&gt;ok&lt;/b&gt;" in page


def test_who_decided_is_on_record(shop: Tenant, member: User, path: str) -> None:
    approve(signed_in(member), path)

    with project_scope(shop.id):
        entry = AuditEntry.objects.for_project(shop.id).get(action="agent_authorization.approved")
    assert entry.actor == f"user:{member.pk}"


def status_of(agent: ApiClient) -> int:
    return int(agent.get("/agent-auth/v1/session").status_code)


def test_with_a_member_end_the_sessions_that_the_member_let_in(
    shop: Tenant, owner: User, member: User, login: Login, api: ApiClient
) -> None:
    codes = [
        told(led_to(approve(signed_in(person), f"/authorize?authorization_id={login.asked()}")))["code"]
        for person in (owner, member, member)
    ]
    agents = [ApiClient(login.exchange(code).json()["access_token"]) for code in codes[:2]]
    with project_scope(shop.id):
        place = Member.objects.for_project(shop.id).get(user=member)

    signed_in(owner).post(f"/p/{shop.id}/members/{place.id}/remove")

    assert [status_of(agent) for agent in agents] == [200, 401]
    assert login.exchange(codes[2]).json()["error"] == "invalid_grant"
    reasons = {
        session["on_behalf_of"]: session["revoked_reason"]
        for session in api.get("/v1/agent_sessions").json()["data"]
    }
    assert reasons == {owner.email: None, member.email: "member_left"}


def test_with_an_account_end_the_sessions_that_it_let_in(member: User, login: Login, path: str) -> None:
    code = told(led_to(approve(signed_in(member), path)))["code"]
    agent = ApiClient(login.exchange(code).json()["access_token"])

    delete_person(member)

    assert status_of(agent) == 401


def test_who_is_removed_while_deciding_lets_nobody_in(
    shop: Tenant, member: User, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def removed_meanwhile(asked: Any) -> dict[str, object]:
        raise AssertionError("somebody was let in")

    monkeypatch.setattr(views, "_principal", removed_meanwhile)
    places = [(project, role) for project, role in queries.projects_of(member.pk)]
    with project_scope(shop.id):
        Member.objects.for_project(shop.id).filter(user=member).delete()
    monkeypatch.setattr(queries, "projects_of", lambda _: places)

    assert approve(signed_in(member), path).status_code == 404


def test_a_client_is_not_a_member(shop: Tenant, path: str) -> None:
    with project_scope(shop.id):
        client = AgentClient.objects.for_project(shop.id).first()

    assert client is not None
    assert ApiClient(make_client(shop)[1]).get(path).status_code == 302
