"""Agent clients under /v1: created, shown without their secrets, changed, rotated and deleted."""

from typing import Any

import pytest

from apps.gateway.models import AgentClient, AgentSession, AgentToken, Authorization, Job
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE, Login, make_client, make_session

SECRETS = ("client_token", "callback_secret")


def new(**fields: Any) -> dict[str, Any]:
    return {"app_id": "oud-shop-agent", "name": "مساعد العود", "allowed_routes": [ROUTE], **fields}


def code_of(answer: Any) -> tuple[int, str, str | None]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["param"]


def test_a_new_client_shows_its_secrets_once(api: ApiClient) -> None:
    answer = api.post("/v1/agent_clients", new())

    made = answer.json()
    assert answer.status_code == 201
    assert answer["Location"] == f"/v1/agent_clients/{made['id']}"
    assert made["client_token"].startswith("mwd_client_")
    assert made["callback_secret"].startswith("mwd_callback_")
    assert api.get(answer["Location"]).json() == {
        name: value for name, value in made.items() if name not in SECRETS
    }


def test_a_client_has_what_was_given_and_the_rest_by_default(api: ApiClient) -> None:
    made = api.post("/v1/agent_clients", {"app_id": "a", "name": "b"}).json()

    assert (made["object"], made["app_id"], made["name"]) == ("agent_client", "a", "b")
    assert (made["authorize_url"], made["allowed_routes"], made["enabled"]) == (None, [], True)


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize(
    ("routes", "warned"),
    [
        ([ROUTE], []),
        ([], [("no_routes", [])]),
        (["nowhere", ROUTE, "elsewhere"], [("routes_without_agent", ["nowhere", "elsewhere"])]),
    ],
)
def test_a_client_that_can_do_nothing_yet_is_told_so(
    api: ApiClient, routes: list[str], warned: list[tuple[str, list[str]]]
) -> None:
    made = api.post("/v1/agent_clients", new(allowed_routes=routes)).json()
    [listed] = api.get("/v1/agent_clients").json()["data"]

    assert [(warning["code"], warning["routes"]) for warning in made["warnings"]] == warned
    assert listed["warnings"] == made["warnings"]


def test_a_warning_is_told_in_the_reader_s_language_under_one_tag(api: ApiClient) -> None:
    path = api.post("/v1/agent_clients", new())["Location"]

    english, arabic = api.get(path), api.get(path, accept_language="ar")

    assert english.json()["warnings"][0]["message"].startswith("No published agent")
    assert arabic.json()["warnings"][0]["message"].startswith("لا وكيل منشورًا")
    assert english["ETag"] == arabic["ETag"]


def test_a_route_leads_somewhere_once_its_agent_is_published(api: ApiClient, shop: Tenant) -> None:
    path = api.post("/v1/agent_clients", new())["Location"]
    agent = api.post("/v1/agents", {"name": "a", "instructions": "b", "route": ROUTE}).json()
    before = [warning["code"] for warning in api.get(path).json()["warnings"]]

    api.post(f"/v1/agents/{agent['id']}/publish")

    assert (before, api.get(path).json()["warnings"]) == (["routes_without_agent"], [])


def test_the_tag_of_a_new_client_is_the_one_it_is_read_with(api: ApiClient) -> None:
    answer = api.post("/v1/agent_clients", new())

    assert answer["ETag"] == api.get(answer["Location"])["ETag"]


def test_a_repeated_creation_shows_the_same_secrets(api: ApiClient) -> None:
    first = api.post("/v1/agent_clients", new(), idempotency_key="1")

    again = api.post("/v1/agent_clients", new(), idempotency_key="1")

    assert again.json() == first.json()
    assert again["Idempotent-Replayed"] == "true"


