"""Runs: what an agent was told, search by search, and on which contents that rested."""

from typing import Any

import pytest

from apps.agents import queries, runs, services
from apps.agents.wording import CUT, FOUND_IN_PART
from apps.knowledge import tokens
from apps.knowledge.lookup import GUIDANCE
from apps.projects.scoping import project_scope
from tests.agents.conftest import AGENTS, SOURCES, UNKNOWN_SOURCE, CreateAgent, CreateSource, refusal
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.together import held_up

pytestmark = pytest.mark.django_db

UNKNOWN_RUN = UNKNOWN_SOURCE.replace("ks_", "run_")


def start(api: ApiClient, agent_id: str, **body: Any) -> dict[str, Any]:
    answer = api.post(f"{AGENTS}/{agent_id}/runs", body)
    assert answer.status_code == 201, answer.content
    run: dict[str, Any] = answer.json()
    return run


def look(api: ApiClient, run: dict[str, Any], query: str) -> dict[str, Any]:
    answer = api.post(f"{path_of(run)}/search_knowledge", {"query": query})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def path_of(run: dict[str, Any]) -> str:
    return f"{AGENTS}/{run['agent_id']}/runs/{run['id']}"


def named(api: ApiClient, *source_ids: str) -> list[dict[str, Any]]:
    """The sources as a step names them when it uses them now."""
    shown = [api.get(f"{SOURCES}/{source_id}").json() for source_id in source_ids]
    return [
        {
            "source_id": one["id"],
            "source_name": one["name"],
            "updated_at": one["updated_at"],
            "revision": one["revision"],
        }
        for one in shown
    ]


