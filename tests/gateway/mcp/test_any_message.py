"""Whatever JSON arrives at the MCP door is answered in JSON, and never by a fault of ours."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gateway.mcp.asking import LEGACY, MODERN, Mcp

META = "io.modelcontextprotocol/"
TOOLS = ["start_business_turn", "search_business_knowledge", "read_business_knowledge", "complete_business_run"]
# Members that the protocol or a tool gives a meaning, with values that have none.
NAMES = st.sampled_from(
    [
        "user_input",
        "page_context",
        "renderers",
        "query",
        "limit",
        "ref",
        "cursor",
        "max_bytes",
        "content",
        "status",
        "usage",
    ]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | NAMES, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.fixed_dictionaries(
    {"name": st.sampled_from(TOOLS) | st.text(), "arguments": st.dictionaries(NAMES, VALUES, max_size=4) | VALUES},
    optional={"requestState": VALUES, "inputResponses": VALUES, "cursor": VALUES, "protocolVersion": VALUES},
)
MESSAGES = st.fixed_dictionaries(
    {
        "jsonrpc": st.just("2.0"),
        "id": st.integers(-(2**63), 2**63 - 1) | st.text(),
        "method": st.sampled_from(["tools/call", "tools/list", "initialize", "server/discover", "ping"])
        | st.text(),
        "params": CALLS | VALUES,
    }
)


@pytest.fixture
def in_a_turn(agent_mcp: Mcp) -> Mcp:
    agent_mcp.told("start_business_turn", {"user_input": "كم؟"})
    return agent_mcp


def headers_of(message: dict[str, Any], version: str) -> dict[str, str]:
    """The headers of a client that means what it sends, as far as they can be written."""
    params = message["params"] if isinstance(message["params"], dict) else {}
    name = params.get("name")
    written = {"mcp_method": message["method"], "mcp_name": name if isinstance(name, str) else "x"}
    plain = {key: value for key, value in written.items() if value.isascii() and value.isprintable()}
    return {"mcp_protocol_version": version, **plain}


def as_sent(message: dict[str, Any], version: str) -> bytes:
    if version == MODERN and isinstance(message["params"], dict):
        meta = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
        message = {**message, "params": {**message["params"], "_meta": meta}}
    return json.dumps(message).encode()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=MESSAGES, version=st.sampled_from([MODERN, LEGACY]))
def test_any_message_is_answered(in_a_turn: Mcp, message: dict[str, Any], version: str) -> None:
    answer = in_a_turn.post(as_sent(message, version), **headers_of(message, version))

    assert answer.status_code < 500
    assert set(answer.json()) == {"jsonrpc", "id", "result"} or "error" in answer.json()
