"""What docs/mcp.md says of tools, refusals and hosts is so."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from apps.gateway.mcp import results
from apps.gateway.mcp.calls import WORKSPACE_HEADER
from apps.gateway.mcp.tools import TOOLS
from mawrid_client.stdio import settings

DOCUMENT = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
CONFIGURATIONS = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
PROGRAMS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_table_of_credentials_has_every_tool() -> None:
    table = DOCUMENT.partition("## Who sees which tools")[2].partition("## ")[0]

    assert [name for name in re.findall(r"`([a-z_]+)`", table) if "_" in name] == [tool.name for tool in TOOLS]


def test_every_next_action_is_named() -> None:
    actions = {*results._NEXT_ACTIONS.values(), *results._BY_STATUS.values(), "retry_later", "give_up"}
    [row] = re.findall(r"^\| `next_action` \| (.+) \|$", DOCUMENT, re.MULTILINE)

    assert set(re.findall(r"`([a-z_]+)`", row)) == actions


def servers_of(configuration: str) -> list[dict[str, Any]]:
    parsed = json.loads(configuration)
    return list((parsed.get("mcpServers") or parsed["servers"]).values())


@pytest.mark.parametrize("server", [server for one in CONFIGURATIONS for server in servers_of(one)])
def test_a_configuration_names_what_is_there(server: dict[str, Any]) -> None:
    variables = {value for value in vars(settings).values() if isinstance(value, str)}

    assert set(server.get("headers", {})) <= {"Authorization", WORKSPACE_HEADER}
    assert set(server.get("env", {})) <= variables
    assert {"https://mawrid.example/mcp", "mawrid-mcp"} & {
        server.get("url"),
        server.get("command"),
        *server.get("args", []),
    }


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_compiles(program: str) -> None:
    compile(program, "mcp.md", "exec")
