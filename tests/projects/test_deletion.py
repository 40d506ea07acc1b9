"""A deleted project leaves nothing behind: no row in any table, and nothing that its keys or others could find."""

from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from apps.knowledge.examples import keep_example
from apps.knowledge.sync import samples
from apps.projects.membership import invite
from apps.projects.models import Project, Role
from apps.projects.scoping import ProjectOwned, across_projects, project_scope
from apps.projects.services import OPERATOR
from tests.api_client import ApiClient
from tests.factories import Tenant, make_member
from tests.gateway.making import ROUTE, Login, make_client, make_session, make_workspace

TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, ProjectOwned)]


def rows_of(tenant: Tenant) -> dict[str, int]:
    with across_projects():
        counts = {
            model.__name__: model.objects.all_projects().filter(project_id=tenant.id).count()
            for model in TENANT_MODELS
        }
        return {**counts, "Project": Project.objects.filter(id=tenant.id).count()}


@pytest.fixture
def lived_in(api: ApiClient, shop: Tenant) -> Tenant:
    """A project that has used what there is."""
    make_member(shop, "owner@shop.example")
    with project_scope(shop.id):
        invite(shop.id, email="new@shop.example", role=Role.VIEWER, language="en", actor=OPERATOR)
    api.post("/v1/secrets", {"name": "TOKEN", "value": "v", "allowed_hosts": ["api.example.com"]})
    api.post("/v1/webhook_endpoints", {"url": "https://hooks.example.com/x", "events": ["*"]})
    api.post("/v1/knowledge_sources", {"name": "a", "kind": "catalog", "content": "عود"}, idempotency_key="1")
    config = {"url": "https://api.example.com/p", "headers": {"X-Token": "{{secret.TOKEN}}"}}
    api.post("/v1/knowledge_sources", {"name": "b", "kind": "api", "config": config})
    api.post("/v1/knowledge/search", {"query": "عود"})
    api.put("/v1/documents/guide", {"revision": "1", "parts": ["عود"]})
    api.post("/v1/documents/guide/snapshots", {"selection": {"mode": "document"}})
    let_a_member_look(shop)
    let_agents_work(api, shop)
    return shop


def let_a_member_look(shop: Tenant) -> None:
    """What only pages make: a question that was kept, and an answer of a feed that is being set up."""
    with project_scope(shop.id):
        keep_example(shop.id, question="عود", source_id=None, text="", actor=OPERATOR)
        samples.request_sample(shop.id, url="https://api.example.com/p", headers={})


def let_agents_work(api: ApiClient, shop: Tenant) -> None:
    """A workspace with knowledge, a client with a login, a session with a turn, and a job."""
    [source] = api.get("/v1/knowledge_sources?kind=catalog").json()["data"]
    agent = api.get(f"/v1/agents/{make_workspace(shop).id}").json()
    guide = {"document_id": "guide", "selection": {"mode": "document"}, "mode": "always"}
    sources = [{"source_id": source["id"], "mode": "searchable"}, guide]
    api.patch(f"/v1/agents/{agent['id']}", {"knowledge": {"sources": sources}})
    api.post(f"/v1/agents/{agent['id']}/publish")
    client, token = make_client(shop)
    Login(client).asked()
    turn = {"client_conversation_id": "c", "client_turn_id": "t", "user_message_id": "m", "user_input": "عود"}
    ApiClient(make_session(client).access_token).post(f"/agent-api/v1/workspaces/{ROUTE}/turns", turn)
    ApiClient(token).post("/run", {"request_id": "1", "route": ROUTE, "input": "عود"})


@pytest.mark.conformance("I-9")
def test_the_project_of_this_test_has_rows_everywhere(lived_in: Tenant) -> None:
    assert [name for name, count in rows_of(lived_in).items() if not count] == []


@pytest.mark.conformance("I-9")
def test_nothing_of_it_stays(lived_in: Tenant) -> None:
    call_command("delete_project", lived_in.id, yes=True, verbosity=0)

    assert set(rows_of(lived_in).values()) == {0}
    assert ApiClient(lived_in.key).get("/v1/project").status_code == 401


@pytest.mark.conformance("I-9")
def test_another_project_keeps_everything(lived_in: Tenant, other_shop: Tenant, other_api: ApiClient) -> None:
    other_api.post("/v1/knowledge_sources", {"name": "a", "kind": "catalog", "content": "عسل"})
    before = rows_of(other_shop)

    call_command("delete_project", lived_in.id, yes=True, verbosity=0)

    assert rows_of(other_shop) == before
    found: Any = other_api.post("/v1/knowledge/search", {"query": "عسل"}).json()
    assert len(found["hits"]) == 1


def test_a_project_that_is_not_there_is_told(db: None) -> None:
    with pytest.raises(CommandError, match="There is no project prj_x"):
        call_command("delete_project", "prj_x", yes=True)
