"""Which routes a caller may use now: allowed to client and session, published, switched on, open to the audience.

A route is that of an agent, and what is behind it is the agent's published version. Nothing here is remembered from
one call to the next.
"""

import re
from typing import Final

from apps.agents.models import Agent
from apps.agents.queries import find_workspace, workspaces_of
from apps.agents.serializers import ROUTE as ROUTE_PATTERN
from apps.gateway import errors
from apps.gateway.auth import AgentCaller, ClientCaller
from apps.kernel.errors import AppError

ROUTE: Final = re.compile(ROUTE_PATTERN, re.ASCII)


def open_routes(caller: AgentCaller) -> list[Agent]:
    """The agents whose routes the caller may use, by route."""
    return [
        agent
        for agent in workspaces_of(caller.project_id).filter(route__in=caller.allowed_routes)
        if fault_of(agent, caller.audience) is None
    ]


def open_route(caller: AgentCaller, route: str) -> Agent:
    """The agent of a route of the caller's.

    Raises `invalid_route`, `route_not_allowed`, `agent_client_disabled`, `audience_not_allowed`.
    """
    agent = allowed_agent(caller, route)
    fault = fault_of(agent, caller.audience)
    if fault is not None:
        raise AppError(fault)
    return agent


def allowed_agent(caller: AgentCaller | ClientCaller, route: str) -> Agent:
    """The agent of a route that the caller is allowed, whoever its agent is open to.

    A route that is allowed and has no published agent is refused like one that is not allowed.
    """
    if not ROUTE.fullmatch(route):
        raise AppError(errors.INVALID_ROUTE)
    agent = find_workspace(caller.project_id, route) if route in caller.allowed_routes else None
    if agent is None:
        raise AppError(errors.ROUTE_NOT_ALLOWED)
    return agent


def fault_of(agent: Agent, audience: str | None) -> str | None:
    """The code of why an agent is not open to an audience; None for audience stands for the business itself."""
    if not agent.client_enabled:
        return errors.AGENT_CLIENT_DISABLED
    if audience is not None and audience not in agent.client_audiences:
        return errors.AUDIENCE_NOT_ALLOWED
    return None
