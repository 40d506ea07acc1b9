"""Calls beside knowledge that agents make of habit, answered so that they go on without."""

from typing import Final
from uuid import uuid4

import pytest

from tests.gateway.runtime.talking import Talk, refusal, told

API: Final = "/agent-api/v1"
INVOCATION: Final = f"{API}/tool-invocations/{'a' * 64}"
NOBODYS_ID: Final = "c0ffee00-1d3a-4b5c-8d7e-000000000001"
CONVERSATION: Final = f"{API}/conversation-audits/{NOBODYS_ID}"
INVOKE: Final = {"invocation_id": "a" * 64, "route": "order-assistant", "tool": "goods_update", "arguments": {}}

# Method, address, body, and the code of the 404.
NOTHING_THERE: Final[list[tuple[str, str, object, str]]] = [
    ("POST", f"{API}/tool-invocations", INVOKE, "tool_not_found"),
    ("POST", f"{INVOCATION}/resume", None, "invocation_not_found"),
    ("GET", f"{INVOCATION}/receipt", None, "invocation_not_found"),
    ("GET", f"{API}/tool-invocations/inspection-capabilities", None, "not_found"),
    ("POST", f"{API}/conversation-audits", {"members": []}, "conversation_audit_not_found"),
    ("GET", f"{API}/conversation-audits/capabilities", None, "conversation_audit_not_found"),
    ("POST", f"{CONVERSATION}/confirm", {}, "conversation_audit_not_found"),
    ("POST", f"{CONVERSATION}/events", {"events": []}, "conversation_audit_not_found"),
    ("GET", f"{API}/task-control/capabilities", None, "not_found"),
    ("GET", f"{API}/tasks/{NOBODYS_ID}?workspace=order-assistant", None, "not_found"),
]


@pytest.mark.parametrize(("method", "path", "body", "code"), NOTHING_THERE)
def test_what_is_not_there_is_told_in_the_words_of_the_protocol(
    method: str, path: str, body: object, code: str, talk: Talk
) -> None:
    assert refusal(talk.agent.request(method, path, body)) == (404, code)


@pytest.mark.conformance("BH-039")
@pytest.mark.parametrize("binding", [{"task_id": "x"}, None, "x", []])
def test_a_managed_task_is_refused(binding: object, talk: Talk) -> None:
    assert refusal(talk.start(task_binding=binding)) == (400, "TASK_UNSUPPORTED")


@pytest.mark.conformance("BH-007", "BH-056")
@pytest.mark.parametrize("body", [{"query": "خصم", "limit": 12}, {"query": "خصم"}])
def test_a_search_of_tools_finds_none(body: dict[str, object], talk: Talk) -> None:
    found = told(talk.agent.post(f"{talk.path}/capabilities/search", body))

    assert found["schema"] == found["schema_version"] == "bailing.agent-capability-search.v1"
    assert found["tools"] == []
    assert found["capability_revision"] == talk.started()["capability_revision"]


def test_a_search_of_tools_takes_a_run_in_place_of_a_query(talk: Talk) -> None:
    run_id = talk.started()["run_id"]

    found = told(talk.agent.post(f"{talk.path}/capabilities/search", {"run_id": run_id, "limit": 12}))

    assert found["tools"] == []


MALFORMED: Final[list[dict[str, object]]] = [
    {},
    {"query": ""},
    {"query": "  "},
    {"query": "x" * 2_001},
    {"query": "x", "limit": 0},
    {"query": "x", "limit": 13},
    {"query": "x", "limit": "12"},
    {"limit": 12},
    {"run_id": "x"},
]


@pytest.mark.parametrize("body", MALFORMED, ids=str)
def test_a_malformed_search_of_tools_is_refused(body: dict[str, object], talk: Talk) -> None:
    assert refusal(talk.agent.post(f"{talk.path}/capabilities/search", body)) == (400, "invalid_request")


def test_a_search_of_tools_in_no_run_is_refused(talk: Talk) -> None:
    answer = talk.agent.post(f"{talk.path}/capabilities/search", {"run_id": str(uuid4())})

    assert refusal(answer) == (404, "run_not_found")
