"""How agent clients, logins and sessions look, to projects under /v1 and to agents and backends."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from apps.gateway.auth import AgentCaller
from apps.gateway.clients import Secrets
from apps.gateway.consent import DECISION_TIME, status_of
from apps.gateway.links import authorization_url
from apps.gateway.models import AgentClient, AgentSession, Authorization
from apps.gateway.sessions import Tokens
from apps.gateway.warnings import warnings_of
from apps.kernel.times import to_iso

# --- under /v1 ----------------------------------------------------------------------------------------------


def agent_client(
    shown: AgentClient, workspaces: Collection[str], *, language: str, secrets: Secrets | None = None
) -> dict[str, Any]:
    """`workspaces` are the routes that lead somewhere; only the answers of create and rotate hold `secrets`."""
    answer = {
        "id": shown.id,
        "object": "agent_client",
        "app_id": shown.app_id,
        "name": shown.name,
        "authorize_url": shown.authorize_url,
        "allowed_routes": shown.allowed_routes,
        "enabled": shown.enabled,
        "warnings": client_warnings(shown, workspaces, language=language),
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }
    if secrets is None:
        return answer
    return {**answer, "client_token": secrets.token.text, "callback_secret": secrets.callback_secret}


def client_warnings(shown: AgentClient, workspaces: Collection[str], *, language: str) -> list[dict[str, Any]]:
    return [
        {"code": warning.code, "message": warning.message(language), "routes": list(warning.routes)}
        for warning in warnings_of(shown.allowed_routes, workspaces)
    ]


def tagged_client(shown: AgentClient, workspaces: Collection[str]) -> dict[str, Any]:
    """What a client's ETag stands for, which is the same in every language."""
    return agent_client(shown, workspaces, language="en")


def agent_session(shown: AgentSession, now: datetime) -> dict[str, Any]:
    return {
        "id": shown.id,
        "object": "agent_session",
        "agent_client_id": shown.client_id,
        "client_app_id": shown.client.app_id,
        "device_label": shown.device_label,
        "principal": principal(shown),
        "on_behalf_of": shown.on_behalf_of,
        "allowed_routes": shown.allowed_routes,
        "status": _status(shown, now),
        "revoked_reason": shown.revoked_reason,
        "created_at": to_iso(shown.created_at),
        "expires_at": to_iso(shown.expires_at),
        "revoked_at": to_iso(shown.revoked_at),
        "last_used_at": to_iso(shown.last_used_at),
    }


def principal(session: AgentSession) -> dict[str, Any]:
    """In the documented order, which the database does not keep."""
    return {name: session.principal[name] for name in ("id", "tenant", "roles", "audience")}


def _status(session: AgentSession, now: datetime) -> str:
    if session.revoked_at is not None:
        return "revoked"
    return "active" if now < session.expires_at else "expired"


# --- in the protocol ----------------------------------------------------------------------------------------


def started(authorization: Authorization) -> dict[str, Any]:
    return {
        "authorization_id": authorization.id,
        "authorization_url": authorization_url(authorization.client, authorization.id),
        "expires_in": int(DECISION_TIME.total_seconds()),
    }


def authorization(shown: Authorization, now: datetime) -> dict[str, Any]:
    """What whoever decides has to know, and no more."""
    return {
        "authorization_id": shown.id,
        "client_name": shown.client.name,
        "device_label": shown.device_label,
        "requested_routes": shown.requested_routes,
        "status": status_of(shown, now),
        "expires_at": to_iso(shown.expires_at),
    }


def decided(authorization: Authorization, redirect_uri: str) -> dict[str, Any]:
    return {
        "authorization_id": authorization.id,
        "status": authorization.status,
        "redirect_uri": redirect_uri,
    }


def tokens(shown: Tokens) -> dict[str, Any]:
    return {
        "token_type": "Bearer",
        "access_token": shown.access_token,
        "refresh_token": shown.refresh_token,
        "expires_in": shown.expires_in,
        "refresh_expires_in": shown.refresh_expires_in,
        "session_id": shown.session.id,
        "client_app_id": shown.session.client.app_id,
    }


def session_view(caller: AgentCaller) -> dict[str, Any]:
    """A session as its agent sees it: `expires_at` is when its access token ends, and the session ends later."""
    session = caller.session
    return {
        "session_id": session.id,
        "client_app_id": caller.client.app_id,
        "device_label": session.device_label,
        "principal": principal(session),
        "on_behalf_of": session.on_behalf_of,
        "allowed_routes": list(caller.allowed_routes),
        "created_at": to_iso(session.created_at),
        "expires_at": to_iso(caller.token_expires_at),
        "refresh_expires_at": to_iso(session.expires_at),
    }
