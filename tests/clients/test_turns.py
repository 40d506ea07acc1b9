"""Turns: the wire's mapping goes in, a checked context comes out, and the choice of delivery stays pinned."""

from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, turn_input
from tests.clients.conftest import shared_by_both
from tests.fakes.hub import CAPABILITY_REVISION, OTHER_ROUTE, PROFILE_REVISION, ROUTE, Hub, Says

PATH = f"/agent-api/v1/workspaces/{ROUTE}/turns"
TURN = {
    "client_conversation_id": "c-1",
    "client_turn_id": "t-1",
    "user_message_id": "m-1",
    "user_input": "كم سعر صندوق البخور؟",
}
TOOL = {
    "name": "lookup",
    "description": "Looks up.",
    "input_schema": {"type": "object"},
    "scope": "orders",
    "risk": "low",
    "approval_required": False,
    "readonly": True,
    "idempotent": True,
}


@pytest.mark.conformance("SDK-011")
def test_a_turn_without_the_option_keeps_its_inline_bodies(hub: Hub, client: AgentClient) -> None:
    turn = client.start_turn(TURN)

    assert hub.bodies(PATH) == [TURN]
    assert turn.knowledge[0]["content"]
    assert turn.knowledge_refs[0]["doc_id"] == "d1"
    assert turn.knowledge_delivery is None
    assert (turn.profile_revision, turn.capability_revision) == (PROFILE_REVISION, CAPABILITY_REVISION)
    assert turn.instructions == "Answer briefly."


@pytest.mark.conformance("SDK-006", "SDK-007", "SDK-010")
def test_the_option_is_sent_beside_the_input(hub: Hub, client: AgentClient) -> None:
    turn = client.start_turn(TURN, knowledge_delivery="on_demand")

    assert hub.bodies(PATH) == [{**TURN, "knowledge_delivery": "on_demand"}]
    assert (turn.knowledge, turn.knowledge_refs) == ((), ())
    assert turn.knowledge_delivery is not None
    assert (turn.knowledge_delivery.mode, turn.knowledge_delivery.status) == ("on_demand", "ok")
    assert len(turn.knowledge_delivery.hints) == 2


@pytest.mark.conformance("SDK-026")
def test_hints_of_a_turn_are_read_in_its_run(client: AgentClient) -> None:
    turn = client.start_turn(TURN, knowledge_delivery="on_demand")
    assert turn.knowledge_delivery is not None
    hint = turn.knowledge_delivery.hints[0]

    assert client.read_all(ref=hint.ref, run_id=turn.run_id).title == hint.title


@pytest.mark.conformance("SDK-006")
@pytest.mark.parametrize("name", ["knowledge_delivery", "knowledgeDelivery", "task_binding", "taskBinding"])
def test_the_hosts_choices_have_no_place_in_the_input(hub: Hub, client: AgentClient, name: str) -> None:
    with pytest.raises(AgentError, match="host's choice"):
        client.start_turn({**TURN, name: "on_demand"})
    assert hub.received == []


@pytest.mark.conformance("SDK-008")
@pytest.mark.parametrize(("first", "again"), [("on_demand", None), (None, "on_demand")])
def test_a_retry_is_sent_as_the_first_try_was(
    hub: Hub, client: AgentClient, first: str | None, again: str | None
) -> None:
    """As after an answer that was lost, when the host has asked for the capabilities anew."""
    turn = client.start_turn(TURN, knowledge_delivery=first)
    retried = client.start_turn(TURN, knowledge_delivery=again)

    assert hub.bodies(PATH)[0] == hub.bodies(PATH)[1]
    assert retried.run_id == turn.run_id
    assert dict(retried) == dict(turn)


@pytest.mark.conformance("SDK-008")
def test_the_choice_is_pinned_when_the_first_answer_never_came(hub: Hub, client: AgentClient) -> None:
    hub.says["POST", PATH] = Says({}, 503)
    with pytest.raises(AgentError, match="503"):
        client.start_turn(TURN, knowledge_delivery="on_demand")
    del hub.says["POST", PATH]

    assert client.start_turn(TURN).knowledge_delivery is not None


