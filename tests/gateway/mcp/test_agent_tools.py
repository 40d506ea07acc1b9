"""An agent over MCP: the turn first, then searching and reading in it, then its end; and repeats of each."""

import json
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.gateway.sessions import Tokens
from tests.api_client import ApiClient
from tests.gateway.making import make_session
from tests.gateway.mcp.asking import LEGACY, Mcp
from tests.gateway.mcp.conftest import SHIPPING
from tests.gateway.runtime.talking import change

QUESTION = {"user_input": "كم سعر صندوق البخور؟"}
DONE = {"content": "95 ريال"}


def ref_of(mcp: Mcp, query: str = "الشحن داخل المدينة") -> str:
    hint: dict[str, Any] = mcp.told("search_business_knowledge", {"query": query})["hints"][0]
    return str(hint["ref"])


@pytest.mark.conformance("SDK-037", "SDK-038", "SDK-041")
def test_an_agent_has_four_tools_even_without_knowledge(tokens: Tokens, workspace: Agent) -> None:
    assert set(Mcp(tokens.access_token).tools()) == {
        "start_business_turn",
        "search_business_knowledge",
        "read_business_knowledge",
        "complete_business_run",
    }


@pytest.mark.conformance("SDK-045")
@pytest.mark.parametrize("tool", ["start_business_turn", "search_business_knowledge"])
def test_tools_that_give_hints_say_what_a_hint_is_not(agent_mcp: Mcp, tool: str) -> None:
    assert "no proof that anything was read" in agent_mcp.tools()[tool]["description"]


@pytest.mark.conformance("SDK-046", "SDK-016")
def test_a_hint_has_no_body_to_take_for_one(agent_mcp: Mcp) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    found = agent_mcp.told("search_business_knowledge", {"query": "الشحن"})

    assert set(found["hints"][0]) == {"ref", "title", "summary", "revision", "score", "expires_at"}
    assert len(found["hints"][0]["summary"]) < len(SHIPPING) / 5


@pytest.mark.conformance("SDK-010", "BH-023", "BH-041")
def test_a_turn_comes_with_hints_and_no_bodies(agent_mcp: Mcp) -> None:
    turn = agent_mcp.told("start_business_turn", QUESTION)
    delivery = turn["context"]["knowledge_delivery"]

    assert turn["schema"] == "bailing.agent-turn-context.v1"
    assert (turn["context"]["knowledge"], turn["context"]["knowledge_refs"]) == ([], [])
    assert (delivery["mode"], delivery["status"]) == ("on_demand", "ok")
    assert (
        agent_mcp.told("read_business_knowledge", {"ref": delivery["hints"][0]["ref"]})["run_id"] == turn["run_id"]
    )


@pytest.mark.conformance("SDK-040")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_business_knowledge", {"query": "بخور"}),
        ("read_business_knowledge", {"ref": "kr_1"}),
        ("complete_business_run", DONE),
    ],
)
def test_before_a_turn_there_is_nothing_to_work_in(agent_mcp: Mcp, tool: str, arguments: dict[str, Any]) -> None:
    refusal = agent_mcp.refused(tool, arguments)

    assert (refusal["error"], refusal["next_action"]) == ("run_not_found", "start_turn")


@pytest.mark.conformance("SDK-040", "SDK-042", "SDK-043")
def test_a_search_is_made_in_the_current_run(agent_mcp: Mcp) -> None:
    turn = agent_mcp.told("start_business_turn", QUESTION)
    found = agent_mcp.told("search_business_knowledge", {"query": "صندق بخور", "limit": 1})

    assert (found["run_id"], found["status"], found["trust"]) == (turn["run_id"], "ok", "reference_only")
    assert [hint["title"] for hint in found["hints"]] == ["قائمة الأسعار"]
    assert found["dispatch"] == "not_dispatched"
    assert found["business_operation_performed"] is False


