"""A client of `/mcp` without a network: each call in one line, by either revision of the protocol."""

import itertools
import json
from typing import Any, Final

from django.test import Client

MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-11-25"
_META: Final = "io.modelcontextprotocol/"


class Mcp:
    """One credential's view of the door. `told` forms expect a good result and give its object."""

    def __init__(self, token: str | None, *, workspace: str | None = None, version: str = MODERN) -> None:
        self._client = Client(raise_request_exception=False)
        self._token, self._workspace, self._version = token, workspace, version
        self._ids = itertools.count(1)

    def post(self, body: Any, *, content_type: str = "application/json", **headers: str) -> Any:
        """Any body at all; names of headers are keywords with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self._token is not None:
            sent.setdefault("authorization", f"Bearer {self._token}")
        if self._workspace is not None:
            sent["mawrid-workspace"] = self._workspace
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._client.generic("POST", "/mcp", data, content_type=content_type, headers=sent)

    def request(self, method: str, params: dict[str, Any] | None = None, *, id: Any = None) -> Any:  # noqa: A002
        """A JSON-RPC request as a host sends it."""
        message_id = next(self._ids) if id is None else id
        message = {"jsonrpc": "2.0", "id": message_id, "method": method, "params": self._params(params or {})}
        return self.post(message, **self._headers(method, params or {}))

    def call(self, tool: str, arguments: Any = None, *, id: Any = None) -> dict[str, Any]:  # noqa: A002
        """The result of a tool, good or not."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments or {}}, id=id)
        assert answer.status_code == 200, answer.content.decode()
        result: dict[str, Any] = answer.json()["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result

    def told(self, tool: str, arguments: Any = None, *, id: Any = None) -> dict[str, Any]:  # noqa: A002
        result = self.call(tool, arguments, id=id)
        assert result["isError"] is False, result
        told: dict[str, Any] = result["structuredContent"]
        return told

    def refused(self, tool: str, arguments: Any = None, *, id: Any = None) -> dict[str, Any]:  # noqa: A002
        result = self.call(tool, arguments, id=id)
        assert result["isError"] is True, result
        refusal: dict[str, Any] = result["structuredContent"]
        return refusal

    def tools(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.request("tools/list").json()["result"]["tools"]}

    def _params(self, params: dict[str, Any]) -> dict[str, Any]:
        if self._version != MODERN:
            return params
        meta = {f"{_META}protocolVersion": MODERN, f"{_META}clientCapabilities": {}}
        return {**params, "_meta": meta}

    def _headers(self, method: str, params: dict[str, Any]) -> dict[str, str]:
        headers = {"mcp_protocol_version": self._version, "accept": "application/json, text/event-stream"}
        if self._version == MODERN:
            headers["mcp_method"] = method
            if "name" in params:
                headers["mcp_name"] = str(params["name"])
        return headers
