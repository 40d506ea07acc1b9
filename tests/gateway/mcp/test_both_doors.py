"""The tools at `/mcp` and those of `mawrid-mcp` are the same, word for word."""

from typing import Any

import pytest

from mawrid_client.stdio import tools as stdio
from tests.gateway.mcp.asking import Mcp

OVER_STDIO = {
    tool.name: tool.model_dump(by_alias=True, exclude_none=True)
    for tool in (
        stdio.START_TURN,
        stdio.SEARCH,
        stdio.READ,
        stdio.COMPLETE,
        stdio.SUBMIT_JOB,
        stdio.GET_JOB,
        stdio.WAIT_FOR_JOB,
        stdio.SEARCH_KNOWLEDGE,
    )
}


@pytest.fixture
def over_http(agent_mcp: Mcp, backend_mcp: Mcp, key_mcp: Mcp) -> dict[str, Any]:
    return {**agent_mcp.tools(), **backend_mcp.tools(), **key_mcp.tools()}


@pytest.mark.parametrize("name", list(OVER_STDIO))
def test_a_tool_is_told_alike(over_http: dict[str, Any], name: str) -> None:
    assert over_http[name] == OVER_STDIO[name]


def test_neither_door_has_a_tool_that_the_other_lacks(over_http: dict[str, Any]) -> None:
    assert set(over_http) == set(OVER_STDIO)
