"""The prompt X-ray: what a model is told now, for the draft and for every version."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.agents import context
from tests.agents.conftest import AGENTS, SOURCES, CreateAgent, CreateSource, attached, refusal
from tests.api_client import ApiClient

pytestmark = pytest.mark.django_db


def prompt(api: ApiClient, agent_id: str, **query: str) -> dict[str, Any]:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"{AGENTS}/{agent_id}/prompt?{asked}")
    assert answer.status_code == 200, answer.content
    shown: dict[str, Any] = answer.json()
    return shown


@pytest.mark.conformance("KA-017", "KA-018", "KA-026")
def test_the_x_ray_shows_every_section_and_the_sources_it_used(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source("صندوق بخور — 95 ريال")
    stored = api.get(f"{SOURCES}/{source_id}").json()

    shown = prompt(api, agent((source_id, "always"), instructions="أجب باختصار."))

    instructions, knowledge = shown["sections"]
    assert (instructions["title"], instructions["label"], instructions["text"]) == (
        "Instructions",
        "Draft",
        "أجب باختصار.",
    )
    assert (knowledge["title"], knowledge["label"]) == ("Context Information", "Live: applies to all versions")
    assert "## قائمة الأسعار\n\nصندوق بخور — 95 ريال" in knowledge["text"]
    assert knowledge["sources"] == [
        {
            "source_id": source_id,
            "source_name": "قائمة الأسعار",
            "updated_at": stored["updated_at"],
            "revision": stored["revision"],
            "token_estimate": stored["token_estimate"],
        }
    ]
    assert shown["text"] == f"{instructions['text']}\n\n{knowledge['text']}"
    assert shown["token_estimate"] == instructions["token_estimate"] + knowledge["token_estimate"]
    assert (shown["version"], shown["tools"]) == ("draft", [])


@pytest.mark.conformance("KA-017")
def test_a_content_is_shown_as_it_is_stored(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    content = "  بَخُور ـ \r\n\r\n« أ »\t١٢٣ 🍯\n"

    assert content in prompt(api, agent((source(content, kind="text"), "always")))["text"]


@pytest.mark.conformance("KA-020", "KA-021")
def test_a_searchable_source_is_in_the_tool_and_not_in_the_text(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    shown = prompt(api, agent((source("unmistakable — 1", name="Catalog"), "searchable")))

    (tool,) = shown["tools"]
    assert "unmistakable" not in shown["text"]
    assert "Catalog" in tool["function"]["description"]


@pytest.mark.conformance("KA-020")
@pytest.mark.parametrize(
    ("form", "key"), [("openai", "function"), ("anthropic", "input_schema"), ("mcp", "inputSchema")]
)
def test_the_tools_come_in_the_form_that_is_asked_for(
    api: ApiClient, source: CreateSource, agent: CreateAgent, form: str, key: str
) -> None:
    (tool,) = prompt(api, agent((source(), "searchable")), format=form)["tools"]

    assert key in tool


@pytest.mark.conformance("KA-019")
def test_a_new_order_of_the_sources_is_the_order_of_the_prompt(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    first, second = source("a", name="First"), source("b", name="Second")
    agent_id = agent((first, "always"), (second, "always"))

    api.patch(f"{AGENTS}/{agent_id}", {"knowledge": {"sources": attached((second, "always"), (first, "always"))}})

    text = prompt(api, agent_id)["text"]
    assert text.index("Second") < text.index("First")


@pytest.mark.conformance("KA-025")
def test_editing_a_source_changes_the_prompt_of_every_version(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source("the old content", kind="text")
    agent_id = agent((source_id, "always"), instructions="one")
    api.post(f"{AGENTS}/{agent_id}/publish")
    api.patch(f"{AGENTS}/{agent_id}", {"instructions": "two"})
    api.post(f"{AGENTS}/{agent_id}/publish")

    api.patch(f"{SOURCES}/{source_id}", {"content": "the new content"})

    texts = [prompt(api, agent_id, version=version)["text"] for version in ("1", "2", "draft")]
    assert [text.partition("\n")[0] for text in texts] == ["one", "two", "two"]
    assert ["the new content" in text and "the old content" not in text for text in texts] == [True] * 3


def test_knowledge_that_is_switched_off_is_in_no_version(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id = agent((source("a"), "always"), (source("b"), "searchable"), instructions="one")
    api.post(f"{AGENTS}/{agent_id}/publish")

    api.patch(f"{AGENTS}/{agent_id}", {"knowledge": {"enabled": False}})

    shown = [prompt(api, agent_id, version=version) for version in ("1", "draft")]
    assert [(one["text"], one["tools"], one["warnings"]) for one in shown] == [("one", [], [])] * 2


def test_a_source_that_was_never_fetched_is_left_out(api: ApiClient, agent: CreateAgent) -> None:
    body = {"name": "feed", "kind": "api", "config": {"url": "https://shop.example/feed.json"}}
    source_id = api.post(SOURCES, body).json()["id"]

    assert prompt(api, agent((source_id, "always"), instructions="one"))["text"] == "one"


@pytest.mark.parametrize(
    ("query", "status", "code", "param"),
    [
        ("version=1", 404, "agent_version_not_found", "version"),
        ("version=0", 400, "invalid_format", "version"),
        ("version=latest", 400, "invalid_format", "version"),
        ("version=9999999999", 400, "invalid_format", "version"),
        ("format=xml", 400, "invalid_choice", "format"),
    ],
)
def test_unknown_versions_and_forms_are_refused(
    api: ApiClient, *, agent: CreateAgent, query: str, status: int, code: str, param: str
) -> None:
    assert refusal(api.get(f"{AGENTS}/{agent()}/prompt?{query}")) == (status, code, param)


def test_a_prompt_that_no_model_could_read_is_not_put_together(
    monkeypatch: pytest.MonkeyPatch, api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id = agent((source("a" * 600, kind="text"), "always"), (source("b" * 600, kind="text"), "always"))
    monkeypatch.setattr(context, "MAX_PROMPT_CHARACTERS", 1_000)

    assert refusal(api.get(f"{AGENTS}/{agent_id}/prompt")) == (409, "prompt_too_large", None)
    assert refusal(api.post(f"{AGENTS}/{agent_id}/runs")) == (409, "prompt_too_large", None)


# --- queries ------------------------------------------------------------------------------------------------

# What authentication reads is in others; what opens a transaction and its scope reads no table.
OWN_TABLES = ("agents_", "knowledge_", "projects_project")


def own_queries(captured: CaptureQueriesContext) -> list[str]:
    statements = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in statements if any(f'FROM "{table}' in sql for table in OWN_TABLES)]


@pytest.fixture
def busy(source: CreateSource, agent: CreateAgent) -> str:
    """An agent with 20 always-sources of 5,000 characters."""
    sources = [source("بخور " * 1_000, kind="text", name=f"source {number}") for number in range(20)]
    return agent(*((source_id, "always") for source_id in sources))


def test_a_prompt_of_twenty_sources_takes_three_queries_at_most(api: ApiClient, busy: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        shown = prompt(api, busy)

    assert len(shown["sections"][-1]["sources"]) == 20
    assert len(own_queries(captured)) <= 3


def test_the_prompt_of_a_version_takes_three_queries_at_most(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id = agent((source("a"), "always"), (source("b"), "searchable"))
    api.post(f"{AGENTS}/{agent_id}/publish")

    with CaptureQueriesContext(connection) as captured:
        prompt(api, agent_id, version="1")

    assert len(own_queries(captured)) <= 3
