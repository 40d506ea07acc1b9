"""The one tool of a project's key over stdio: searching all that the key may see."""

from typing import Any

from mawrid_client import project_search, wire
from mawrid_client.answers import accept
from mawrid_client.stdio import tools
from mawrid_client.stdio.modes import RequestId, Tools
from mawrid_client.transports import AsyncTransport


class KeyMode:
    """Searches with one key."""

    def __init__(self, base_url: str, key: str) -> None:
        self._key = key
        self._transport = AsyncTransport(base_url, timeout=wire.TIMEOUT_SECONDS, http_client=None)

    @property
    def tools(self) -> Tools:
        return {tools.SEARCH_KNOWLEDGE.name: (tools.SEARCH_KNOWLEDGE, self._search)}

    async def close(self) -> None:
        await self._transport.close()

    async def _search(self, _: RequestId, arguments: dict[str, Any]) -> dict[str, Any]:
        request = project_search.search_request(query=arguments["query"], limit=arguments.get("limit"))
        answer = await self._transport.send(request.with_bearer(self._key), None)
        found = accept(project_search.SEARCH, answer, lambda: project_search.search_of(answer))
        return project_search.bounded(found)
