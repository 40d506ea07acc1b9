"""MCP hosts as tests have them: the official client, over stdio or in the process, called without awaiting."""

import json
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

PACKAGE = Path(__file__).parents[2] / "clients" / "python"


class Host:
    """An open connection of the official client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> dict[str, Any]:
        listed = self._portal.call(self._client.list_tools)
        return {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools}

    def call(self, tool: str, arguments: Any = None) -> CallToolResult:
        result: CallToolResult = self._portal.call(self._client.call_tool, tool, arguments or {})
        assert [json.loads(block.model_dump()["text"]) for block in result.content] == [result.structured_content]
        return result

    def told(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        """What a good result says."""
        result = self.call(tool, arguments)
        assert not result.is_error, result.structured_content
        told: dict[str, Any] = result.structured_content
        return told

    def refused(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        result = self.call(tool, arguments)
        assert result.is_error, result.structured_content
        refusal: dict[str, Any] = result.structured_content
        return refusal


@contextmanager
def connected(server: Any, **options: Any) -> Iterator[Host]:
    """A host of a URL, of a command, or of a server in this process."""
    client = Client(server, **options)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as entered:
        yield Host(portal, entered)


@asynccontextmanager
async def over_http(url: str, token: str) -> AsyncIterator[Any]:
    """A connection to a service's own door, as hosts make it that are given a header."""
    headers = {"Authorization": f"Bearer {token}"}
    # A wait for a job takes up to a minute.
    async with (
        httpx2.AsyncClient(headers=headers, timeout=90) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as streams,
    ):
        yield streams


def command(environment: Mapping[str, str], *arguments: str) -> StdioServerParameters:
    """`mawrid-mcp` as a host starts it."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "mawrid_client.stdio", *arguments],
        env={"PYTHONPATH": str(PACKAGE), **environment},
    )
