"""Readiness: what keeps an agent from answering, what keeps it from answering well, and whose fault it is."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.context import MAX_CLIENT_UNITS
from apps.agents.editions import Edition, FeedState
from apps.agents.readiness import SEVERITIES, Issue, is_ready, judge
from apps.agents.wording import PEOPLE
from tests.agents.conftest import AGENTS, CreateAgent, CreateSource, refusal
from tests.agents.making import NOW, edition, searchable, source
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import Feed, Says, listing
from tests.knowledge.sync.making import sync_now, work

HOUR = timedelta(hours=1)


def feed_state(*, failing: bool = False, age: timedelta | None = timedelta(0)) -> FeedState:
    return FeedState(failing, None if age is None else NOW - age, HOUR)


@pytest.mark.parametrize(
    ("judged", "codes"),
    [
        (edition(source()), []),
        (edition(searchable("a")), []),
        (edition(), ["no_knowledge"]),
        (edition(source(), knowledge_enabled=False), ["no_knowledge"]),
        (edition(missing=("ks_gone",)), ["source_missing"]),
        (edition(source(), missing=("ks_gone",)), ["source_missing"]),
        (edition(source(chunk_count=0)), ["knowledge_empty"]),
        (edition(source(feed=feed_state())), []),
        (edition(source(feed=feed_state(failing=True))), ["knowledge_sync_failing"]),
        (edition(source(revision=None, feed=feed_state(age=None))), ["knowledge_never_synced"]),
        (
            edition(source(revision=None, feed=feed_state(failing=True, age=None))),
            ["knowledge_never_synced", "knowledge_sync_failing"],
        ),
        (edition(source(feed=feed_state(age=3 * HOUR))), []),
        (edition(source(feed=feed_state(age=3 * HOUR + timedelta(seconds=1)))), ["knowledge_stale"]),
        (
            edition(searchable("a", feed=feed_state(failing=True, age=4 * HOUR))),
            ["knowledge_sync_failing", "knowledge_stale"],
        ),
        (edition(source(token_estimate=8_000)), []),
        (edition(source(token_estimate=8_001)), ["always_knowledge_large"]),
        (edition(searchable("a", token_estimate=8_001)), []),
    ],
    ids=lambda value: ",".join(value) or "nothing" if isinstance(value, list) else "",
)
@pytest.mark.conformance("KA-106")
def test_an_edition_is_judged_by_its_sources(judged: Edition, codes: list[str]) -> None:
    assert [issue.code for issue in judge(judged, client_units=0, now=NOW)] == codes


def test_an_issue_of_a_source_names_it() -> None:
    judged = edition(source("a"), source("b", feed=feed_state(failing=True)), missing=("ks_gone",))

    issues = judge(judged, client_units=0, now=NOW)

    assert [(issue.code, issue.source_id) for issue in issues] == [
        ("source_missing", "ks_gone"),
        ("knowledge_sync_failing", "ks_b"),
    ]


@pytest.mark.parametrize(("units", "codes"), [(MAX_CLIENT_UNITS, []), (MAX_CLIENT_UNITS + 1, ["prompt_too_large"])])
def test_a_prompt_that_agent_clients_refuse_is_an_error(units: int, codes: list[str]) -> None:
    issues = judge(edition(source()), client_units=units, now=NOW)

    assert [(issue.code, issue.severity) for issue in issues] == [(code, "error") for code in codes]


@given(st.lists(st.sampled_from(sorted(SEVERITIES)).map(Issue)))
def test_an_agent_is_ready_when_there_is_no_error(issues: list[Issue]) -> None:
    assert is_ready(issues) == ("error" not in {issue.severity for issue in issues})


def test_every_issue_has_a_sentence() -> None:
    assert set(PEOPLE) == set(SEVERITIES)


# --- through the API ----------------------------------------------------------------------------------------


def issues_of(api: ApiClient, agent_id: str, query: str = "") -> list[tuple[str, str, str | None]]:
    shown: dict[str, Any] = api.get(f"{AGENTS}/{agent_id}/readiness{query}").json()
    assert shown["ready"] is ("error" not in [issue["severity"] for issue in shown["issues"]])
    return [(issue["code"], issue["severity"], issue["source_id"]) for issue in shown["issues"]]


@pytest.mark.django_db
@pytest.mark.conformance("KA-106", "KA-107")
def test_a_failing_feed_shows_in_every_agent_that_attached_it_until_it_succeeds(
    api: ApiClient, *, shop: Tenant, feed: Feed, feed_source: str, source: CreateSource, agent: CreateAgent
) -> None:
    users = [agent((feed_source, "always")), agent((feed_source, "searchable"))]
    other = agent((source(), "always"))
    never = [issues_of(api, user) for user in users]
    work(shop)
    good = [issues_of(api, user) for user in users]
    feed.says = Says(status=500)
    sync_now(api, shop, feed_source)
    failing = [issues_of(api, user) for user in (*users, other)]
    feed.says = listing([{"name": "عنبر", "price": 75}])
    sync_now(api, shop, feed_source)

    assert never == [[("knowledge_never_synced", "error", feed_source)]] * 2
    assert good == [[], []]
    assert failing == [[("knowledge_sync_failing", "warning", feed_source)]] * 2 + [[]]
    assert [issues_of(api, user) for user in users] == [[], []]


@pytest.mark.django_db
@pytest.mark.conformance("KA-103")
def test_a_failed_fetch_leaves_the_prompt_as_it_was(
    api: ApiClient, shop: Tenant, feed: Feed, feed_source: str, agent: CreateAgent
) -> None:
    work(shop)
    path = f"{AGENTS}/{agent((feed_source, 'always'))}/prompt"
    before = api.get(path).json()
    feed.says = Says(b"<html>", status=200)

    assert sync_now(api, shop, feed_source)["status"] == "failed"

    assert "صندوق بخور" in before["text"]
    assert api.get(path).json() == before


@pytest.mark.django_db
def test_draft_and_published_version_are_judged_together_unless_one_is_named(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id = agent()
    api.post(f"{AGENTS}/{agent_id}/publish")
    sources = [{"source_id": source(), "mode": "always"}]
    api.patch(f"{AGENTS}/{agent_id}", {"knowledge": {"sources": sources}})

    empty = [("no_knowledge", "warning", None)]
    judged = [issues_of(api, agent_id, query) for query in ("", "?version=1", "?version=draft")]
    api.post(f"{AGENTS}/{agent_id}/publish")

    assert judged == [empty, empty, []]
    assert issues_of(api, agent_id) == []


@pytest.mark.django_db
def test_an_agent_that_grew_past_what_agent_clients_take_is_not_ready(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    growing = source("short", kind="text")
    agent_id = agent((growing, "always"))
    assert api.post(f"{AGENTS}/{agent_id}/publish").status_code == 200

    api.patch(f"/v1/knowledge_sources/{growing}", {"content": "كلمة " * 20_000})

    assert issues_of(api, agent_id) == [
        ("prompt_too_large", "error", None),
        ("always_knowledge_large", "warning", None),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("en", "no knowledge"), ("ar", "ليس للوكيل معرفة")])
def test_issues_are_told_in_the_readers_language(
    api: ApiClient, agent: CreateAgent, language: str, words: str
) -> None:
    (issue,) = api.get(f"{AGENTS}/{agent()}/readiness", accept_language=language).json()["issues"]

    assert words in issue["message"]


@pytest.mark.django_db
def test_an_unknown_version_is_not_judged(api: ApiClient, agent: CreateAgent) -> None:
    answer = api.get(f"{AGENTS}/{agent()}/readiness?version=3")

    assert refusal(answer) == (404, "agent_version_not_found", "version")
