"""Publishing freezes instructions, thresholds and attachments; never content, and no live switch."""

from typing import Any

import pytest

from tests.agents.conftest import AGENTS, SOURCES, CreateAgent, CreateSource, attached, refusal
from tests.api_client import ApiClient

pytestmark = pytest.mark.django_db


def numbers(agent: dict[str, Any]) -> tuple[int, int | None]:
    return agent["version"], agent["published_version"]


def test_a_version_holds_what_the_draft_held(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    first, second = source("a"), source("b")
    knowledge = {"min_score": 0.4, "max_result_tokens": 500}
    path = f"{AGENTS}/{agent((second, 'always'), (first, 'searchable'), instructions='one', knowledge=knowledge)}"
    api.post(f"{path}/publish")
    api.patch(path, {"instructions": "two", "knowledge": {"min_score": 0, "sources": []}})

    (version,) = api.get(f"{path}/versions").json()["data"]

    assert version == {
        "object": "agent_version",
        "agent_id": path.removeprefix(f"{AGENTS}/"),
        "version": 1,
        "published": True,
        "instructions": "one",
        "knowledge": {
            "min_score": 0.4,
            "max_result_tokens": 500,
            "sources": attached((second, "always"), (first, "searchable")),
        },
        "warnings": [],
        "created_at": version["created_at"],
    }


def test_versions_are_counted_and_listed_newest_first(api: ApiClient, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent()}"
    published = [api.post(f"{path}/publish").json()["published_version"] for _ in range(3)]

    page = api.get(f"{path}/versions?limit=2").json()
    rest = api.get(f"{path}/versions?limit=2&cursor={page['next_cursor']}").json()

    listed = [(version["version"], version["published"]) for version in page["data"] + rest["data"]]
    assert published == [1, 2, 3]
    assert listed == [(3, True), (2, False), (1, False)]


def test_the_number_of_the_draft_says_whether_it_was_published(api: ApiClient, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent(instructions='one')}"
    seen = [numbers(api.get(path).json())]

    seen.append(numbers(api.post(f"{path}/publish").json()))
    seen.append(numbers(api.patch(path, {"instructions": "two"}).json()))
    seen.append(numbers(api.patch(path, {"instructions": "one"}).json()))
    seen.append(numbers(api.patch(path, {"instructions": "three"}).json()))
    seen.append(numbers(api.post(f"{path}/publish").json()))

    assert seen == [(1, None), (1, 1), (2, 1), (1, 1), (2, 1), (2, 2)]


@pytest.mark.parametrize(
    "switch",
    [
        {"name": "renamed"},
        {"route": "orders"},
        {"knowledge": {"enabled": False}},
        {"agent_client": {"enabled": False, "audiences": ["customer"], "instructions": "Answer by voice."}},
    ],
    ids=str,
)
def test_a_live_switch_needs_no_publishing(api: ApiClient, agent: CreateAgent, switch: dict[str, Any]) -> None:
    path = f"{AGENTS}/{agent()}"
    api.post(f"{path}/publish")

    assert numbers(api.patch(path, switch).json()) == (1, 1)


@pytest.mark.parametrize(
    "change",
    [{"instructions": "two"}, {"knowledge": {"min_score": 0.5}}, {"knowledge": {"max_result_tokens": 100}}],
    ids=str,
)
def test_what_is_frozen_needs_publishing(api: ApiClient, agent: CreateAgent, change: dict[str, Any]) -> None:
    path = f"{AGENTS}/{agent()}"
    api.post(f"{path}/publish")

    assert numbers(api.patch(path, change).json()) == (2, 1)


def test_another_mode_or_order_needs_publishing(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    first, second = source("a"), source("b")
    path = f"{AGENTS}/{agent((first, 'always'), (second, 'always'))}"
    api.post(f"{path}/publish")

    turned = api.patch(path, {"knowledge": {"sources": attached((second, "always"), (first, "always"))}}).json()
    back = api.patch(path, {"knowledge": {"sources": attached((first, "always"), (second, "always"))}}).json()
    changed = api.patch(
        path, {"knowledge": {"sources": attached((first, "searchable"), (second, "always"))}}
    ).json()

    assert [numbers(one) for one in (turned, back, changed)] == [(2, 1), (1, 1), (2, 1)]


def test_a_prompt_too_large_for_agent_clients_is_not_published(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent((source('🍯' * 49_800, kind='text'), 'always'))}"
    assert api.post(f"{path}/publish").status_code == 200

    api.patch(path, {"agent_client": {"instructions": "x" * 400}})

    assert refusal(api.post(f"{path}/publish")) == (409, "prompt_too_large", None)
    assert numbers(api.get(path).json()) == (1, 1)
    assert len(api.get(f"{path}/versions").json()["data"]) == 1


def test_sources_past_the_limit_by_themselves_are_not_published(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent((source('a' * 100_001, kind='text'), 'always'))}"

    assert refusal(api.post(f"{path}/publish")) == (409, "prompt_too_large", None)


def test_a_version_that_lost_a_source_says_so(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    lost, kept = source("a"), source("b")
    path = f"{AGENTS}/{agent((lost, 'always'), (kept, 'always'))}"
    api.post(f"{path}/publish")
    api.patch(path, {"knowledge": {"sources": attached((kept, "always"))}})
    api.post(f"{path}/publish")
    assert api.delete(f"{SOURCES}/{lost}").status_code == 204

    newer, older = api.get(f"{path}/versions").json()["data"]

    assert [(warning["code"], warning["source_ids"]) for warning in older["warnings"]] == [
        ("source_missing", [lost])
    ]
    assert older["knowledge"]["sources"] == attached((lost, "always"), (kept, "always"))
    assert newer["warnings"] == []
    assert [one["code"] for one in api.get(f"{path}/prompt?version=1").json()["warnings"]] == ["source_missing"]
    assert [
        (issue["code"], issue["severity"], issue["source_id"])
        for issue in api.get(f"{path}/readiness?version=1").json()["issues"]
    ] == [("source_missing", "error", lost)]
    assert api.get(f"{path}/readiness").json() == {"object": "agent_readiness", "ready": True, "issues": []}
