"""Whatever is sent to an agent's addresses is answered flat, in JSON, and never by a fault of ours."""

import json
from typing import Any, Final
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, refusal

# The fields that each address takes, with a value that it may take.
FIELDS: Final[dict[str, dict[str, Any]]] = {
    "turns": {
        "client_conversation_id": "c",
        "client_turn_id": "t",
        "user_message_id": "m",
        "user_input": "بكم البخور؟",
        "page_context": {"url": "/"},
        "renderers": ["markdown"],
        "knowledge_delivery": "on_demand",
        "task_binding": {"task_id": "x"},
    },
    "capabilities/search": {"query": "خصم", "limit": 12, "run_id": str(uuid4())},
    "knowledge/search": {"query": "صندوق بخور", "limit": 3, "run_id": str(uuid4())},
    "knowledge/read": {"ref": "A" * 127, "cursor": "A" * 27, "max_bytes": 4_096, "run_id": str(uuid4())},
    "complete": {
        "assistant_message_id": "a",
        "status": "completed",
        "content": "x",
        "model": "m",
        "runtime": "r",
        "usage": {"input_tokens": 1, "cost_usd": 0.5},
    },
}
TEXT: Final = st.text(max_size=40) | st.sampled_from(
    ["", " ", "\0", "\u202e", "A" * 5_000, "😀" * 100, "null", "-1", "١"]
)
NUMBERS: Final = (
    st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([2**63, -(2**70), 1e308])
)
VALUES: Final = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def bodies(fields: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Good bodies of which some fields are something else, or of another name."""
    changed = {name: st.just(value) | VALUES for name, value in fields.items()}
    strange = st.dictionaries(TEXT, VALUES, max_size=2)
    return st.builds(lambda known, more: {**more, **known}, st.fixed_dictionaries({}, optional=changed), strange)


@pytest.fixture
def path_of(talk: Talk, create: Create, attach: Attach) -> Any:
    attach(create())
    run_id = talk.started()["run_id"]
    return lambda what: f"/agent-api/v1/runs/{run_id}/complete" if what == "complete" else f"{talk.path}/{what}"


@pytest.mark.conformance("BH-086", "BH-088", "A-1")
@pytest.mark.parametrize("what", FIELDS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_generated_bodies_get_an_answer_of_the_protocol(what: str, talk: Talk, path_of: Any, data: Any) -> None:
    body = data.draw(bodies(FIELDS[what]))

    answer = talk.agent.post(path_of(what), json.dumps(body).encode())

    assert answer.status_code < 500
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    assert answer.status_code == 200 or set(answer.json()) == {"error", "message"}


def test_a_number_past_every_float_cannot_be_sent_back(talk: Talk) -> None:
    fields = {name: value for name, value in FIELDS["turns"].items() if name != "task_binding"}
    body = json.dumps({**fields, "page_context": {"n": 0}}).replace('"n": 0', '"n": 1e400').encode()

    assert refusal(talk.agent.post(f"{talk.path}/turns", body)) == (400, "invalid_request")
