"""Agents: made, changed, published, taken away, and everything that is refused by name."""

from typing import Any

import pytest

from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.agents.conftest import AGENTS, UNKNOWN_SOURCE, CreateAgent, CreateSource, attached, refusal
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key

pytestmark = pytest.mark.django_db


def audited(tenant: Tenant, agent_id: str) -> list[str]:
    with project_scope(tenant.id):
        entries = AuditEntry.objects.for_project(tenant.id).filter(target=agent_id).order_by("id")
        return [entry.action for entry in entries]


def test_an_agent_is_created_with_defaults(api: ApiClient) -> None:
    answer = api.post(AGENTS, {"name": "  مساعد المتجر "})
    agent = answer.json()

    assert answer.status_code == 201
    assert answer["Location"] == f"{AGENTS}/{agent['id']}"
    assert agent == {
        "id": agent["id"],
        "object": "agent",
        "name": "مساعد المتجر",
        "instructions": "",
        "knowledge": {"enabled": True, "min_score": 0.0, "max_result_tokens": 2000, "sources": []},
        "route": None,
        "agent_client": {"enabled": True, "audiences": ["internal"], "instructions": ""},
        "version": 1,
        "published_version": None,
        "warnings": [],
        "created_at": agent["created_at"],
        "updated_at": agent["created_at"],
    }
    assert api.get(answer["Location"]).json() == agent
    assert api.get(answer["Location"])["ETag"] == answer["ETag"]


@pytest.mark.conformance("KA-014", "KA-019")
def test_sources_are_read_back_in_the_order_they_were_given(api: ApiClient, source: CreateSource) -> None:
    first, second, third = source("a"), source("b"), source("c")
    given = attached((second, "always"), (third, "searchable"), (first, "always"))
    created = api.post(AGENTS, {"name": "agent"}).json()

    changed = api.patch(f"{AGENTS}/{created['id']}", {"knowledge": {"sources": given}}).json()

    assert changed["knowledge"]["sources"] == given
    assert api.get(f"{AGENTS}/{created['id']}").json()["knowledge"]["sources"] == given