@pytest.mark.conformance("K-1")
def test_no_secret_of_a_client_lies_in_the_database(api: ApiClient, shop: Tenant) -> None:
    made = api.post("/v1/agent_clients", new()).json()

    with project_scope(shop.id):
        client = AgentClient.objects.for_project(shop.id).get()
    kept = repr([bytes(value) if isinstance(value, memoryview) else value for value in vars(client).values()])
    assert [secret for secret in SECRETS if made[secret] in kept] == []


@pytest.mark.parametrize(
    "app_id", ["", "a" * 65, "-a", ".a", "a b", "a/b", "متجر", "a\u202eb", "a\n", "a'", 7, None, ["a"]]
)
def test_a_public_name_that_cannot_be_one_is_refused(api: ApiClient, app_id: Any) -> None:
    status, _, param = code_of(api.post("/v1/agent_clients", new(app_id=app_id)))

    assert (status, param) == (400, "app_id")


def test_a_public_name_is_taken_for_every_project(api: ApiClient, other_api: ApiClient) -> None:
    api.post("/v1/agent_clients", new())

    assert code_of(api.post("/v1/agent_clients", new())) == (409, "app_id_taken", "app_id")
    assert code_of(other_api.post("/v1/agent_clients", new())) == (409, "app_id_taken", "app_id")


@pytest.mark.parametrize("change", [{"app_id": "another"}, {"id": "acl_1"}, {"client_token": "x"}])
def test_what_a_client_is_known_by_cannot_be_changed(api: ApiClient, change: dict[str, str]) -> None:
    made = api.post("/v1/agent_clients", new()).json()

    status, code, _ = code_of(api.patch(f"/v1/agent_clients/{made['id']}", change))

    assert (status, code) == (400, "unknown_field")


@pytest.mark.parametrize(
    ("routes", "code"),
    [
        (["*"], "invalid_format"),
        (["auto"], "route_reserved"),
        (["a"], "invalid_format"),
        (["A-route"], "invalid_format"),
        (["-route"], "invalid_format"),
        (["route\n"], "invalid_format"),
        (["a" * 65], "invalid_format"),
        ([7], "not_a_string"),
        ([ROUTE, ROUTE], "repeated_item"),
        ("order-assistant", "not_a_list"),
        ([f"route-{number}" for number in range(129)], "too_many_items"),
    ],
)
def test_routes_are_named_one_by_one(api: ApiClient, routes: Any, code: str) -> None:
    assert code_of(api.post("/v1/agent_clients", new(allowed_routes=routes)))[:2] == (400, code)


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("https://shop.example/agents", "https://shop.example/agents"),
        ("https://shop.example", "https://shop.example/"),
        ("HTTPS://SHOP.example:443/a?b=c", "https://shop.example/a?b=c"),
        ("https://shop.example:8443/a", "https://shop.example:8443/a"),
        ("https://intranet/a", "https://intranet/a"),
        ("https://متجر.example/", "https://xn--pgbep1f.example/"),
        ("http://127.0.0.1:9000/a", "http://127.0.0.1:9000/a"),
        ("http://127.0.0.1:80/a", "http://127.0.0.1:80/a"),
        ("http://[::1]:9000", "http://[::1]:9000/"),
        (None, None),
    ],
)
def test_a_page_of_the_business_is_one_that_agents_open(api: ApiClient, page: Any, kept: Any) -> None:
    answer = api.post("/v1/agent_clients", new(authorize_url=page))

    assert answer.json()["authorize_url"] == kept


@pytest.mark.parametrize(
    "page",
    [
        "http://shop.example/",
        "http://localhost:9000/",
        "http://127.0.0.1/",
        "http://127.0.0.1:0/",
        "http://127.0.0.2:9000/",
        "http://[::1]/",
        "https://user@shop.example/",
        "https://user:pass@shop.example/",
        "https://shop.example/#part",
        "https://shop.example/a b",
        "https://shop.example\\@evil.example/",
        "https:///agents",
        "//shop.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "/agents",
        "shop.example",
    ],
)
def test_a_page_that_agents_would_not_open_is_refused(api: ApiClient, page: str) -> None:
    assert code_of(api.post("/v1/agent_clients", new(authorize_url=page))) == (
        400,
        "authorize_url_refused",
        "authorize_url",
    )


