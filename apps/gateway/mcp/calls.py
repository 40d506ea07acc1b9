"""One call over MCP: who asks, under which id, in which workspace and language.

The bearer decides: an agent's access token, a backend's Client Token and a project's key each open tools of their
own, and none of them is ever tried as another.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from apps.gateway import credentials, errors
from apps.gateway.auth import AgentCaller, ClientCaller, find_agent, find_backend
from apps.kernel.errors import AppError
from apps.projects import keys
from apps.projects.auth import CHALLENGE, ApiCaller, bearer_of, find_key
from apps.projects.services import grant_of
from apps.rest import throttles
from apps.rest.addresses import client_address

WORKSPACE_HEADER: Final = "Mawrid-Workspace"

AnyCaller = AgentCaller | ClientCaller | ApiCaller
MessageId = str | int | None

_LOOKUPS: Final[tuple[Callable[[str], str | None], ...]] = (
    credentials.ACCESS_TOKEN.lookup_of,
    credentials.CLIENT_TOKEN.lookup_of,
    keys.lookup_of,
)
_KEY: Final = "mawrid.mcp_call"


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was let in; `message_id` is JSON-RPC's, which a client repeats with a request it repeats."""

    caller: AnyCaller
    message_id: MessageId
    wanted_workspace: str | None
    language: str

    @property
    def workspace(self) -> str:
        """The route that the header names, or the only one there is. Raises `workspace_required`."""
        if self.wanted_workspace is not None:
            return self.wanted_workspace
        routes = () if isinstance(self.caller, ApiCaller) else self.caller.allowed_routes
        if len(routes) != 1:
            raise AppError(errors.WORKSPACE_REQUIRED)
        return routes[0]


def find_caller(request: HttpRequest) -> AnyCaller:
    """The caller of a request; a credential that is no good is counted and refused, always in the same words."""
    text = bearer_of(request.META.get("HTTP_AUTHORIZATION", ""))
    caller = None if text is None else find_agent(text) or find_backend(text) or _find_key(text)
    if caller is None:
        throttles.count_bad_credential(address=client_address(request), lookup=_lookup_of(text))
        raise AppError(errors.UNAUTHORIZED, headers={"WWW-Authenticate": CHALLENGE})
    return caller


def take_turn(caller: AnyCaller) -> throttles.Standing:
    """Count a request like one at the other doors. Raises `rate_limited`."""
    is_agent = isinstance(caller, AgentCaller)
    limit = settings.RATE_LIMIT_PER_AGENT_SESSION if is_agent else settings.RATE_LIMIT_PER_KEY
    standing = throttles.take(caller.project_id, caller.key_id, limit=limit)
    if not standing.allowed:
        raise throttles.over_limit(standing.reset_seconds)
    return standing


def note(request: HttpRequest, call: Call) -> None:
    """Keep the call with its request, where the tools find it."""
    request.META[_KEY] = call


def call_of(request: HttpRequest) -> Call:
    call: Call = request.META[_KEY]
    return call


def message_id_of(message: dict[str, Any]) -> MessageId:
    found = message.get("id")
    return found if isinstance(found, str | int) else None


def _find_key(text: str) -> ApiCaller | None:
    key = find_key(text, now=timezone.now())
    return None if key is None else ApiCaller(key.project_id, key.id, grant_of(key))


def _lookup_of(text: str | None) -> str | None:
    if text is None:
        return None
    return next((lookup for find in _LOOKUPS if (lookup := find(text)) is not None), None)
