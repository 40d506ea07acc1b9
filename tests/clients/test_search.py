"""Searching: what is sent, what of the answer is taken, and what breaks the wire."""

from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, turn_input
from tests.clients.conftest import shared_by_both
from tests.fakes.hub import OTHER_ROUTE, ROUTE, SCOPE_REVISION, Hub, Says

PATH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/search"
RUN = "0b0e6f0e-6f53-4f0a-9d5e-1c2d3e4f5a6b"


@pytest.mark.conformance("SDK-012", "SDK-014", "SDK-047")
def test_a_search_is_posted_by_the_wires_names(hub: Hub, client: AgentClient) -> None:
    run = client.start_turn(turn_input("السعر؟")).run_id
    client.search_knowledge(query="صندوق بخور", run_id=run, limit=2)

    assert hub.bodies(PATH) == [{"query": "صندوق بخور", "limit": 2, "run_id": run}]


@pytest.mark.conformance("SDK-033")
def test_a_run_may_be_named_as_other_clients_do(hub: Hub, client: AgentClient) -> None:
    run = client.start_turn(turn_input("السعر؟")).run_id
    client.search_knowledge(query="بخور", runId=run)

    assert hub.bodies(PATH) == [{"query": "بخور", "run_id": run}]


@pytest.mark.conformance("SDK-033")
def test_a_run_named_twice_is_refused(hub: Hub, client: AgentClient) -> None:
    with pytest.raises(AgentError, match="run_id is given twice"):
        client.search_knowledge(query="بخور", run_id=RUN, runId=RUN)
    assert hub.received == []


def test_an_argument_that_is_unknown_is_a_mistake_of_the_caller(client: AgentClient) -> None:
    with pytest.raises(TypeError, match="source_ids"):
        client.search_knowledge(query="بخور", source_ids=["ks_1"])  # type: ignore[call-arg]


@pytest.mark.conformance("SDK-015", "SDK-018")
def test_hints_are_typed(client: AgentClient) -> None:
    found = client.search_knowledge(query="بخور")
    hint = found.hints[0]

    assert (found.status, found.trust, found.truncated) == ("ok", "reference_only", False)
    assert found.knowledge_scope_revision == SCOPE_REVISION
    assert (hint.title, hint.score) == ("قائمة الأسعار", 0.95)
    assert hint.expires_at.utcoffset() is not None
    assert hint["ref"] == hint.ref


@pytest.mark.conformance("SDK-034")
def test_another_workspace_is_searched_when_asked_for(hub: Hub, client: AgentClient) -> None:
    assert client.search_knowledge(query="بخور", workspace=OTHER_ROUTE).route == OTHER_ROUTE


@pytest.mark.conformance("SDK-003")
def test_switched_off_knowledge_is_told_from_a_miss(hub: Hub, client: AgentClient) -> None:
    hub.knowledge_is_on = False

    assert client.search_knowledge(query="بخور").status == "disabled"


@pytest.mark.conformance("SDK-031", "SDK-048")
@pytest.mark.parametrize("status", ["ok", "partial"])
def test_a_result_may_be_partial(hub: Hub, client: AgentClient, status: str) -> None:
    hub.amend["POST", PATH] = lambda body: {**body, "status": status}
    found = client.search_knowledge(query="بخور")

    assert (found.status, bool(found.hints)) == (status, True)


@pytest.mark.conformance("SDK-031")
def test_a_failed_search_is_no_empty_result(hub: Hub, client: AgentClient) -> None:
    hub.amend["POST", PATH] = lambda body: {**body, "status": "unavailable", "hints": []}

    assert client.search_knowledge(query="بخور").status == "unavailable"


