"""Who is calling: an agent by its access token or a business backend by its Client Token, and nobody by the other.

Everything is read anew with every request, so what was switched off or revoked is so from the next call on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.gateway import credentials, errors
from apps.gateway.models import AgentClient, AgentSession, AgentToken
from apps.kernel.errors import AppError
from apps.projects.auth import CHALLENGE, bearer_of
from apps.projects.scoping import project_scope
from apps.rest import throttles
from apps.rest.addresses import client_address

# How old the shown time of last use may be.
LAST_USED_PRECISION: Final = timedelta(minutes=1)


C = TypeVar("C", bound="AgentCaller | ClientCaller")


@dataclass(frozen=True, slots=True)
class AgentCaller:
    """An agent with its session, as `request.auth`."""

    client: AgentClient
    session: AgentSession
    token_expires_at: datetime

    @property
    def project_id(self) -> str:
        return self.session.project_id

    @property
    def key_id(self) -> str:
        return self.session.id

    @property
    def scopes(self) -> frozenset[str]:
        return frozenset()

    @property
    def source_ids(self) -> None:
        return None

    @property
    def allowed_routes(self) -> tuple[str, ...]:
        """Those that the client may use and the session too, in the session's order."""
        return tuple(route for route in self.session.allowed_routes if route in self.client.allowed_routes)

    @property
    def principal(self) -> dict[str, Any]:
        principal: dict[str, Any] = self.session.principal
        return principal

    @property
    def audience(self) -> str:
        return str(self.principal["audience"])

    @property
    def on_behalf_of(self) -> str:
        return self.session.on_behalf_of


@dataclass(frozen=True, slots=True)
class ClientCaller:
    """The backend of an agent client, as `request.auth`."""

    client: AgentClient

    @property
    def project_id(self) -> str:
        return self.client.project_id

    @property
    def key_id(self) -> str:
        return self.client.id

    @property
    def scopes(self) -> frozenset[str]:
        return frozenset()

    @property
    def source_ids(self) -> None:
        return None

    @property
    def allowed_routes(self) -> tuple[str, ...]:
        return tuple(self.client.allowed_routes)


class AgentAuthentication(BaseAuthentication):
    """Lets in agents, by the access token of a session that is on."""

    def authenticate(self, request: Request) -> tuple[None, AgentCaller]:
        return None, caller_of(request, find_agent, credentials.ACCESS_TOKEN.lookup_of)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 -- the framework's signature
        return CHALLENGE


class ClientAuthentication(BaseAuthentication):
    """Lets in backends, by the Client Token of a client that is enabled."""

    def authenticate(self, request: Request) -> tuple[None, ClientCaller]:
        return None, caller_of(request, find_backend, credentials.CLIENT_TOKEN.lookup_of)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 -- the framework's signature
        return CHALLENGE


def find_agent(text: str) -> AgentCaller | None:
    """The caller with this access token; None when the token, its session or its client is no good any more."""
    now = timezone.now()
    token = credentials.find_access_token(text)
    if token is None or not _is_live(token, now):
        return None
    _note_use(token.session, now)
    return AgentCaller(token.session.client, token.session, token.expires_at)


def find_backend(text: str) -> ClientCaller | None:
    client = credentials.find_client(text)
    return ClientCaller(client) if client is not None and client.enabled else None


def is_on(session: AgentSession, now: datetime) -> bool:
    """Whether a session may still be used, as far as it is up to the session and its client."""
    return session.revoked_at is None and now < session.expires_at and session.client.enabled


def _is_live(token: AgentToken, now: datetime) -> bool:
    return now < token.expires_at and is_on(token.session, now)


def caller_of(request: Request, find: Callable[[str], C | None], lookup_of: Callable[[str], str | None]) -> C:
    """The caller of a request; a credential that is no good is counted and refused, always in the same words."""
    text = bearer_of(request.META.get("HTTP_AUTHORIZATION", ""))
    caller = None if text is None else find(text)
    if caller is None:
        lookup = None if text is None else lookup_of(text)
        throttles.count_bad_credential(address=client_address(request), lookup=lookup)
        raise AppError(errors.UNAUTHORIZED, headers={"WWW-Authenticate": CHALLENGE})
    return caller


def _note_use(session: AgentSession, now: datetime) -> None:
    """Write the time of last use when it is a minute old; a request never waits for whoever holds the row."""
    stale = now - LAST_USED_PRECISION
    if session.last_used_at is not None and session.last_used_at > stale:
        return
    with project_scope(session.project_id):
        sessions = AgentSession.objects.for_project(session.project_id)
        unlocked: Any = (
            sessions.select_for_update(skip_locked=True)
            .filter(Q(last_used_at=None) | Q(last_used_at__lte=stale), id=session.id)
            .values("id")
        )
        sessions.filter(id__in=unlocked).update(last_used_at=now)
