"""What a project's key does over MCP: search the project's knowledge."""

from typing import Any, Final

from apps.gateway.mcp.arguments import checked
from apps.gateway.mcp.calls import Call
from apps.gateway.mcp.results import bounded_search
from apps.knowledge import lookup
from apps.knowledge.serializers import SearchRequest
from apps.projects.auth import ApiCaller
from apps.projects.scoping import project_scope

# A key that may read may search, as at the other door.
SCOPES: Final = frozenset({"search", "read"})


def search_knowledge(_: Call, caller: ApiCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    """All that the key may see is searched; which sources those are is not for a model to choose."""
    body = checked(SearchRequest, arguments)
    with project_scope(caller.project_id):
        return bounded_search(lookup.search(caller.project_id, **body, visible=caller.source_ids))