def test_another_turn_has_its_own_choice(client: AgentClient) -> None:
    client.start_turn(TURN, knowledge_delivery="on_demand")

    assert client.start_turn({**TURN, "client_turn_id": "t-2"}).knowledge_delivery is None
    assert client.start_turn(TURN, workspace=OTHER_ROUTE).knowledge_delivery is None


def test_another_content_for_the_same_turn_is_a_conflict(client: AgentClient) -> None:
    client.start_turn(TURN)

    with pytest.raises(AgentError) as refused:
        client.start_turn({**TURN, "user_input": "شيء آخر"})
    assert (refused.value.code, refused.value.next_action) == ("turn_conflict", "start_turn")


@pytest.mark.conformance("SDK-009", "SDK-011")
def test_a_server_that_does_not_know_the_option_keeps_its_bodies(hub: Hub, client: AgentClient) -> None:
    def legacy(body: Any) -> Any:
        context = {name: value for name, value in body["context"].items() if name != "knowledge_delivery"}
        return {**body, "context": {**context, "knowledge": [{"ref": "knowledge:1", "content": "نص"}]}}

    hub.amend["POST", PATH] = legacy
    turn = client.start_turn(TURN, knowledge_delivery="on_demand")

    assert turn.knowledge_delivery is None
    assert turn.knowledge[0]["content"] == "نص"


def test_an_input_of_a_text_has_ids_of_its_own(client: AgentClient) -> None:
    first, second = turn_input("مرحبا"), turn_input("مرحبا", page_context={"page": "cart"}, renderers=["table"])

    assert first["client_turn_id"] != second["client_turn_id"]
    assert client.start_turn(second)["context"]["page_context"] == {"page": "cart"}


@shared_by_both
@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"client_turn_id": ""}, "client_turn_id"),
        ({"client_turn_id": "t" * 129}, "client_turn_id"),
        ({"client_conversation_id": "a\nb"}, "client_conversation_id"),
        ({"user_message_id": 5}, "user_message_id"),
        ({"user_message_id": None}, "user_message_id"),
        ({"user_input": ""}, "user_input"),
        ({"user_input": "x" * 64_001}, "user_input"),
        ({"user_input": "a\x07b"}, "user_input"),
        ({"user_input": "\udc00"}, "user_input"),
        ({"page_context": []}, "page_context"),
        ({"page_context": {"a": "م" * 8_192}}, "page_context"),
        ({"page_context": {"a": float("nan")}}, "page_context"),
        ({"page_context": {"a": object()}}, "page_context"),
        ({"renderers": "table"}, "renderers"),
        ({"renderers": ["a", "a"]}, "renderers"),
        ({"renderers": [""]}, "renderers"),
        ({"renderers": ["r" * 65]}, "renderers"),
        ({"renderers": [f"r{n}" for n in range(21)]}, "renderers"),
        ({"model": "x"}, "not known: model"),
        ({"run_id": "x"}, "not known: run_id"),
        ({"source_ids": ["ks_1"]}, "not known: source_ids"),
    ],
)
def test_a_turn_no_server_would_take_is_not_sent(
    hub: Hub, client: AgentClient, changes: dict[str, Any], what: str
) -> None:
    with pytest.raises(AgentError, match=what) as refused:
        client.start_turn({**TURN, **changes})
    assert refused.value.code == "invalid_request"
    assert hub.received == []


@pytest.mark.parametrize("given", [None, "text", [("user_input", "x")]])
def test_a_turn_is_an_object(client: AgentClient, given: Any) -> None:
    with pytest.raises(AgentError, match="object"):
        client.start_turn(given)


def test_there_is_one_other_way_of_delivery(client: AgentClient) -> None:
    with pytest.raises(AgentError, match="on_demand"):
        client.start_turn(TURN, knowledge_delivery="inline")


def having(**changes: Any) -> Any:
    return lambda body: {**body, **changes}


