"""An agent's tools over stdio, called by the official client against the exact hub."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from mawrid_client import AsyncAgentClient
from mawrid_client.stdio.agent_mode import AgentMode
from mawrid_client.stdio.server import INSTRUCTIONS, build
from tests.clients.hosting import Host, connected
from tests.fakes.hub import LONG_SOURCE, OTHER_ROUTE, ROUTE, Hub, Says, Session

BASE = f"/agent-api/v1/workspaces/{ROUTE}"
QUESTION = {"user_input": "كم سعر صندوق البخور؟"}
DONE = {"content": "95 ريال"}
ARGUMENTS = {
    "start_business_turn": QUESTION,
    "search_business_knowledge": {"query": "بخور"},
    "read_business_knowledge": {"ref": "kr_1"},
    "complete_business_run": DONE,
}
Connect = Callable[..., Host]


@pytest.fixture
def connect(hub: Hub) -> Iterator[Connect]:
    """Connects a host to a server of this process; each has turns of its own."""
    with ExitStack() as exits:

        def open_host(session: Session, workspace: str | None = ROUTE) -> Host:
            client = AsyncAgentClient(hub.url, session.access_token, workspace)
            return exits.enter_context(connected(build(AgentMode(client), INSTRUCTIONS)))

        yield open_host


@pytest.fixture
def host(connect: Connect, session: Session) -> Host:
    return connect(session)


def ref_of(host: Host, title: str = "الشحن") -> str:
    hints = host.told("search_business_knowledge", {"query": "x"})["hints"]
    return next(str(hint["ref"]) for hint in hints if hint["title"] == title)


@pytest.mark.conformance("SDK-037", "SDK-038")
def test_an_agent_has_four_tools(host: Host) -> None:
    assert list(host.tools()) == list(ARGUMENTS)


@pytest.mark.conformance("SDK-006", "SDK-036")
@pytest.mark.parametrize("tool", list(ARGUMENTS))
def test_schemas_take_nothing_of_whose_or_where(host: Host, tool: str) -> None:
    schema = host.tools()[tool]["inputSchema"]

    assert schema["additionalProperties"] is False
    assert not {"run_id", "route", "workspace", "knowledge_delivery", "session_id"} & set(schema["properties"])


@pytest.mark.conformance("SDK-036")
@pytest.mark.parametrize("tool", list(ARGUMENTS))
@pytest.mark.parametrize("name", ["run_id", "workspace", "session_id", "connection_key", "knowledge_delivery"])
def test_other_arguments_are_refused(hub: Hub, host: Host, tool: str, name: str) -> None:
    host.told("start_business_turn", QUESTION)
    asked = len(hub.received)
    refusal = host.refused(tool, {**ARGUMENTS[tool], name: "x"})

    assert (refusal["error"], refusal["next_action"]) == ("invalid_request", "correct_input")
    assert len(hub.received) == asked


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("start_business_turn", {}),
        ("start_business_turn", {"user_input": ""}),
        ("start_business_turn", {"user_input": "x" * 64_001}),
        ("start_business_turn", {"user_input": "x", "page_context": {"a": "م" * 9_000}}),
        ("search_business_knowledge", {}),
        ("search_business_knowledge", {"query": "x", "limit": 4}),
        ("read_business_knowledge", {"ref": "r", "max_bytes": 4_095}),
        ("read_business_knowledge", {"ref": "r", "max_bytes": "16384"}),
        ("read_business_knowledge", {"ref": "r", "max_bytes": True}),
        ("complete_business_run", {"content": "x", "status": "done"}),
        ("complete_business_run", {"content": "x", "usage": {"reasoning": 1}}),
    ],
)
def test_arguments_out_of_their_bounds_are_refused(host: Host, tool: str, arguments: dict[str, Any]) -> None:
    host.told("start_business_turn", QUESTION)

    assert host.refused(tool, arguments)["error"] == "invalid_request"


@pytest.mark.conformance("SDK-040")
@pytest.mark.parametrize("tool", ["search_business_knowledge", "read_business_knowledge", "complete_business_run"])
def test_before_a_turn_there_is_nothing_to_work_in(hub: Hub, host: Host, tool: str) -> None:
    refusal = host.refused(tool, ARGUMENTS[tool])

    assert (refusal["error"], refusal["next_action"]) == ("run_not_found", "start_turn")
    assert hub.received == []


@pytest.mark.conformance("SDK-007", "SDK-010")
def test_a_turn_asks_for_hints_where_they_are_known(hub: Hub, host: Host) -> None:
    turn = host.told("start_business_turn", QUESTION)

    assert hub.bodies(f"{BASE}/turns")[0]["knowledge_delivery"] == "on_demand"
    assert (turn["context"]["knowledge"], turn["context"]["knowledge_refs"]) == ([], [])
    assert len(turn["context"]["knowledge_delivery"]["hints"]) == 2


@pytest.mark.conformance("SDK-040", "SDK-042", "SDK-043")
def test_searching_and_reading_belong_to_the_run(hub: Hub, host: Host) -> None:
    run_id = host.told("start_business_turn", QUESTION)["run_id"]
    found = host.told("search_business_knowledge", {"query": "بخور", "limit": 2})
    page = host.told("read_business_knowledge", {"ref": found["hints"][0]["ref"]})

    assert hub.bodies(f"{BASE}/knowledge/search")[-1] == {"query": "بخور", "limit": 2, "run_id": run_id}
    assert (page["run_id"], page["trust"]) == (run_id, "reference_only")
    assert [(one["dispatch"], one["business_operation_performed"]) for one in (found, page)] == [
        ("not_dispatched", False)
    ] * 2


@pytest.mark.conformance("SDK-047")
def test_pages_are_read_to_their_end(host: Host) -> None:
    host.told("start_business_turn", QUESTION)
    ref = ref_of(host)
    first = host.told("read_business_knowledge", {"ref": ref})
    second = host.told("read_business_knowledge", {"ref": ref, "cursor": first["next_cursor"]})
    third = host.told("read_business_knowledge", {"ref": ref, "cursor": second["next_cursor"]})

    assert first["content"] + second["content"] + third["content"] == LONG_SOURCE
    assert third["next_cursor"] is None


@pytest.mark.conformance("SDK-020")
@pytest.mark.parametrize("budget", [4_096, 4_100, 4_161, 4_162, 16_384, 32_768])
def test_a_page_takes_what_it_may_with_all_it_says(host: Host, budget: int) -> None:
    host.told("start_business_turn", QUESTION)
    result = host.call("read_business_knowledge", {"ref": ref_of(host), "max_bytes": budget})

    assert len(result.content[0].model_dump()["text"].encode()) <= budget


@pytest.mark.conformance("SDK-019")
def test_a_search_that_fills_its_bytes_gives_some_up(hub: Hub, host: Host) -> None:
    hub.sources = {"كتاب": "كلمة " * 1_000}
    host.told("start_business_turn", QUESTION)
    hub.amend["POST", f"{BASE}/knowledge/search"] = filled_to(4_096)
    result = host.call("search_business_knowledge", {"query": "x"})
    told: Any = result.structured_content

    assert 4_000 < len(result.content[0].model_dump()["text"].encode()) <= 4_096
    assert told["truncated"] is True
    assert told["hints"][0]["summary"].endswith("كلمة")


def filled_to(size: int) -> Callable[[Any], Any]:
    """An answer whose one summary fills it to the last byte."""

    def amend(body: Any) -> Any:
        hint = {**body["hints"][0], "summary": ""}
        room = size - len(Says({**body, "hints": [hint]}).encoded())
        return {**body, "hints": [{**hint, "summary": ("كلمة " * 1_000).encode()[:room].decode(errors="ignore")}]}

    return amend


@pytest.mark.conformance("SDK-030")
def test_an_edit_between_pages_says_to_search_again(hub: Hub, host: Host) -> None:
    host.told("start_business_turn", QUESTION)
    ref = ref_of(host)
    page = host.told("read_business_knowledge", {"ref": ref})
    hub.sources["الشحن"] += "!"
    refusal = host.refused("read_business_knowledge", {"ref": ref, "cursor": page["next_cursor"]})

    assert (refusal["error"], refusal["next_action"]) == ("knowledge_changed", "search_knowledge")
    assert refusal["business_operation_performed"] is False


# --- an old server ------------------------------------------------------------------------------------------


@pytest.mark.conformance("SDK-044", "SDK-011")
def test_an_old_servers_bodies_come_with_the_turn(hub: Hub, host: Host) -> None:
    hub.says["GET", f"{BASE}/knowledge/capabilities"] = Says({"error": "not_found"}, 404)
    turn = host.told("start_business_turn", QUESTION)

    assert "knowledge_delivery" not in hub.bodies(f"{BASE}/turns")[0]
    assert turn["context"]["knowledge"][0]["content"]


@pytest.mark.conformance("SDK-044")
@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("tool", ["search_business_knowledge", "read_business_knowledge"])
def test_an_old_server_is_said_to_be_one(hub: Hub, host: Host, status: int, tool: str) -> None:
    hub.says["GET", f"{BASE}/knowledge/capabilities"] = Says({}, status)
    host.told("start_business_turn", QUESTION)
    refusal = host.refused(tool, ARGUMENTS[tool])

    assert (refusal["error"], refusal["next_action"]) == ("knowledge_protocol_unsupported", "use_inline_knowledge")
    assert "older" in refusal["message"]


@pytest.mark.conformance("SDK-005", "SDK-044")
@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_failure_is_not_taken_for_an_old_server(hub: Hub, host: Host, status: int) -> None:
    hub.says["GET", f"{BASE}/knowledge/capabilities"] = Says({}, status)

    assert host.refused("start_business_turn", QUESTION)["status"] == status
    del hub.says["GET", f"{BASE}/knowledge/capabilities"]
    assert host.told("start_business_turn", QUESTION)["context"]["knowledge_delivery"]


# --- turns --------------------------------------------------------------------------------------------------


def test_two_requests_are_two_turns(host: Host) -> None:
    first = host.told("start_business_turn", QUESTION)

    assert host.told("start_business_turn", QUESTION)["run_id"] != first["run_id"]


@pytest.mark.conformance("SDK-008")
def test_ids_of_a_turn_follow_from_the_request(hub: Hub, host: Host) -> None:
    host.told("start_business_turn", QUESTION)
    host.told("start_business_turn", QUESTION)
    first, second = hub.bodies(f"{BASE}/turns")

    assert first["client_conversation_id"] == second["client_conversation_id"]
    assert first["client_turn_id"] != second["client_turn_id"]
    assert first["client_turn_id"].removeprefix("mcp-") == first["user_message_id"].removeprefix("mcp-message-")


def test_each_process_has_a_conversation_of_its_own(hub: Hub, connect: Connect, session: Session) -> None:
    connect(session).told("start_business_turn", QUESTION)
    connect(session).told("start_business_turn", QUESTION)
    first, second = hub.bodies(f"{BASE}/turns")

    assert first["client_conversation_id"] != second["client_conversation_id"]


def test_the_current_run_is_the_last_one_that_is_open(host: Host) -> None:
    older = host.told("start_business_turn", QUESTION)["run_id"]
    newer = host.told("start_business_turn", QUESTION)["run_id"]

    assert host.told("search_business_knowledge", {"query": "x"})["run_id"] == newer
    assert host.told("complete_business_run", DONE)["run_id"] == newer
    assert host.told("search_business_knowledge", {"query": "x"})["run_id"] == older


def test_after_the_end_there_is_nothing_to_complete(host: Host) -> None:
    host.told("start_business_turn", QUESTION)
    host.told("complete_business_run", {**DONE, "status": "failed", "usage": {"input_tokens": 5}})

    assert host.refused("complete_business_run", DONE)["error"] == "run_not_found"


# --- workspaces ---------------------------------------------------------------------------------------------


def test_the_only_workspace_needs_no_name(hub: Hub, connect: Connect) -> None:
    host = connect(hub.open_session([OTHER_ROUTE]), None)
    host.told("start_business_turn", QUESTION)

    assert host.told("search_business_knowledge", {"query": "x"})["route"] == OTHER_ROUTE


def test_one_of_several_workspaces_has_to_be_named(connect: Connect, session: Session) -> None:
    refusal = connect(session, None).refused("start_business_turn", QUESTION)

    assert refusal["error"] == "workspace_required"
    assert "MAWRID_WORKSPACE" in refusal["message"]


def test_a_workspace_that_is_not_allowed_is_refused(hub: Hub, connect: Connect) -> None:
    host = connect(hub.open_session([OTHER_ROUTE]), ROUTE)

    assert host.refused("start_business_turn", QUESTION)["error"] == "route_not_allowed"


def test_a_fault_of_ours_tells_nothing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("Bearer secret")

    monkeypatch.setattr("mawrid_client.stdio.agent_mode.results.done", broken)
    refusal = host.refused("start_business_turn", QUESTION)

    assert refusal["error"] == "agent_client_fault"
    assert "secret" not in str(refusal)