# --- the prompt step ----------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-027")
def test_a_run_begins_with_its_prompt(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    always, searched = source("a"), source("b")
    agent_id = agent((always, "always"), (searched, "searchable"), instructions="one")

    run = start(api, agent_id)

    (step,) = run["steps"]
    assert run["id"].startswith("run_")
    assert run["version"] == "draft"
    assert step["id"].startswith("step_")
    assert (step["kind"], step["sources"]) == ("prompt", named(api, always))
    assert step["text"] == api.get(f"{AGENTS}/{agent_id}/prompt").json()["text"]
    assert step["text_sha256"] == runs.hash_of(step["text"])
    assert api.get(path_of(run)).json() == run


def test_a_run_is_of_the_published_version_unless_another_is_asked_for(api: ApiClient, agent: CreateAgent) -> None:
    agent_id = agent(instructions="one")
    before = start(api, agent_id)
    api.post(f"{AGENTS}/{agent_id}/publish")
    api.patch(f"{AGENTS}/{agent_id}", {"instructions": "two"})
    api.post(f"{AGENTS}/{agent_id}/publish")
    api.patch(f"{AGENTS}/{agent_id}", {"instructions": "three"})

    started = [before, start(api, agent_id), start(api, agent_id, version=1), start(api, agent_id, version="draft")]

    assert [(run["version"], run["steps"][0]["text"]) for run in started] == [
        ("draft", "one"),
        (2, "two"),
        (1, "one"),
        ("draft", "three"),
    ]


@pytest.mark.parametrize(
    ("version", "status", "code"),
    [
        (1, 404, "agent_version_not_found"),
        (2**31 - 1, 404, "agent_version_not_found"),
        (2**31, 400, "not_a_version"),
        (0, 400, "not_a_version"),
        ("1", 400, "not_a_version"),
        (1.0, 400, "not_a_version"),
        (True, 400, "not_a_version"),
        (None, 400, "null"),
        ([], 400, "not_a_version"),
    ],
    ids=str,
)
def test_an_unknown_version_starts_no_run(
    api: ApiClient, agent: CreateAgent, version: Any, status: int, code: str
) -> None:
    path = f"{AGENTS}/{agent()}/runs"

    assert refusal(api.post(path, {"version": version})) == (status, code, "version")
    assert api.get(path).json()["data"] == []


def test_runs_are_listed_newest_first_without_their_steps(api: ApiClient, agent: CreateAgent) -> None:
    agent_id = agent()
    started = [start(api, agent_id) for _ in range(3)]

    page = api.get(f"{AGENTS}/{agent_id}/runs?limit=2").json()
    rest = api.get(f"{AGENTS}/{agent_id}/runs?limit=2&cursor={page['next_cursor']}").json()

    assert page["data"] + rest["data"] == [
        {name: value for name, value in run.items() if name != "steps"} for run in reversed(started)
    ]


# --- searching in a run -------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-027", "KA-020")
def test_a_search_finds_in_the_searchable_sources_and_is_written_down(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    always, searched = source("صندوق بخور سري"), source("صندوق بخور — 95 ريال\nعسل سدر — 230 ريال")
    run = start(api, agent((always, "always"), (searched, "searchable")))

    found = look(api, run, "صندق بخور")

    assert [(hit["source_id"], hit["text"]) for hit in found["hits"]] == [(searched, "صندوق بخور — 95 ريال")]
    assert [one["id"] for one in found["searched_sources"]] == [searched]
    assert found["content"].endswith("قائمة الأسعار:\n- صندوق بخور — 95 ريال")
    assert (found["truncated"], found["run_id"], found["miss"]) == (False, run["id"], None)
    prompt, step = api.get(path_of(run)).json()["steps"]
    assert prompt == run["steps"][0]
    assert step == {
        "id": found["step_id"],
        "object": "agent_run_step",
        "kind": "search_knowledge",
        "sources": named(api, searched),
        "text": None,
        "text_sha256": None,
        "token_estimate": None,
        "query": "صندق بخور",
        "hits": [{"source_id": searched, "position": 1, "score": 0.95, "full_match": True}],
        "miss": None,
        "content": found["content"],
        "truncated": False,
        "created_at": step["created_at"],
    }


def test_the_sources_are_searched_in_the_order_of_the_agent(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    older, newer = source("oud"), source("oud")

    found = look(api, start(api, agent((newer, "searchable"), (older, "searchable"))), "oud")

    assert [hit["source_id"] for hit in found["hits"]] == [newer, older]
    assert [one["id"] for one in found["searched_sources"]] == [newer, older]


@pytest.mark.parametrize(
    ("min_score", "texts"),
    [(0, ["oud oil", "oud wood"]), (0.5, ["oud oil", "oud wood"]), (0.51, ["oud oil"]), (1, ["oud oil"])],
)
def test_hits_below_the_lowest_score_are_left_out(
    api: ApiClient, source: CreateSource, agent: CreateAgent, min_score: float, texts: list[str]
) -> None:
    run = start(api, agent((source("oud oil\noud wood"), "searchable"), knowledge={"min_score": min_score}))

    assert [hit["text"] for hit in look(api, run, "oud oil")["hits"]] == texts


@pytest.mark.conformance("KA-061")
def test_what_was_left_out_is_no_evidence_that_there_is_nothing(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    run = start(api, agent((source("oud wood"), "searchable"), knowledge={"min_score": 0.9}))

    miss = look(api, run, "oud oil")["miss"]

    assert miss == {
        "evidence": False,
        "reasons": [{"code": "below_min_score", "source_id": None}],
        "guidance": GUIDANCE["ar", False],
    }


@pytest.mark.conformance("KA-059", "KA-060", "KA-061")
@pytest.mark.parametrize("locale", ["ar", "en"])
@pytest.mark.parametrize(("complete", "evidence"), [(True, True), (False, False)])
def test_a_miss_is_told_in_the_projects_language_and_denies_only_on_evidence(
    api: ApiClient, *, source: CreateSource, agent: CreateAgent, locale: str, complete: bool, evidence: bool
) -> None:
    api.patch("/v1/project", {"locale": locale})
    searched = [source("oud", complete=True), source("musk", complete=complete)]
    run = start(api, agent(*((source_id, "searchable") for source_id in searched)))

    found = look(api, run, "غسالة صحون")

    assert found["miss"]["evidence"] is evidence
    assert found["content"] == found["miss"]["guidance"] == GUIDANCE[locale, evidence]
    assert api.get(path_of(run)).json()["steps"][1]["miss"] == found["miss"]


@pytest.mark.conformance("KA-061")
def test_partial_hits_are_told_as_partial(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    found = look(api, start(api, agent((source("oud wood", complete=True), "searchable"))), "oud oil")

    assert found["miss"] is None
    assert FOUND_IN_PART.ar in found["content"]


def test_a_long_result_is_cut_to_the_tokens_the_agent_allows(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    lines = "\n".join(f"دهن عود كمبودي فاخر رقم {number} — {number} ريال" for number in range(100, 125))
    run = start(api, agent((source(lines), "searchable"), knowledge={"max_result_tokens": 150}))

    found = look(api, run, "دهن عود")

    assert len(found["hits"]) == 25
    assert found["truncated"] is True
    assert found["content"].endswith(CUT.ar)
    assert tokens.estimate(found["content"]) <= 150


@pytest.mark.parametrize("sources", [[], ["always"]], ids=["no source", "only an always-source"])
def test_with_nothing_to_search_a_miss_proves_nothing(
    api: ApiClient, source: CreateSource, agent: CreateAgent, sources: list[str]
) -> None:
    found = look(api, start(api, agent(*((source(), mode) for mode in sources))), "بخور")

    assert found["miss"]["reasons"] == [{"code": "no_sources", "source_id": None}]
    assert found["hits"] == found["searched_sources"] == []


def test_a_run_searches_what_its_version_attaches(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    searched = source("oud")
    agent_id = agent((searched, "searchable"))
    api.post(f"{AGENTS}/{agent_id}/publish")
    of_version, of_draft = start(api, agent_id), start(api, agent_id, version="draft")
    api.patch(f"{AGENTS}/{agent_id}", {"knowledge": {"sources": []}})

    assert [len(look(api, run, "oud")["hits"]) for run in (of_version, of_draft)] == [1, 0]


def test_a_search_is_refused_while_knowledge_is_switched_off(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    run = start(api, agent((source(), "searchable")))
    api.patch(f"{AGENTS}/{run['agent_id']}", {"knowledge": {"enabled": False}})

    answer = api.post(f"{path_of(run)}/search_knowledge", {"query": "بخور"})

    assert refusal(answer) == (409, "knowledge_disabled", None)
    assert len(api.get(path_of(run)).json()["steps"]) == 1


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        ({}, "required", "query"),
        ({"query": " \n"}, "blank", "query"),
        ({"query": 5}, "not_a_string", "query"),
        ({"query": "x" * 2_001}, "too_long", "query"),
        ({"query": "x", "source_ids": []}, "unknown_field", "source_ids"),
        ({"query": "x", "limit": 3}, "unknown_field", "limit"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_faulty_search_leaves_no_step(
    api: ApiClient, agent: CreateAgent, body: dict[str, Any], code: str, param: str
) -> None:
    run = start(api, agent())

    assert refusal(api.post(f"{path_of(run)}/search_knowledge", body)) == (400, code, param)
    assert len(api.get(path_of(run)).json()["steps"]) == 1


def test_a_run_has_only_so_many_steps(monkeypatch: pytest.MonkeyPatch, api: ApiClient, agent: CreateAgent) -> None:
    monkeypatch.setattr(runs, "MAX_STEPS", 2)
    run = start(api, agent())
    look(api, run, "بخور")

    answer = api.post(f"{path_of(run)}/search_knowledge", {"query": "بخور"})

    assert refusal(answer) == (409, "too_many_steps", None)


# --- whose run it is ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "suffix"), [("GET", ""), ("POST", "/search_knowledge")])
def test_a_run_of_another_agent_is_not_found(api: ApiClient, agent: CreateAgent, method: str, suffix: str) -> None:
    run = start(api, agent())
    paths = [f"{AGENTS}/{agent()}/runs/{run_id}{suffix}" for run_id in (run["id"], UNKNOWN_RUN)]

    answers = [api.request(method, path, {"query": "x"}) for path in paths]

    assert [refusal(answer) for answer in answers] == [(404, "run_not_found", None)] * 2


def test_a_key_to_search_searches_in_runs_and_does_no_more(
    api: ApiClient, shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    run = start(api, agent((source(), "searchable")))
    searcher = ApiClient(make_key(shop, scopes=("search",))[1])

    assert len(look(searcher, run, "بخور")["hits"]) == 1
    assert refusal(searcher.get(path_of(run)))[:2] == (403, "scope_missing")
    assert refusal(searcher.post(f"{AGENTS}/{run['agent_id']}/runs"))[:2] == (403, "scope_missing")


def test_a_search_that_is_sent_again_is_one_step(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    run = start(api, agent((source(), "searchable")))
    path = f"{path_of(run)}/search_knowledge"

    answers = [api.post(path, {"query": "بخور"}, idempotency_key="1") for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert len(api.get(path_of(run)).json()["steps"]) == 2


@pytest.mark.django_db(transaction=True)
def test_no_run_starts_of_an_agent_that_is_deleted_at_the_same_time(shop: Tenant, agent: CreateAgent) -> None:
    agent_id = agent()
    with project_scope(shop.id):
        services.delete_agent(queries.get_agent(shop.id, agent_id, lock=True), actor="test")
        answer = held_up(lambda: ApiClient(shop.key).post(f"{AGENTS}/{agent_id}/runs"))

    assert refusal(answer.result())[:2] == (404, "agent_not_found")