@pytest.mark.conformance("KA-003", "KA-004")
def test_two_agents_use_one_source_each_in_its_own_way(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source("صندوق بخور — 95 ريال")
    reads, searches = agent((source_id, "always")), agent((source_id, "searchable"))

    prompts = [api.get(f"{AGENTS}/{agent_id}/prompt").json() for agent_id in (reads, searches)]

    assert ["صندوق بخور" in prompt["text"] for prompt in prompts] == [True, False]
    assert [bool(prompt["tools"]) for prompt in prompts] == [False, True]


def test_a_change_merges_the_keys_of_the_objects_and_replaces_lists(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    kept, dropped = source("a"), source("b")
    agent_id = agent((kept, "always"), (dropped, "always"), knowledge={"min_score": 0.5})

    changed = api.patch(
        f"{AGENTS}/{agent_id}",
        {
            "knowledge": {"sources": attached((kept, "searchable"))},
            "agent_client": {"instructions": "Answer in one line."},
        },
    ).json()

    assert changed["knowledge"] == {
        "enabled": True,
        "min_score": 0.5,
        "max_result_tokens": 2000,
        "sources": attached((kept, "searchable")),
    }
    assert changed["agent_client"] == {
        "enabled": True,
        "audiences": ["internal"],
        "instructions": "Answer in one line.",
    }


def test_the_same_values_again_change_nothing(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent((source(), 'always'), route='orders')}"
    before = api.get(path)
    same = {name: before.json()[name] for name in ("name", "instructions", "knowledge", "route", "agent_client")}

    assert api.patch(path, same).json() == before.json()
    assert api.get(path)["ETag"] == before["ETag"]


def test_agents_are_listed_newest_first_in_pages(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    agents = [agent((source(), "always")) for _ in range(3)]

    page = api.get(f"{AGENTS}?limit=2").json()
    rest = api.get(f"{AGENTS}?limit=2&cursor={page['next_cursor']}").json()

    assert [entry["id"] for entry in page["data"] + rest["data"]] == agents[::-1]
    assert page["data"][0] == api.get(f"{AGENTS}/{agents[-1]}").json()


def test_a_deleted_agent_is_gone_with_its_runs(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent((source(), 'always'))}"
    api.post(f"{path}/publish")
    run = api.post(f"{path}/runs").json()

    assert api.delete(path).status_code == 204
    assert refusal(api.get(path)) == (404, "agent_not_found", None)
    assert refusal(api.get(f"{path}/runs/{run['id']}")) == (404, "agent_not_found", None)


def test_deeds_are_on_record(api: ApiClient, shop: Tenant, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{(agent_id := agent())}"
    api.patch(path, {"instructions": "Be brief."})
    api.patch(path, {"instructions": "Be brief."})
    api.post(f"{path}/publish")
    api.delete(path)

    assert audited(shop, agent_id) == ["agent.created", "agent.updated", "agent.published", "agent.deleted"]


# --- bad input ----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-014", "KA-015")
@pytest.mark.parametrize(
    ("fields", "code", "param"),
    [
        ({"mode": "sometimes"}, "invalid_choice", "knowledge.sources[1].mode"),
        ({"mode": None}, "null", "knowledge.sources[1].mode"),
        ({"source_id": 5}, "not_a_string", "knowledge.sources[1].source_id"),
        ({"limit": 3}, "unknown_field", "knowledge.sources[1].limit"),
    ],
)
@pytest.mark.parametrize("method", ["post", "patch"])
def test_an_attachment_is_refused_by_the_place_of_its_fault(
    api: ApiClient,
    *,
    source: CreateSource,
    agent: CreateAgent,
    method: str,
    fields: dict[str, Any],
    code: str,
    param: str,
) -> None:
    sources = [*attached((source("a"), "always")), {"source_id": source("b"), "mode": "always", **fields}]
    path = AGENTS if method == "post" else f"{AGENTS}/{agent()}"

    answer = getattr(api, method)(path, {"name": "agent", "knowledge": {"sources": sources}})

    assert refusal(answer) == (400, code, param)


@pytest.mark.conformance("KA-015")
@pytest.mark.parametrize("field", ["source_id", "mode"])
def test_an_attachment_needs_its_source_and_its_mode_in_a_change_too(
    api: ApiClient, source: CreateSource, agent: CreateAgent, field: str
) -> None:
    whole = {"source_id": source(), "mode": "always"}
    del whole[field]

    answer = api.patch(f"{AGENTS}/{agent()}", {"knowledge": {"sources": [whole]}})

    assert refusal(answer) == (400, "required", f"knowledge.sources[0].{field}")


@pytest.mark.conformance("KA-014")
def test_the_same_source_twice_is_refused(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    twice, other = source("a"), source("b")
    sources = attached((twice, "always"), (other, "always"), (twice, "searchable"))

    answer = api.patch(f"{AGENTS}/{agent()}", {"knowledge": {"sources": sources}})

    assert refusal(answer) == (400, "repeated_item", "knowledge.sources[2].source_id")


@pytest.mark.conformance("KA-016")
def test_a_source_of_another_project_is_refused_like_one_that_does_not_exist(
    api: ApiClient, other_api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent((source(), 'always'))}"
    before = api.get(path).json()
    foreign = source("a", client=other_api)

    answers = [
        api.patch(path, {"name": "another", "knowledge": {"sources": attached((source_id, "always"))}})
        for source_id in (foreign, UNKNOWN_SOURCE)
    ]

    expected = (404, "knowledge_source_not_found", "knowledge.sources[0].source_id")
    assert [refusal(answer) for answer in answers] == [expected, expected]
    assert api.get(path).json() == before


def test_every_unknown_source_is_named(api: ApiClient, source: CreateSource) -> None:
    sources = attached(("ks_a", "always"), (source(), "always"), ("ks_b", "searchable"))

    answer = api.post(AGENTS, {"name": "agent", "knowledge": {"sources": sources}})

    faults = [fault["param"] for fault in answer.json()["error"]["errors"]]
    assert faults == ["knowledge.sources[0].source_id", "knowledge.sources[2].source_id"]
    assert api.get(AGENTS).json()["data"] == []


def test_a_hundred_sources_are_the_most(api: ApiClient) -> None:
    sources = attached(*((f"ks_{number}", "always") for number in range(101)))

    answer = api.post(AGENTS, {"name": "agent", "knowledge": {"sources": sources}})

    assert refusal(answer) == (400, "too_many_items", "knowledge.sources")


@pytest.mark.parametrize(
    ("fields", "code", "param"),
    [
        ({"name": " "}, "blank", "name"),
        ({"name": "a\u202eb"}, "control_character", "name"),
        ({"instructions": "x" * 50_001}, "too_long", "instructions"),
        ({"instructions": None}, "null", "instructions"),
        ({"knowledge": None}, "null", "knowledge"),
        ({"knowledge": {"min_score": 1.01}}, "too_large", "knowledge.min_score"),
        ({"knowledge": {"min_score": -0.1}}, "too_small", "knowledge.min_score"),
        ({"knowledge": {"min_score": "0.5"}}, "not_a_number", "knowledge.min_score"),
        ({"knowledge": {"min_score": True}}, "not_a_number", "knowledge.min_score"),
        ({"knowledge": {"max_result_tokens": 49}}, "too_small", "knowledge.max_result_tokens"),
        ({"knowledge": {"max_result_tokens": 20_001}}, "too_large", "knowledge.max_result_tokens"),
        ({"knowledge": {"max_result_tokens": 2000.5}}, "not_an_integer", "knowledge.max_result_tokens"),
        ({"knowledge": {"enabled": 1}}, "not_a_boolean", "knowledge.enabled"),
        ({"knowledge": {"sources": None}}, "null", "knowledge.sources"),
        ({"knowledge": {"sources": {}}}, "not_a_list", "knowledge.sources"),
        ({"knowledge": {"sources": ["ks_x"]}}, "not_an_object", "knowledge.sources[0]"),
        ({"knowledge": {"mode": "always"}}, "unknown_field", "knowledge.mode"),
        ({"route": "Orders"}, "invalid_format", "route"),
        ({"route": "o"}, "invalid_format", "route"),
        ({"route": "طلبات"}, "invalid_format", "route"),
        ({"route": "*"}, "invalid_format", "route"),
        ({"route": "auto"}, "route_reserved", "route"),
        ({"route": "x" * 65}, "too_long", "route"),
        ({"agent_client": {"audiences": ["a b"]}}, "invalid_format", "agent_client.audiences[0]"),
        ({"agent_client": {"audiences": ["a", "a"]}}, "repeated_item", "agent_client.audiences[1]"),
        ({"agent_client": {"audiences": "internal"}}, "not_a_list", "agent_client.audiences"),
        ({"agent_client": {"instructions": "x" * 20_001}}, "too_long", "agent_client.instructions"),
        ({"published_version": 1}, "unknown_field", "published_version"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_wrong_fields_are_refused_by_name(api: ApiClient, fields: dict[str, Any], code: str, param: str) -> None:
    refused = refusal(api.post(AGENTS, {"name": "agent", **fields}))

    assert (refused[0], refused[1]) == (400, code)
    assert (refused[2] or "").startswith(param)


# --- routes -------------------------------------------------------------------------------------------------


def test_a_route_belongs_to_one_agent_of_a_project(
    api: ApiClient, other_api: ApiClient, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent()}"
    agent(route="orders")

    assert refusal(api.post(AGENTS, {"name": "b", "route": "orders"})) == (409, "route_taken", "route")
    assert refusal(api.patch(path, {"route": "orders"})) == (409, "route_taken", "route")
    assert api.get(path).json()["route"] is None
    assert other_api.post(AGENTS, {"name": "c", "route": "orders"}).status_code == 201


def test_a_route_can_be_given_up(api: ApiClient, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent(route='orders')}"

    assert api.patch(path, {"route": None}).json()["route"] is None
    assert api.post(AGENTS, {"name": "b", "route": "orders"}).status_code == 201


# --- versions of the object ---------------------------------------------------------------------------------


def test_a_change_to_another_state_is_refused(api: ApiClient, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent()}"
    seen = api.get(path)["ETag"]
    api.patch(path, {"instructions": "Be brief."}, if_match=seen)

    assert refusal(api.patch(path, {"instructions": "Be long."}, if_match=seen))[:2] == (412, "precondition_failed")
    assert refusal(api.delete(path, if_match=seen))[:2] == (412, "precondition_failed")
    assert api.get(path).json()["instructions"] == "Be brief."


def test_a_growing_source_fails_nobodys_change(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    source_id = source("a", kind="text")
    path = f"{AGENTS}/{agent((source_id, 'always'))}"
    seen = api.get(path)["ETag"]
    api.patch(f"/v1/knowledge_sources/{source_id}", {"content": "much more than a"})

    assert api.patch(path, {"instructions": "Be brief."}, if_match=seen).status_code == 200


# --- limits and keys ----------------------------------------------------------------------------------------


def test_a_project_has_only_so_many_agents(
    monkeypatch: pytest.MonkeyPatch, api: ApiClient, agent: CreateAgent
) -> None:
    monkeypatch.setattr("apps.agents.services.MAX_AGENTS", 1)
    agent()

    assert refusal(api.post(AGENTS, {"name": "second"})) == (409, "too_many_agents", None)


def test_the_project_counts_its_agents(api: ApiClient, agent: CreateAgent) -> None:
    agent()
    project = api.get("/v1/project").json()

    assert project["usage"]["agents"] == 1
    assert project["limits"]["agents"] == 500
    assert project["limits"]["sources_of_an_agent"] == 100


@pytest.mark.conformance("K-7")
def test_a_key_limited_to_sources_has_nothing_to_do_with_agents(
    shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source()
    client = ApiClient(make_key(shop, source_ids=[source_id])[1])

    answer = client.get(f"{AGENTS}/{agent((source_id, 'always'))}/prompt")

    assert refusal(answer)[:2] == (403, "key_limited_to_sources")


def test_warnings_are_told_in_the_readers_language(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent((source('كلمة ' * 30_000, kind='text'), 'always'))}"

    english = api.get(path, accept_language="en")
    arabic = api.get(path, accept_language="ar")

    assert "searchable" in english.json()["warnings"][0]["message"]
    assert "قابلة للبحث" in arabic.json()["warnings"][0]["message"]
    assert english["ETag"] == arabic["ETag"]
