"""Errors: which codes are believed, what may be tried again, what to do next, and that nothing leaks."""

import json

import pytest

from mawrid_client import AgentClient, AgentError
from mawrid_client.errors import error_of_answer, next_action_of
from tests.fakes.hub import ROUTE, Hub, Says

SEARCH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/search"


@pytest.mark.conformance("SDK-029", "SDK-030")
@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("knowledge_reference_invalid", 400),
        ("knowledge_reference_expired", 410),
        ("knowledge_scope_changed", 409),
        ("knowledge_changed", 409),
    ],
)
def test_a_changed_reference_says_to_search_again(hub: Hub, client: AgentClient, code: str, status: int) -> None:
    hub.says["POST", SEARCH] = Says({"error": code}, status)

    with pytest.raises(AgentError) as refused:
        client.search_knowledge(query="x")
    assert (refused.value.code, refused.value.status) == (code, status)
    assert (refused.value.next_action, refused.value.retryable) == ("search_knowledge", False)


@pytest.mark.conformance("SDK-031")
def test_unavailable_knowledge_says_to_try_later(hub: Hub, client: AgentClient) -> None:
    hub.says["POST", SEARCH] = Says({"error": "knowledge_unavailable"}, 503)

    with pytest.raises(AgentError, match="does not show that there is none") as refused:
        client.search_knowledge(query="x")
    assert (refused.value.next_action, refused.value.retryable) == ("retry_later", True)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": "route_not_allowed"}, "route_not_allowed"),
        ({"error": "TASK_UNSUPPORTED"}, "TASK_UNSUPPORTED"),
        ({"error": "conversation_audit_conflict"}, "conversation_audit_conflict"),
        ({"error": "drop table"}, "agent_forbidden"),
        ({"error": "<script>"}, "agent_forbidden"),
        ({"error": {"code": "route_not_allowed"}}, "agent_forbidden"),
        ({"error": ["route_not_allowed"]}, "agent_forbidden"),
        ({"code": "route_not_allowed"}, "agent_forbidden"),
        (["route_not_allowed"], "agent_forbidden"),
        (b"<html>forbidden</html>", "agent_forbidden"),
        (b"", "agent_forbidden"),
        (b"[" * 50_000, "agent_forbidden"),
    ],
    ids=str,
)
def test_only_published_codes_are_believed(body: object, code: str) -> None:
    assert error_of_answer("search_knowledge", 403, Says(body).encoded()).code == code


@pytest.mark.parametrize(
    ("status", "retryable"),
    [
        *[(status, False) for status in (400, 401, 403, 404, 409, 410, 413)],
        *[(status, True) for status in (408, 425, 429, 500, 502, 503, 504)],
    ],
)
def test_what_may_be_tried_again(status: int, retryable: bool) -> None:
    error = error_of_answer("read_knowledge", status, b"{}")

    assert (error.status, error.retryable) == (status, retryable)


def test_what_a_server_writes_beside_the_code_is_not_shown() -> None:
    body = json.dumps({"error": "route_not_allowed", "message": "SELECT * FROM keys; Bearer abc"}).encode()
    error = error_of_answer("search_knowledge", 403, body)

    assert "SELECT" not in str(error)
    assert "SELECT" not in json.dumps(error.feedback())


def test_feedback_is_the_published_object() -> None:
    feedback = error_of_answer("read_knowledge", 409, b'{"error":"knowledge_changed"}').feedback()

    assert feedback == {
        "schema_version": "bailing.agent-feedback.v1",
        "category": "knowledge",
        "code": "knowledge_changed",
        "origin": "server",
        "operation": "read_knowledge",
        "dispatch": "unknown",
        "retryable": False,
        "next_action": "search_knowledge",
        "message": "The source was edited since the search.",
    }


@pytest.mark.parametrize(
    ("status", "dispatch"),
    [(401, "not_dispatched"), (403, "not_dispatched"), (429, "not_dispatched"), (503, "unknown")],
)
def test_whether_anything_was_done_is_said(status: int, dispatch: str) -> None:
    assert error_of_answer("start_turn", status, b"").dispatch == dispatch


@pytest.mark.parametrize(
    ("code", "action"),
    [
        ("knowledge_reference_whatever", "search_knowledge"),
        ("knowledge_policy_changed", "search_knowledge"),
        ("knowledge_unavailable", "retry_later"),
        ("run_not_found", "start_turn"),
        ("something_else", None),
    ],
)
def test_the_next_action_follows_from_the_code(code: str, action: str | None) -> None:
    assert next_action_of(code) == action
