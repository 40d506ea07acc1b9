"""An agent's tools over stdio: the turn first, then searching and reading in it, then its end.

The process remembers the turns that it started, so no tool takes a run, and the ids of a turn follow from the
host's request, so that a repeated request is the same turn.
"""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mawrid_client import wire
from mawrid_client.async_client import AsyncAgentClient
from mawrid_client.errors import AgentError, refuse_input
from mawrid_client.messages import encode
from mawrid_client.results import KnowledgeCapabilities
from mawrid_client.stdio import results, tools
from mawrid_client.stdio.modes import RequestId, Tools

_START: Final = "start_turn"


@dataclass
class _Runs:
    """Turns that this process started, the last one first to be worked in."""

    open: list[str] = field(default_factory=list)
    # The last run that was completed, and by which message.
    ended: tuple[str, str] | None = None

    def start(self, run_id: str) -> None:
        if run_id not in self.open:
            self.open.append(run_id)

    def end(self, run_id: str, message_id: str) -> None:
        if run_id in self.open:
            self.open.remove(run_id)
        self.ended = (run_id, message_id)

    @property
    def current(self) -> str:
        if not self.open:
            raise AgentError("run_not_found", status=404)
        return self.open[-1]


class AgentMode:
    """The four tools of one session in one workspace."""

    def __init__(self, client: AsyncAgentClient) -> None:
        self._client = client
        self._conversation = f"mcp-{uuid.uuid4()}"
        self._runs = _Runs()
        self._place: tuple[str, str] | None = None
        self._capabilities: KnowledgeCapabilities | None = None

    @property
    def tools(self) -> Tools:
        return {
            tool.name: (tool, run)
            for tool, run in (
                (tools.START_TURN, self._start),
                (tools.SEARCH, self._search),
                (tools.READ, self._read),
                (tools.COMPLETE, self._complete),
            )
        }

    async def close(self) -> None:
        await self._client.close()

    # --- the tools ------------------------------------------------------------------------------------------

    async def _start(self, request_id: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        session_id, workspace = await self._where()
        capabilities = await self._negotiated(workspace)
        digest = _hash_of([session_id, self._conversation, request_id, arguments])
        turn = await self._client.start_turn(
            {
                **arguments,
                "client_conversation_id": self._conversation,
                "client_turn_id": f"mcp-{digest}",
                "user_message_id": f"mcp-message-{digest}",
            },
            knowledge_delivery=wire.ON_DEMAND if capabilities.supported else None,
            workspace=workspace,
        )
        self._runs.start(turn.run_id)
        return results.done(turn)

    async def _search(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        run_id, workspace = self._runs.current, await self._supporting()
        found = await self._client.search_knowledge(
            arguments["query"], limit=arguments.get("limit"), run_id=run_id, workspace=workspace
        )
        return results.fitted_search(found)

    async def _read(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        run_id, workspace = self._runs.current, await self._supporting()
        max_bytes = _page_bytes(arguments.get("max_bytes", wire.READ_DEFAULT_BYTES))
        page = await self._client.read_knowledge(
            arguments["ref"],
            cursor=arguments.get("cursor"),
            max_bytes=results.page_budget(max_bytes),
            run_id=run_id,
            workspace=workspace,
        )
        return results.fitted_page(page, max_bytes)

    async def _complete(self, request_id: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        run_id, message_id = self._to_complete(request_id, arguments)
        completion = await self._client.complete_run(
            run_id,
            content=arguments["content"],
            status=arguments.get("status", "completed"),
            assistant_message_id=message_id,
            model=arguments.get("model"),
            runtime=arguments.get("runtime"),
            usage=arguments.get("usage"),
        )
        self._runs.end(run_id, message_id)
        return results.done(completion)

    def _to_complete(self, request_id: RequestId, arguments: dict[str, Any]) -> tuple[str, str]:
        """The run and the message; a repeated request ends what it ended before, not the turn behind it."""
        if self._runs.ended is not None:
            run_id, message_id = self._runs.ended
            if message_id == _message_id(run_id, request_id, arguments):
                return run_id, message_id
        run_id = self._runs.current
        return run_id, _message_id(run_id, request_id, arguments)

    # --- where and with what --------------------------------------------------------------------------------

    async def _where(self) -> tuple[str, str]:
        """Session and workspace, asked once; without a choice the only workspace there is."""
        if self._place is None:
            view = await self._client.get_session()
            self._place = (view.session_id, _chosen(self._client.workspace, view.allowed_routes))
        return self._place

    async def _negotiated(self, workspace: str) -> KnowledgeCapabilities:
        """Whether the server has the protocol; what failed is asked again, and never taken for an old server."""
        if self._capabilities is None:
            self._capabilities = await self._client.get_knowledge_capabilities(workspace=workspace)
        return self._capabilities

    async def _supporting(self) -> str:
        """The workspace, where knowledge can be searched and read at all."""
        _, workspace = await self._where()
        if not (await self._negotiated(workspace)).supported:
            raise AgentError("knowledge_protocol_unsupported", status=501, retryable=False)
        return workspace


def _chosen(workspace: str | None, allowed: tuple[str, ...]) -> str:
    if workspace is not None:
        return workspace
    if len(allowed) != 1:
        raise AgentError(
            "workspace_required",
            status=400,
            operation=_START,
            message=f"Set MAWRID_WORKSPACE to one of: {', '.join(allowed)}.",
        )
    return allowed[0]


def _page_bytes(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise refuse_input("max_bytes must be a whole number.")
    if not wire.READ_MIN_BYTES <= given <= wire.READ_MAX_BYTES:
        raise refuse_input(f"max_bytes must be from {wire.READ_MIN_BYTES} to {wire.READ_MAX_BYTES}.")
    return given


def _message_id(run_id: str, request_id: RequestId, arguments: Mapping[str, Any]) -> str:
    return f"mcp-{_hash_of([run_id, request_id, arguments])}"


def _hash_of(parts: list[Any]) -> str:
    try:
        return hashlib.sha256(encode(parts)).hexdigest()
    except (TypeError, ValueError) as error:
        raise refuse_input("The arguments hold a character that is not allowed there.") from error
