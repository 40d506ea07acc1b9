"""The names and limits of the protocol that agents speak under ``/agent-api/v1``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

KNOWLEDGE_PROTOCOL: Final = "bailing.agent-knowledge.v1"

WORKSPACES: Final = "bailing.agent-workspaces.v1"
PROFILE: Final = "bailing.agent-runtime-profile.v1"
TURN: Final = "bailing.agent-turn-context.v1"
COMPLETION: Final = "bailing.agent-run-completion.v1"
CAPABILITY_SEARCH: Final = "bailing.agent-capability-search.v1"
KNOWLEDGE_CAPABILITIES: Final = "bailing.agent-knowledge-capabilities.v1"
KNOWLEDGE_DELIVERY: Final = "bailing.agent-knowledge-delivery.v1"
KNOWLEDGE_SEARCH: Final = "bailing.agent-knowledge-search.v1"
KNOWLEDGE_READ: Final = "bailing.agent-knowledge-read.v1"

ON_DEMAND: Final = "on_demand"
REFERENCE_ONLY: Final = "reference_only"

MOST_WORKSPACES: Final = 128
MOST_TOOLS: Final = 12
# In UTF-16 units.
MOST_NAME: Final = 256
MOST_QUERY: Final = 2_000
MOST_INPUT: Final = 64_000
MOST_RENDERERS: Final = 20
MOST_PAGE_CONTEXT_BYTES: Final = 16 * 1024
MOST_TURN_BODY_BYTES: Final = 512 * 1024

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def named(schema: str, **fields: Any) -> dict[str, Any]:
    """An answer that names its schema, in both places where clients look for it."""
    return {"schema": schema, "schema_version": schema, **fields}
