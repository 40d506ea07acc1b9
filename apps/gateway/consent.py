"""A login of an agent, step by step: it asks, a person or a backend decides, and a code is exchanged for a session.

A code works once, within two minutes, for the client, the callback and the secret verifier that the login began
with (PKCE): whoever reads it off the loopback address can do nothing with it.

One that comes again with all of these is in two hands together with its verifier, and nobody can tell whose hands
its first use was in, so the session that it opened ends. Without the verifier a used code ends nothing: it stood in
the address bar and the history of a browser, and whoever found it there could log people out.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from apps.gateway import credentials, errors, links
from apps.gateway.models import AgentClient, Authorization, AuthorizationStatus, RevokedReason
from apps.gateway.sessions import Tokens, lock, lock_open, open_session, require_routes, revoke
from apps.kernel.errors import AppError
from apps.projects import audit
from apps.projects.scoping import project_scope

DECISION_TIME: Final = timedelta(minutes=10)
CODE_LIFE: Final = timedelta(minutes=2)
EXPIRED: Final = "expired"


def client_in_use(app_id: str) -> AgentClient:
    """The client that an agent names, which may be switched off as well as absent. Raises `invalid_client`."""
    client = credentials.find_client_by_app_id(app_id)
    if client is None or not client.enabled:
        raise AppError(errors.INVALID_CLIENT)
    return client


def request_authorization(
    client: AgentClient,
    *,
    redirect_uri: str,
    state: str,
    device_label: str,
    code_challenge: str,
    requested_routes: Sequence[str] | None = None,
) -> Authorization:
    """Begin a login; without routes it asks for all of the client's. Raises `route_not_allowed`."""
    routes = list(client.allowed_routes if requested_routes is None else requested_routes)
    require_routes(routes, within=client.allowed_routes)
    now = timezone.now()
    with project_scope(client.project_id):
        return Authorization.objects.add(
            project_id=client.project_id,
            client=client,
            redirect_uri=redirect_uri,
            state=state,
            requested_routes=routes,
            device_label=device_label,
            code_challenge=code_challenge,
            created_at=now,
            expires_at=now + DECISION_TIME,
        )


def approve(
    authorization: Authorization,
    *,
    principal: Mapping[str, Any],
    on_behalf_of: str,
    allowed_routes: Sequence[str],
    actor: str,
) -> str:
    """Grant routes to an agent, on a row locked by the caller; where the person's browser goes then.

    Raises `authorization_processed`, `authorization_expired`, `route_not_allowed`.
    """
    now = timezone.now()
    require_pending(authorization)
    require_routes(allowed_routes, within=authorization.requested_routes)
    require_routes(allowed_routes, within=authorization.client.allowed_routes)
    code = credentials.CODE.new()
    authorization.principal, authorization.on_behalf_of = dict(principal), on_behalf_of
    authorization.allowed_routes = list(allowed_routes)
    authorization.code_lookup, authorization.code_digest = code.lookup, code.digest
    authorization.code_expires_at = now + CODE_LIFE
    _decide(authorization, AuthorizationStatus.APPROVED, now, actor)
    return links.with_parameters(authorization.redirect_uri, code=code.text, state=authorization.state)


def deny(authorization: Authorization, *, actor: str) -> str:
    """Refuse an agent, on a row locked by the caller; where the person's browser goes then."""
    now = timezone.now()
    require_pending(authorization)
    _decide(authorization, AuthorizationStatus.DENIED, now, actor)
    return links.with_parameters(authorization.redirect_uri, error="access_denied", state=authorization.state)


def take_back(project_id: str, person: str, actor: str) -> None:
    """End what somebody let in who is no member any more: codes that nobody exchanged yet, and sessions."""
    # First the codes: one that is exchanged meanwhile holds its row until its session can be seen.
    let_in = Authorization.objects.for_project(project_id).filter(decided_by=person, code_used_at=None)
    let_in.update(code_expires_at=timezone.now())
    for session in lock_open(project_id, opened_by=person):
        revoke(session, RevokedReason.MEMBER_LEFT, actor=actor)


def exchange(client: AgentClient, *, code: str, redirect_uri: str, code_verifier: str) -> Tokens:
    """The session that a code stands for; a used code ends the one that it opened.

    Raises `invalid_grant`, outside of the transaction that ends the session.
    """
    found = credentials.find_code(code)
    tokens = None
    if found is not None and _fits(found, client, redirect_uri, code_verifier):
        with project_scope(client.project_id):
            tokens = _use_code(found, timezone.now())
    if tokens is None:
        raise AppError(errors.INVALID_GRANT)
    return tokens


def require_pending(authorization: Authorization) -> None:
    """Raises `authorization_processed`, `authorization_expired`."""
    if authorization.status != AuthorizationStatus.PENDING:
        raise AppError(errors.AUTHORIZATION_PROCESSED)
    if authorization.expires_at <= timezone.now():
        raise AppError(errors.AUTHORIZATION_EXPIRED)


def status_of(authorization: Authorization, now: datetime) -> str:
    is_late = authorization.status == AuthorizationStatus.PENDING and authorization.expires_at <= now
    return EXPIRED if is_late else authorization.status


def _decide(authorization: Authorization, status: AuthorizationStatus, now: datetime, actor: str) -> None:
    authorization.status, authorization.decided_at, authorization.decided_by = status, now, actor
    authorization.save()
    audit.record(
        authorization.project_id,
        actor=actor,
        action=f"agent_authorization.{status.value}",
        target=authorization.id,
        client=authorization.client_id,
    )


def _fits(authorization: Authorization, client: AgentClient, redirect_uri: str, code_verifier: str) -> bool:
    """Whether a code is presented by the one who began its login."""
    return (
        authorization.client_id == client.id
        and authorization.redirect_uri == redirect_uri
        and hmac.compare_digest(authorization.code_challenge, challenge_of(code_verifier))
    )


def challenge_of(code_verifier: str) -> str:
    """What an agent shows of its verifier when a login begins (PKCE, S256)."""
    return base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode()


def _use_code(found: Authorization, now: datetime) -> Tokens | None:
    authorizations = Authorization.objects.for_project(found.project_id).select_related("client")
    authorization = authorizations.select_for_update(of=("self",), no_key=True).filter(id=found.id).first()
    if authorization is None:
        return None
    if authorization.code_used_at is not None:
        _end_session_of(authorization)
        return None
    if authorization.code_expires_at is None or authorization.code_expires_at <= now:
        return None
    tokens = open_session(
        authorization.client,
        principal=authorization.principal or {},
        on_behalf_of=authorization.on_behalf_of or "",
        allowed_routes=authorization.allowed_routes or (),
        device_label=authorization.device_label,
        actor=authorization.decided_by or "",
    )
    authorization.code_used_at, authorization.session = now, tokens.session
    authorization.save(update_fields=["code_used_at", "session"])
    return tokens


def _end_session_of(authorization: Authorization) -> None:
    session = lock(authorization.project_id, authorization.session_id or "")
    if session is not None:
        revoke(session, RevokedReason.CODE_REUSED, actor=session.id)
