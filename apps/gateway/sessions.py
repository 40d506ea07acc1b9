"""Everything that changes sessions of agents: opened, renewed token by token, ended.

A refresh token is good for one use. One that is used again is in two hands, and nobody can tell whose are the right
ones, so the session ends for both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from apps.gateway import credentials, errors
from apps.gateway.auth import is_on
from apps.gateway.models import AgentClient, AgentSession, AgentToken, RevokedReason, TokenKind
from apps.kernel.credentials import CredentialForm
from apps.kernel.errors import AppError
from apps.projects import audit
from apps.projects.scoping import project_scope

# An access token ends before the session does, as agents expect.
_SHORTEST_LIFE: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A session's new tokens in clear, for the one answer that shows them; times in seconds."""

    session: AgentSession
    access_token: str
    refresh_token: str
    expires_in: int
    refresh_expires_in: int


def open_for_backend(client: AgentClient, *, allowed_routes: Sequence[str], actor: str, **granted: Any) -> Tokens:
    """A session that the project's backend vouches for. Raises `agent_client_switched_off`, `route_not_allowed`."""
    if not client.enabled:
        raise AppError(errors.AGENT_CLIENT_SWITCHED_OFF)
    require_routes(allowed_routes, within=client.allowed_routes)
    return open_session(client, allowed_routes=allowed_routes, actor=actor, **granted)


def require_routes(routes: Sequence[str], *, within: Sequence[str]) -> None:
    """Raises `route_not_allowed`, also for no route at all: a session without one could do nothing."""
    if not routes or not set(routes) <= set(within):
        raise AppError(errors.ROUTE_NOT_ALLOWED)


def open_session(
    client: AgentClient,
    *,
    principal: Mapping[str, Any],
    on_behalf_of: str,
    allowed_routes: Sequence[str],
    device_label: str,
    actor: str,
) -> Tokens:
    """A session with its first tokens; whoever calls has made sure of the client and the routes."""
    now = timezone.now()
    session = AgentSession.objects.add(
        project_id=client.project_id,
        client=client,
        device_label=device_label,
        principal=dict(principal),
        on_behalf_of=on_behalf_of,
        allowed_routes=list(allowed_routes),
        opened_by=actor,
        created_at=now,
        expires_at=now + timedelta(days=settings.AGENT_SESSION_DAYS),
    )
    _audit(session, "opened", actor, client=client.id, on_behalf_of=on_behalf_of, routes=session.allowed_routes)
    return _issue(session, now)


def refresh(client: AgentClient, refresh_token: str) -> Tokens:
    """New tokens for an unused refresh token of this client; a used one ends its session.

    Raises `refresh_token_refused`, outside of the transaction that ends the session.
    """
    token = credentials.find_refresh_token(refresh_token)
    tokens = None
    if token is not None and token.session.client_id == client.id:
        with project_scope(token.project_id):
            tokens = _rotate(token, timezone.now())
    if tokens is None:
        raise AppError(errors.REFRESH_TOKEN_REFUSED)
    return tokens


def revoke(session: AgentSession, reason: RevokedReason, *, actor: str) -> AgentSession:
    """End a session, on a row locked by the caller; one that has been ended stays as it was."""
    if session.revoked_at is None:
        session.revoked_at, session.revoked_reason = timezone.now(), reason
        session.save(update_fields=["revoked_at", "revoked_reason"])
        _audit(session, "revoked", actor, reason=reason.value)
    return session


def revoke_by_refresh_token(client: AgentClient, refresh_token: str) -> bool:
    """End the session of a refresh token, used or not; False when this client has none with it."""
    token = credentials.find_refresh_token(refresh_token)
    if token is None or token.session.client_id != client.id:
        return False
    with project_scope(token.project_id):
        session = lock(token.project_id, token.session_id)
        if session is not None:
            revoke(session, RevokedReason.AGENT, actor=session.id)
    return True


def lock(project_id: str, session_id: str) -> AgentSession | None:
    """The session with its client, for a change."""
    sessions = AgentSession.objects.for_project(project_id).select_related("client")
    return sessions.select_for_update(of=("self",), no_key=True).filter(id=session_id).first()


def lock_open(project_id: str, *, opened_by: str) -> list[AgentSession]:
    """The sessions that somebody opened and nobody has ended, for a change."""
    sessions = AgentSession.objects.for_project(project_id).filter(opened_by=opened_by, revoked_at=None)
    return list(sessions.select_for_update(of=("self",), no_key=True).order_by("id"))


def _rotate(found: AgentToken, now: datetime) -> Tokens | None:
    session = lock(found.project_id, found.session_id)
    # Read again under the lock: of several who come with one token, the first to get here is the only one.
    token = AgentToken.objects.for_project(found.project_id).filter(id=found.id).first()
    if session is None or token is None or not is_on(session, now + _SHORTEST_LIFE):
        return None
    if token.used_at is not None:
        revoke(session, RevokedReason.TOKEN_REUSED, actor=session.id)
        return None
    token.used_at = now
    token.save(update_fields=["used_at"])
    _audit(session, "refreshed", session.id)
    return _issue(session, now)


def _issue(session: AgentSession, now: datetime) -> Tokens:
    life = timedelta(seconds=settings.AGENT_ACCESS_TOKEN_SECONDS)
    access_ends = min(now + life, session.expires_at - _SHORTEST_LIFE)
    return Tokens(
        session=session,
        access_token=_add_token(session, credentials.ACCESS_TOKEN, TokenKind.ACCESS, now, access_ends),
        refresh_token=_add_token(session, credentials.REFRESH_TOKEN, TokenKind.REFRESH, now, session.expires_at),
        expires_in=_seconds(now, access_ends),
        refresh_expires_in=_seconds(now, session.expires_at),
    )


def _add_token(session: AgentSession, form: CredentialForm, kind: TokenKind, now: datetime, ends: datetime) -> str:
    new = form.new()
    AgentToken.objects.add(
        project_id=session.project_id,
        session=session,
        kind=kind,
        lookup=new.lookup,
        digest=new.digest,
        created_at=now,
        expires_at=ends,
    )
    return new.text


def _seconds(start: datetime, end: datetime) -> int:
    return max(int((end - start).total_seconds()), 1)


def _audit(session: AgentSession, event: str, actor: str, **details: Any) -> None:
    audit.record(session.project_id, actor=actor, action=f"agent_session.{event}", target=session.id, **details)