def test_a_client_can_be_changed(api: ApiClient) -> None:
    made = api.post("/v1/agent_clients", new(authorize_url="https://shop.example/a")).json()
    change = {"name": "آخر", "authorize_url": None, "allowed_routes": ["other"], "enabled": False}

    changed = api.patch(f"/v1/agent_clients/{made['id']}", change).json()

    assert {name: changed[name] for name in change} == change
    assert changed["updated_at"] > made["updated_at"]
    assert api.get(f"/v1/agent_clients/{made['id']}").json() == changed


def test_a_change_to_what_is_there_already_changes_nothing(api: ApiClient) -> None:
    made = api.post("/v1/agent_clients", new()).json()

    same = api.patch(f"/v1/agent_clients/{made['id']}", {"name": made["name"], "enabled": True})

    assert same.json()["updated_at"] == made["updated_at"]


def test_a_rotated_token_is_the_only_one(api: ApiClient) -> None:
    made = api.post("/v1/agent_clients", new()).json()

    rotated = api.post(f"/v1/agent_clients/{made['id']}/rotate_token").json()

    old, fresh = ApiClient(made["client_token"]), ApiClient(rotated["client_token"])
    assert made["callback_secret"] != rotated["callback_secret"]
    assert old.get("/jobs/x").status_code == 401
    assert fresh.get("/jobs/x").status_code == 404


def test_sessions_outlive_a_rotated_token(api: ApiClient, agent_client: AgentClient, agent: ApiClient) -> None:
    api.post(f"/v1/agent_clients/{agent_client.id}/rotate_token")

    assert agent.get("/agent-auth/v1/session").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_deleted_client_leaves_nothing_and_opens_nothing(shop: Tenant, api: ApiClient) -> None:
    client, token = make_client(shop)
    agent = ApiClient(make_session(client).access_token)
    Login(client).asked()

    assert api.delete(f"/v1/agent_clients/{client.id}").status_code == 204

    assert agent.get("/agent-auth/v1/session").status_code == 401
    assert ApiClient(token).get("/jobs/x").status_code == 401
    with project_scope(shop.id):
        models = (AgentClient, AgentSession, AgentToken, Authorization, Job)
        assert [model.objects.for_project(shop.id).count() for model in models] == [0] * len(models)


def test_a_project_has_so_many_clients(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gateway.clients.MAX_CLIENTS", 1)
    api.post("/v1/agent_clients", new())

    assert code_of(api.post("/v1/agent_clients", new(app_id="b")))[:2] == (409, "too_many_agent_clients")


def test_the_project_counts_its_clients_and_live_sessions(
    api: ApiClient, agent_client: AgentClient, agent: ApiClient
) -> None:
    make_session(agent_client)
    agent.post("/agent-auth/v1/revoke")

    usage = api.get("/v1/project").json()["usage"]

    assert (usage["agent_clients"], usage["agent_sessions"]) == (1, 1)


def test_every_deed_is_on_record(api: ApiClient, shop: Tenant) -> None:
    made = api.post("/v1/agent_clients", new()).json()
    path = f"/v1/agent_clients/{made['id']}"
    api.patch(path, {"enabled": False})
    api.post(f"{path}/rotate_token")
    api.delete(path)

    with project_scope(shop.id):
        entries = AuditEntry.objects.for_project(shop.id).filter(target=made["id"]).order_by("id")
        deeds = [entry.action.removeprefix("agent_client.") for entry in entries]
        told = repr([entry.details for entry in entries])
    assert deeds == ["created", "updated", "token_rotated", "deleted"]
    assert [secret for secret in SECRETS if made[secret] in told] == []