def context_with(**changes: Any) -> Any:
    return lambda body: {**body, "context": {**body["context"], **changes}}


def context_without(name: str) -> Any:
    return lambda body: {**body, "context": {key: one for key, one in body["context"].items() if key != name}}


@shared_by_both
@pytest.mark.conformance("SDK-010")
@pytest.mark.parametrize(
    "amendment",
    [
        having(schema="bailing.agent-turn-context.v2"),
        having(run_id="018f3c7e-0000-7000-8000-000000000000"),
        having(run_id="0b0e6f0e-6f53-4f0a-cd5e-1c2d3e4f5a6b"),
        having(run_id="run_01"),
        having(profile_revision="A" * 64),
        having(capability_revision="b" * 63),
        having(context=None),
        having(task_binding={"id": "t"}),
        having(active_tools=None),
        having(active_tools=[TOOL, TOOL]),
        having(active_tools=[{**TOOL, "name": f"t{n}"} for n in range(13)]),
        having(active_tools=[{**TOOL, "name": "has space"}]),
        having(active_tools=[{**TOOL, "description": "d" * 1_201}]),
        having(active_tools=[{**TOOL, "input_schema": {"type": "array"}}]),
        having(active_tools=[{**TOOL, "input_schema": {"type": "object", "title": "x" * 65_536}}]),
        having(active_tools=[{**TOOL, "scope": "s" * 257}]),
        having(active_tools=[{**TOOL, "risk": "none"}]),
        having(active_tools=[{**TOOL, "readonly": "yes"}]),
        context_without("knowledge"),
        context_without("knowledge_refs"),
        context_without("governance"),
        context_without("memory"),
        context_without("memory_refs"),
        context_with(knowledge=None),
        context_with(knowledge_refs=None),
        context_with(instructions="س" * 100_001),
        context_with(instructions="😀" * 50_001),
        context_with(instructions="a\0b"),
        context_with(governance={"x": "م" * 33_000}),
        context_with(renderers=["a", "a"]),
        context_with(page_context={"x": "م" * 9_000}),
        context_with(knowledge_delivery={}),
    ],
)
def test_a_turn_that_is_not_as_published_raises(hub: Hub, client: AgentClient, amendment: Any) -> None:
    hub.amend["POST", PATH] = amendment

    with pytest.raises(AgentError) as refused:
        client.start_turn(TURN)
    assert (refused.value.code, refused.value.retryable) == ("agent_response_invalid", False)


def delivery_with(**changes: Any) -> Any:
    return lambda body: context_with(knowledge_delivery={**body["context"]["knowledge_delivery"], **changes})(body)


@shared_by_both
@pytest.mark.conformance("SDK-009")
@pytest.mark.parametrize(
    "amendment",
    [
        delivery_with(schema_version="bailing.agent-knowledge-delivery.v2"),
        delivery_with(mode="inline"),
        delivery_with(protocol="bailing.agent-knowledge.v2"),
        delivery_with(knowledge_scope_revision=""),
        delivery_with(status="fine"),
        delivery_with(truncated=None),
        delivery_with(hints=None),
        delivery_with(hints=[{"ref": "r", "content": "x"}]),
        delivery_with(padding="x" * 4_096),
        context_with(knowledge=[{"content": "x"}]),
        context_with(knowledge_refs=[{"ref": "x"}]),
        context_with(knowledge_delivery=None),
    ],
)
def test_a_delivery_that_is_not_as_published_raises(hub: Hub, client: AgentClient, amendment: Any) -> None:
    hub.amend["POST", PATH] = amendment

    with pytest.raises(AgentError) as refused:
        client.start_turn(TURN, knowledge_delivery="on_demand")
    assert refused.value.code == "agent_response_invalid"


@pytest.mark.parametrize("instructions", ["س" * 100_000, "😀" * 50_000])
def test_instructions_may_be_as_long_as_published(hub: Hub, client: AgentClient, instructions: str) -> None:
    hub.amend["POST", PATH] = context_with(instructions=instructions)

    assert client.start_turn(TURN).instructions == instructions


