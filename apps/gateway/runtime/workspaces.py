"""Workspaces: the agents that a caller may work with now, what they say of themselves, and what holds for them."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.conf import settings

from apps.agents.context import MAX_CLIENT_UNITS, assemble, client_units
from apps.agents.editions import Attached, AttachedDocument, Edition
from apps.agents.errors import AGENT_VERSION_NOT_FOUND, PROMPT_TOO_LARGE
from apps.agents.models import Agent
from apps.agents.queries import read_edition
from apps.gateway import errors
from apps.gateway.auth import AgentCaller
from apps.gateway.references import Holder
from apps.gateway.routes import open_route, open_routes
from apps.gateway.runtime import protocol
from apps.kernel.errors import AppError
from apps.knowledge.lookup import MOST_HITS
from apps.rest.renderers import encode_canonically

# There are no business tools, so nothing that a model does here changes anything.
GOVERNANCE: Final[dict[str, Any]] = {
    "planner": "local_agent",
    "execution": "none",
    "authorization": "server_revalidated",
    "knowledge_trust": protocol.REFERENCE_ONLY,
    "tool_results_trust": "untrusted_data",
    "hidden_reasoning_sync": False,
    "max_tool_calls": protocol.MOST_TOOLS,
    "permission": "read_only",
}
# Conversations are kept by the agent alone.
NO_MEMORY: Final[dict[str, Any]] = {
    "recent_messages": 0,
    "recent_budget_chars": 0,
    "per_message_chars": 0,
    "summary_enabled": False,
    "summary_max_chars": 0,
}


@dataclass(frozen=True)
class Workspace:
    """A route that the caller may use now, with the agent behind it as it was published."""

    caller: AgentCaller
    agent: Agent
    edition: Edition

    @property
    def project_id(self) -> str:
        return self.agent.project_id

    @property
    def route(self) -> str:
        return str(self.agent.route)

    @cached_property
    def scope_revision(self) -> str:
        """What the agent's knowledge is set up to be: changes with its settings, not with what sources say."""
        edition = self.edition
        settings_of_knowledge = [edition.agent_id, edition.knowledge_enabled, edition.min_score]
        attached = [_set_up(one) for one in edition.sources]
        missing = [*edition.missing, *edition.missing_documents]
        return _hash_of([*settings_of_knowledge, attached, missing])

    def holder(self, run_id: str | None) -> Holder:
        """Whom references are given to here."""
        session = self.caller.session
        return Holder(
            deployment=settings.PUBLIC_URL,
            project_id=self.project_id,
            client_id=self.caller.client.id,
            session_id=session.id,
            principal=encode_canonically(self.caller.principal).decode(),
            on_behalf_of=self.caller.on_behalf_of,
            route=self.route,
            run_id=run_id,
        )


def enter(caller: AgentCaller, route: str, *, with_content: bool = False) -> Workspace:
    """The workspace of a route, with what stands in its prompt if that is wanted.

    Raises `invalid_route`, `route_not_allowed`, `agent_client_disabled`, `audience_not_allowed`, and with content
    `agent_runtime_unavailable` when there is too much of it.
    """
    agent = open_route(caller, route)
    try:
        edition = read_edition(agent, agent.published_version, with_content=with_content)
    except AppError as refusal:
        if refusal.code == PROMPT_TOO_LARGE:
            raise AppError(errors.AGENT_RUNTIME_UNAVAILABLE) from refusal
        if refusal.code == AGENT_VERSION_NOT_FOUND:
            # The agent was deleted since it was found. A 404 would tell that the service is an old one.
            raise AppError(errors.ROUTE_NOT_ALLOWED) from refusal
        raise
    return Workspace(caller, agent, edition)


def list_workspaces(caller: AgentCaller) -> dict[str, Any]:
    agents = open_routes(caller)[: protocol.MOST_WORKSPACES]
    return protocol.named(protocol.WORKSPACES, workspaces=[_shown(agent) for agent in agents])


def bootstrap(caller: AgentCaller, route: str) -> dict[str, Any]:
    """What a workspace says of itself before a turn; raises as `enter` and `profile_of` do."""
    workspace = enter(caller, route, with_content=True)
    prompt = assemble(workspace.edition, client_instructions=workspace.agent.client_instructions)
    return protocol.named(
        protocol.PROFILE,
        workspace=_shown(workspace.agent),
        profile=profile_of(workspace, prompt.text),
        capabilities={
            "revision": capability_revision(),
            "authorized_total": 0,
            "active_limit": protocol.MOST_TOOLS,
            "readonly": 0,
            "writes": 0,
            "approval_required": 0,
        },
    )


def capability_revision() -> str:
    """That of the tools of a workspace, of which there are none."""
    return _hash_of([])


def profile_of(workspace: Workspace, instructions: str) -> dict[str, Any]:
    """What a model is told before anything else and by what rules, with its revision.

    Raises `agent_runtime_unavailable` when the instructions, always-sources included, are longer than agents take.
    """
    if client_units(instructions) > MAX_CLIENT_UNITS:
        raise AppError(errors.AGENT_RUNTIME_UNAVAILABLE)
    profile = {
        "instructions": instructions,
        "memory": NO_MEMORY,
        "knowledge": {
            "enabled": workspace.edition.knowledge_enabled,
            "sources": len(workspace.edition.searchable),
            "mode": "chunk",
            "top_k": MOST_HITS,
            "max_docs": MOST_HITS,
            "page_boost": False,
        },
        "governance": GOVERNANCE,
    }
    return {"revision": _hash_of(profile), **profile}


def _shown(agent: Agent) -> dict[str, Any]:
    """Names may be longer than agents take, which count in UTF-16 units and refuse the whole list for one."""
    name = agent.name.encode("utf-16-le")[: 2 * protocol.MOST_NAME].decode("utf-16-le", "ignore")
    return {"route": agent.route, "name": name, "description": ""}


def _set_up(attached: Attached) -> list[Any]:
    """What holds of an attachment whatever it says."""
    if isinstance(attached, AttachedDocument):
        return [attached.document_id, attached.mode, attached.selection.as_mapping()]
    return [attached.source_id, attached.mode, attached.complete]


def _hash_of(value: Any) -> str:
    return hashlib.sha256(encode_canonically(value)).hexdigest()