@shared_by_both
@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"query": ""}, "query"),
        ({"query": "  \n"}, "blank"),
        ({"query": "ب" * 2_001}, "2000"),
        ({"query": "a\0b"}, "character"),
        ({"query": "\ud800"}, "character"),
        ({"query": 5}, "text"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 4}, "limit"),
        ({"query": "x", "limit": "2"}, "limit"),
        ({"query": "x", "limit": True}, "limit"),
        ({"query": "x", "limit": 1.0}, "limit"),
        ({"query": "x", "run_id": "run_01"}, "run_id"),
        ({"query": "x", "run_id": "018f3c7e-0000-7000-8000-000000000000"}, "run_id"),
        ({"query": "x", "workspace": "../admin"}, "workspace"),
        ({"query": "x", "workspace": "UPPER"}, "workspace"),
    ],
)
def test_what_no_server_would_take_is_not_sent(
    hub: Hub, client: AgentClient, arguments: dict[str, Any], what: str
) -> None:
    with pytest.raises(AgentError, match=what) as refused:
        client.search_knowledge(**arguments)
    assert (refused.value.code, refused.value.status) == ("invalid_request", 400)
    assert hub.received == []


@pytest.mark.parametrize("query", ["ب" * 2_000, "سطر\nوآخر\tوآخر"])
def test_a_query_may_be_long_and_have_lines(client: AgentClient, query: str) -> None:
    assert client.search_knowledge(query=query).status == "ok"


def hint_with(**changes: Any) -> Any:
    return lambda body: {**body, "hints": [{**body["hints"][0], **changes}]}


def having(**changes: Any) -> Any:
    return lambda body: {**body, **changes}


@shared_by_both
@pytest.mark.conformance("SDK-015", "SDK-016", "SDK-021")
@pytest.mark.parametrize(
    "amendment",
    [
        having(schema="bailing.agent-knowledge-read.v1"),
        having(route=OTHER_ROUTE),
        having(run_id=RUN),
        having(knowledge_scope_revision="x" * 64),
        having(status="empty"),
        having(status="disabled"),
        having(status="unavailable"),
        having(trust="trusted"),
        having(truncated=0),
        having(hints=None),
        having(hints={}),
        having(content="the whole body"),
        having(memory=[]),
        lambda body: {**body, "hints": body["hints"] * 2},
        lambda body: {**body, "hints": ["kr_1"]},
        hint_with(ref=""),
        hint_with(ref="r" * 4_097),
        hint_with(ref=None),
        hint_with(title=7),
        hint_with(summary=None),
        hint_with(revision="1" * 40),
        hint_with(score="0.9"),
        hint_with(score=True),
        hint_with(expires_at="soon"),
        hint_with(expires_at="2026-01-01T00:00:00"),
        hint_with(content="the whole body"),
        lambda body: {**body, "hints": [{**body["hints"][0], "title": "س" * 2_100}]},
    ],
)
def test_a_search_that_is_not_as_published_raises(hub: Hub, client: AgentClient, amendment: Any) -> None:
    hub.amend["POST", PATH] = amendment

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="بخور")
    assert (refused.value.code, refused.value.retryable) == ("agent_response_invalid", False)


@pytest.mark.conformance("SDK-019")
def test_a_search_holds_4096_bytes_and_not_one_more(hub: Hub, client: AgentClient) -> None:
    empty = client.search_knowledge(query="بخور").wire
    room = 4_096 - len(Says({**empty, "hints": [], "padding": ""}).encoded())
    hub.says["POST", PATH] = Says({**empty, "hints": [], "padding": "x" * room})
    assert client.search_knowledge(query="بخور").hints == ()

    hub.says["POST", PATH] = Says({**empty, "hints": [], "padding": "x" * (room + 1)})
    with pytest.raises(AgentError, match="4096 bytes"):
        client.search_knowledge(query="بخور")


def test_no_more_hints_are_taken_than_were_asked_for(hub: Hub, client: AgentClient) -> None:
    hub.amend["POST", PATH] = lambda body: {**body, "hints": body["hints"] * 2}

    with pytest.raises(AgentError, match="more than 1 items"):
        client.search_knowledge(query="بخور", limit=1)