def test_up_to_twelve_tools_are_taken(hub: Hub, client: AgentClient) -> None:
    hub.amend["POST", PATH] = having(active_tools=[{**TOOL, "name": f"t{n}"} for n in range(12)])

    assert len(client.start_turn(TURN).active_tools) == 12


# --- completing ---------------------------------------------------------------------------------------------


def test_a_completion_can_be_sent_again(hub: Hub, client: AgentClient) -> None:
    run = client.start_turn(TURN).run_id
    first = client.complete_run(run, content="95 ريال")
    again = client.complete_run(run, content="95 ريال")

    assert (first.run_id, first.status) == (run, "completed")
    assert dict(again) == dict(first)
    assert hub.bodies(f"/agent-api/v1/runs/{run}/complete")[0] == {
        "assistant_message_id": f"assistant-{run}",
        "status": "completed",
        "content": "95 ريال",
    }


def test_a_completion_tells_of_model_and_usage(hub: Hub, client: AgentClient) -> None:
    run = client.start_turn(TURN).run_id
    usage = {"input_tokens": 900, "output_tokens": 40, "cost_usd": 0.002}
    more: Any = {"assistant_message_id": "a.1", "model": "m", "runtime": "r"}
    client.complete_run(run, content="x", status="failed", usage=usage, **more)

    assert hub.bodies(f"/agent-api/v1/runs/{run}/complete") == [
        {"status": "failed", "content": "x", "usage": usage, **more}
    ]


def test_another_completion_is_a_conflict(client: AgentClient) -> None:
    run = client.start_turn(TURN).run_id
    client.complete_run(run, content="x")

    with pytest.raises(AgentError, match="run_completion_conflict"):
        client.complete_run(run, content="y")


@shared_by_both
@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"content": ""}, "content"),
        ({"content": "x" * 64_001}, "content"),
        ({"content": None}, "content"),
        ({"status": "done"}, "status"),
        ({"assistant_message_id": ".a"}, "assistant_message_id"),
        ({"assistant_message_id": "a" * 129}, "assistant_message_id"),
        ({"model": "m" * 192}, "model"),
        ({"runtime": ""}, "runtime"),
        ({"usage": []}, "usage"),
        ({"usage": {"reasoning": 1}}, "not known: reasoning"),
        ({"usage": {"input_tokens": -1}}, "usage"),
        ({"usage": {"cost_usd": float("inf")}}, "usage"),
        ({"usage": {"cost_usd": float("nan")}}, "usage"),
        ({"usage": {"tool_calls": True}}, "usage"),
    ],
)
def test_a_completion_no_server_would_take_is_not_sent(
    hub: Hub, client: AgentClient, changes: dict[str, Any], what: str
) -> None:
    with pytest.raises(AgentError, match=what):
        client.complete_run("0b0e6f0e-6f53-4f0a-9d5e-1c2d3e4f5a6b", **{"content": "x", **changes})
    assert hub.received == []


@shared_by_both
@pytest.mark.parametrize("run_id", ["", "run_1", "../x", "018f3c7e-0000-7000-8000-000000000000", None])
def test_a_run_is_named_by_its_uuid(hub: Hub, client: AgentClient, run_id: Any) -> None:
    with pytest.raises(AgentError, match="run_id"):
        client.complete_run(run_id, content="x")
    assert hub.received == []


@shared_by_both
@pytest.mark.parametrize("changes", [{"run_id": "another"}, {"status": "failed"}, {"schema_version": "x"}])
def test_a_completion_that_is_not_as_published_raises(
    hub: Hub, client: AgentClient, changes: dict[str, str]
) -> None:
    run = client.start_turn(TURN).run_id
    hub.amend["POST", f"/agent-api/v1/runs/{run}/complete"] = lambda body: {**body, **changes}

    with pytest.raises(AgentError, match="agent_response_invalid"):
        client.complete_run(run, content="x")