@pytest.mark.conformance("SDK-047")
def test_pages_are_read_to_their_end(agent_mcp: Mcp) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    ref = ref_of(agent_mcp)
    first = agent_mcp.told("read_business_knowledge", {"ref": ref})
    second = agent_mcp.told("read_business_knowledge", {"ref": ref, "cursor": first["next_cursor"]})
    third = agent_mcp.told("read_business_knowledge", {"ref": ref, "cursor": second["next_cursor"]})

    assert first["content"] + second["content"] + third["content"] == SHIPPING
    assert (third["next_cursor"], third["truncated"]) == (None, False)


@pytest.mark.conformance("SDK-019", "BH-048")
def test_a_search_takes_4096_bytes_at_most_with_all_it_says(
    agent_mcp: Mcp, api: ApiClient, workspace: Agent, stocked: dict[str, str]
) -> None:
    long_lines = "\n".join(f"{'عطر ' * 400}{number}" for number in range(3))
    ids = [
        api.post("/v1/knowledge_sources", {"name": "ق" * 200, "kind": "catalog", "content": long_lines}).json()[
            "id"
        ]
        for _ in range(3)
    ]
    change(workspace, knowledge={"sources": [{"source_id": one, "mode": "searchable"} for one in ids]})
    agent_mcp.told("start_business_turn", QUESTION)
    result = agent_mcp.call("search_business_knowledge", {"query": "عطر"})

    assert 3_500 < len(result["content"][0]["text"].encode()) <= 4_096
    assert result["structuredContent"]["truncated"] is True


@pytest.mark.conformance("SDK-020", "BH-065")
@pytest.mark.parametrize("budget", [4_096, 5_000, 16_384, 32_768])
def test_a_page_takes_what_it_may_with_all_it_says(agent_mcp: Mcp, budget: int) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    result = agent_mcp.call("read_business_knowledge", {"ref": ref_of(agent_mcp), "max_bytes": budget})

    assert budget - 68 <= len(result["content"][0]["text"].encode()) <= budget


@pytest.mark.conformance("SDK-030", "BH-085")
def test_an_edit_between_pages_says_to_search_again(
    agent_mcp: Mcp, api: ApiClient, stocked: dict[str, str]
) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    ref = ref_of(agent_mcp)
    page = agent_mcp.told("read_business_knowledge", {"ref": ref})
    api.patch(f"/v1/knowledge_sources/{stocked['shipping']}", {"content": "الشحن خلال ثلاثة أيام."})
    refusal = agent_mcp.refused("read_business_knowledge", {"ref": ref, "cursor": page["next_cursor"]})

    assert (refusal["error"], refusal["next_action"]) == ("knowledge_changed", "search_knowledge")
    assert (refusal["dispatch"], refusal["business_operation_performed"]) == ("not_dispatched", False)
    assert "ثلاثة" not in json.dumps(refusal, ensure_ascii=False)


@pytest.mark.conformance("BH-073")
def test_an_old_reference_says_to_search_again(agent_mcp: Mcp) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    ref = ref_of(agent_mcp)
    with time_machine.travel(timezone.now().timestamp() + 301):
        refusal = agent_mcp.refused("read_business_knowledge", {"ref": ref})

    assert (refusal["error"], refusal["status"], refusal["next_action"]) == (
        "knowledge_reference_expired",
        410,
        "search_knowledge",
    )


# --- repeats ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("SDK-008")
def test_a_repeated_call_is_the_same_turn(agent_mcp: Mcp) -> None:
    first = agent_mcp.told("start_business_turn", QUESTION, id="7")

    assert agent_mcp.told("start_business_turn", QUESTION, id="7") == first


@pytest.mark.parametrize(
    ("arguments", "message_id"),
    [
        (QUESTION, "8"),
        (QUESTION, 7),
        ({"user_input": "سؤال آخر"}, "7"),
        ({**QUESTION, "page_context": {"page": "cart"}}, "7"),
    ],
)
def test_another_call_is_another_turn(agent_mcp: Mcp, arguments: dict[str, Any], message_id: Any) -> None:
    first = agent_mcp.told("start_business_turn", QUESTION, id="7")

    assert agent_mcp.told("start_business_turn", arguments, id=message_id)["run_id"] != first["run_id"]


