"""Pages of agent clients: secrets shown once, routes that agents have, and sessions that a member can end."""

import re

import pytest
from django.http import HttpResponse

from apps.agents import services as agents
from apps.agents.models import Agent
from apps.gateway.models import AgentClient, AgentSession, RevokedReason
from apps.projects.models import Role
from apps.projects.scoping import project_scope
from tests.dashboard.world import Shop, signed_in
from tests.gateway.making import make_client, make_session

ROUTE = "order-assistant"
FORM = {"name": "مساعد الطلبات", "app_id": "shop-assistant", "allowed_routes": [ROUTE], "enabled": "on"}
A_TOKEN = re.compile(r'id="token"[^>]*>([^<]{30,})<')


@pytest.fixture(autouse=True)
def route(shown: Shop) -> None:
    with project_scope(shown.tenant.id):
        agents.create_agent(shown.tenant.id, name="وكيل", route=ROUTE, actor="operator")


@pytest.fixture
def client(shown: Shop) -> AgentClient:
    return make_client(shown.tenant, [ROUTE])[0]


@pytest.fixture
def session(client: AgentClient) -> AgentSession:
    return make_session(client, [ROUTE]).session


def post(shown: Shop, path: str, form: object = None) -> HttpResponse:
    person = signed_in(shown.people[Role.OWNER])
    return person.post(f"/p/{shown.tenant.id}/{path}", form or {})  # type: ignore[return-value]


def get(shown: Shop, path: str) -> str:
    return signed_in(shown.people[Role.OWNER]).get(f"/p/{shown.tenant.id}/{path}").content.decode()


def clients_of(shown: Shop) -> list[AgentClient]:
    with project_scope(shown.tenant.id):
        return list(AgentClient.objects.for_project(shown.tenant.id))


def test_a_new_client_shows_its_secrets_once(shown: Shop) -> None:
    answer = post(shown, "clients/new", FORM)

    token = A_TOKEN.search(answer.content.decode())
    assert token
    assert answer["Cache-Control"] == "no-store"
    assert token[1] not in get(shown, f"clients/{clients_of(shown)[0].id}")


@pytest.mark.parametrize(
    ("routes", "told"), [([], "it is allowed no routes"), ([ROUTE], "No published agent has these")]
)
def test_who_makes_a_client_that_can_do_nothing_yet_is_told_so_now_and_later(
    shown: Shop, routes: list[str], told: str
) -> None:
    now = post(shown, "clients/new", {**FORM, "allowed_routes": routes}).content.decode()
    later = get(shown, f"clients/{clients_of(shown)[0].id}")

    assert told in now
    assert told in later


def test_a_client_that_can_work_is_warned_of_nothing(shown: Shop) -> None:
    with project_scope(shown.tenant.id):
        agents.publish(Agent.objects.for_project(shown.tenant.id).get(route=ROUTE), actor="operator")

    post(shown, "clients/new", FORM)

    assert "note warn" not in get(shown, f"clients/{clients_of(shown)[0].id}")


def test_where_no_agent_has_a_route_the_form_leads_to_the_agents(shown: Shop) -> None:
    with project_scope(shown.tenant.id):
        Agent.objects.for_project(shown.tenant.id).update(route=None)

    note = get(shown, "clients/new").partition("There are no routes yet.")[2][:200]

    assert f'href="/p/{shown.tenant.id}/agents"' in note


def test_a_client_is_allowed_the_chosen_routes(shown: Shop) -> None:
    post(shown, "clients/new", FORM)

    made = clients_of(shown)[0]
    assert (made.app_id, made.allowed_routes, made.authorize_url) == ("shop-assistant", [ROUTE], None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"app_id": "no spaces"}, "app_id"),
        ({"app_id": "عربي"}, "app_id"),
        ({"app_id": "x" * 65}, "app_id"),
        ({"name": "\u202eabc"}, "name"),
        ({"allowed_routes": ["elsewhere"]}, "allowed_routes"),
        ({"authorize_url": "http://localhost/agree"}, "authorize_url"),
    ],
)
def test_a_wrong_form_makes_no_client(shown: Shop, change: dict[str, object], field: str) -> None:
    page = post(shown, "clients/new", {**FORM, **change}).content.decode()

    assert f'id="id_{field}_error"' in page
    assert clients_of(shown) == []


def test_a_public_name_that_is_taken_is_said_at_its_field(shown: Shop, client: AgentClient) -> None:
    page = post(shown, "clients/new", {**FORM, "app_id": client.app_id}).content.decode()

    assert 'id="id_app_id_error"' in page


def test_a_client_keeps_a_route_that_no_agent_goes_by_any_more(shown: Shop) -> None:
    client, _ = make_client(shown.tenant, ["old-route"])

    assert 'value="old-route"' in get(shown, f"clients/{client.id}/edit")


def test_a_client_is_switched_off(shown: Shop, client: AgentClient) -> None:
    post(shown, f"clients/{client.id}/edit", {"name": "مساعد", "allowed_routes": [ROUTE]})

    assert not clients_of(shown)[0].enabled


def test_a_rotated_token_is_shown_once(shown: Shop, client: AgentClient) -> None:
    answer = post(shown, f"clients/{client.id}/rotate")

    assert A_TOKEN.search(answer.content.decode())
    assert clients_of(shown)[0].token_lookup != client.token_lookup


def test_a_member_ends_the_session_of_a_person(shown: Shop, session: AgentSession) -> None:
    post(shown, f"sessions/{session.id}/end")

    with project_scope(shown.tenant.id):
        ended = AgentSession.objects.for_project(shown.tenant.id).get(id=session.id)
    assert ended.revoked_reason == RevokedReason.PROJECT


def test_sessions_are_listed_with_the_person_and_the_device(shown: Shop, session: AgentSession) -> None:
    page = get(shown, f"clients/{session.client_id}")

    assert session.on_behalf_of in page
    assert session.device_label in page