def test_the_same_words_after_the_end_are_a_new_turn(agent_mcp: Mcp) -> None:
    first = agent_mcp.told("start_business_turn", QUESTION, id=1)
    agent_mcp.told("complete_business_run", DONE, id=2)

    assert agent_mcp.told("start_business_turn", QUESTION, id=1)["run_id"] != first["run_id"]


def test_the_same_words_much_later_are_a_new_turn(agent_mcp: Mcp) -> None:
    """A host that starts anew counts from one again, and what was frozen for the first turn is stale by then."""
    first = agent_mcp.told("start_business_turn", QUESTION, id=1)
    with time_machine.travel(timezone.now().timestamp() + 301):
        assert agent_mcp.told("start_business_turn", QUESTION, id=1)["run_id"] != first["run_id"]


def test_the_same_words_after_another_turn_are_a_new_turn(agent_mcp: Mcp) -> None:
    first = agent_mcp.told("start_business_turn", QUESTION, id=1)
    agent_mcp.told("start_business_turn", {"user_input": "سؤال آخر"}, id=2)
    again = agent_mcp.told("start_business_turn", QUESTION, id=1)

    assert again["run_id"] != first["run_id"]
    assert agent_mcp.told("search_business_knowledge", {"query": "بخور"})["run_id"] == again["run_id"]


def test_the_end_of_a_turn_can_be_told_again(agent_mcp: Mcp) -> None:
    turn = agent_mcp.told("start_business_turn", QUESTION)
    usage = {"input_tokens": 900, "cost_usd": 0.01}
    end = {**DONE, "status": "completed", "model": "m", "runtime": "r", "usage": usage}
    first = agent_mcp.told("complete_business_run", end, id="c")

    assert (first["run_id"], first["status"]) == (turn["run_id"], "completed")
    assert agent_mcp.told("complete_business_run", end, id="c") == first


def test_another_end_after_the_end_is_refused(agent_mcp: Mcp) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    agent_mcp.told("complete_business_run", DONE, id="c")

    assert agent_mcp.refused("complete_business_run", DONE, id="d")["error"] == "run_not_found"


def test_a_repeated_end_does_not_end_an_older_turn(agent_mcp: Mcp) -> None:
    older = agent_mcp.told("start_business_turn", QUESTION)
    newer = agent_mcp.told("start_business_turn", {"user_input": "سؤال آخر"})
    ended = [agent_mcp.told("complete_business_run", DONE, id="c")["run_id"] for _ in range(2)]

    assert ended == [newer["run_id"]] * 2
    assert agent_mcp.told("search_business_knowledge", {"query": "بخور"})["run_id"] == older["run_id"]


@pytest.mark.parametrize("tool", ["search_business_knowledge", "read_business_knowledge"])
def test_after_the_end_there_is_nothing_to_work_in(agent_mcp: Mcp, tool: str) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    argument = {"query": "بخور"} if tool.startswith("search") else {"ref": ref_of(agent_mcp)}
    agent_mcp.told("complete_business_run", DONE)

    assert agent_mcp.refused(tool, argument)["error"] == "run_not_found"


# --- whose turn it is ---------------------------------------------------------------------------------------


@pytest.mark.conformance("BH-074", "SDK-028")
def test_another_session_has_its_own_turns_and_references(agent_mcp: Mcp, agent_client: AgentClient) -> None:
    agent_mcp.told("start_business_turn", QUESTION)
    ref = ref_of(agent_mcp)
    other = Mcp(make_session(agent_client).access_token)

    assert other.refused("read_business_knowledge", {"ref": ref})["error"] == "run_not_found"
    other.told("start_business_turn", QUESTION)
    assert other.refused("read_business_knowledge", {"ref": ref})["error"] == "knowledge_reference_invalid"


def test_a_client_of_the_last_revision_is_served_alike(tokens: Tokens, stocked: dict[str, str]) -> None:
    mcp = Mcp(tokens.access_token, version=LEGACY)
    mcp.told("start_business_turn", QUESTION)

    assert mcp.told("search_business_knowledge", {"query": "بخور"})["status"] == "ok"
