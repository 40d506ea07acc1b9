"""Logging in, renewing and ending a session, and what it may see: requests, and the checks of their answers."""

import base64
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from mawrid_client import inputs, wire
from mawrid_client.errors import AgentError, broken_answer, refuse_input
from mawrid_client.fields import Fields, utf16_units
from mawrid_client.logins import Login
from mawrid_client.messages import Answer, Request, encode, get, json_of, post, workspace_path
from mawrid_client.results import Profile, SessionView, Workspace

AUTHORIZE: Final = "log_in"
RENEW: Final = "renew_login"
SESSION: Final = "get_session"
REVOKE: Final = "log_out"
WORKSPACES: Final = "list_workspaces"
BOOTSTRAP: Final = "get_bootstrap"

_EVERY_ROUTE: Final = frozenset({"auto", "*"})
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
_PROFILE_MAX_BYTES: Final = 64 * 1024


# --- logging in ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to log in: what the browser is sent away with and has to bring back."""

    client_app_id: str
    redirect_uri: str
    routes: tuple[str, ...]
    device_label: str
    state: str
    verifier: str

    @property
    def challenge(self) -> str:
        return _base64url(hashlib.sha256(self.verifier.encode()).digest())


@dataclass(frozen=True, slots=True)
class Authorization:
    """Where the browser is sent, and for how long that is good."""

    authorization_id: str
    url: str
    expires_in: int


def new_attempt(client_app_id: object, redirect_uri: str, routes: Sequence[str], device_label: object) -> Attempt:
    return Attempt(
        client_app_id=checked_client_app_id(client_app_id),
        redirect_uri=redirect_uri,
        routes=_checked_routes(routes),
        device_label=inputs.text(device_label, "device_label", most=128),
        state=_base64url(secrets.token_bytes(32)),
        verifier=_base64url(secrets.token_bytes(64)),
    )


def checked_client_app_id(given: object) -> str:
    return inputs.text(given, "client_app_id", most=wire.CLIENT_APP_ID_MAX_LENGTH)


def _checked_routes(routes: Sequence[str]) -> tuple[str, ...]:
    if not routes or _EVERY_ROUTE & set(routes):
        raise refuse_input("A login names the workspaces that it asks for, one by one.")
    return tuple(inputs.route(route) for route in routes)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def authorization_request(attempt: Attempt) -> Request:
    return post(
        AUTHORIZE,
        "/agent-auth/v1/authorizations",
        {
            "client_app_id": attempt.client_app_id,
            "redirect_uri": attempt.redirect_uri,
            "state": attempt.state,
            "requested_routes": list(attempt.routes),
            "device_label": attempt.device_label,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        },
    )


def authorization_of(answer: Answer) -> Authorization:
    said = Fields(json_of(answer))
    url = said.text("authorization_url", least=1, most=4_096)
    if not is_safe_page(url):
        raise said.fault("authorization_url", "is neither https nor http on a loopback number")
    return Authorization(
        authorization_id=said.text("authorization_id", least=1, most=128),
        url=url,
        expires_in=said.integer("expires_in", low=1, high=3_600),
    )


def is_safe_page(url: str) -> bool:
    """Whether a browser may be sent there: https, or plain http to a number of this machine with a port."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    if parts.username is not None or not parts.hostname or wire.CONTROL.search(url) or " " in url:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK and bool(port))


def code_request(attempt: Attempt, code: str) -> Request:
    return post(
        AUTHORIZE,
        "/agent-auth/v1/token",
        {
            "grant_type": "authorization_code",
            "client_app_id": attempt.client_app_id,
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        },
    )


def login_of(answer: Answer, *, hub_url: str, client_app_id: str) -> Login:
    said = Fields(json_of(answer))
    said.literal("token_type", "Bearer")
    said.integer("expires_in", low=1, high=wire.ACCESS_MAX_SECONDS)
    said.integer("refresh_expires_in", low=1, high=wire.REFRESH_MAX_SECONDS)
    return Login(
        hub_url=hub_url,
        access_token=said.text("access_token", least=1, most=wire.TOKEN_MAX_LENGTH, form=wire.BEARER),
        refresh_token=said.text("refresh_token", least=1, most=wire.TOKEN_MAX_LENGTH, form=wire.BEARER),
        session_id=said.text("session_id", least=1, most=128),
        client_app_id=said.literal("client_app_id", client_app_id),
    )


# --- renewing and ending ------------------------------------------------------------------------------------


def renewal_request(login: Login) -> Request:
    return post(
        RENEW,
        "/agent-auth/v1/token",
        {
            "grant_type": "refresh_token",
            "client_app_id": login.client_app_id,
            "refresh_token": login.refresh_token,
        },
    )


def renewed_login(answer: Answer, before: Login) -> Login:
    """The same session with new tokens; another session or client would be somebody else's login."""
    said = Fields(json_of(answer))
    if said.value("session_id") != before.session_id or said.value("client_app_id") != before.client_app_id:
        raise AgentError("agent_binding_changed", status=403, operation=RENEW)
    return login_of(answer, hub_url=before.hub_url, client_app_id=str(before.client_app_id))


def revocation_request(login: Login) -> Request:
    """By the refresh token where there is one: it also works when the access token has ended."""
    if login.refresh_token is None:
        return post(REVOKE, "/agent-auth/v1/revoke", {}).with_bearer(login.access_token)
    body = {"client_app_id": login.client_app_id, "refresh_token": login.refresh_token}
    return post(REVOKE, "/agent-auth/v1/revoke", body)


# --- what a session sees ------------------------------------------------------------------------------------


def session_request() -> Request:
    return get(SESSION, "/agent-auth/v1/session")


def session_of(answer: Answer) -> SessionView:
    said = Fields(json_of(answer))
    expires_at, refresh_expires_at = said.time("expires_at"), said.time("refresh_expires_at")
    if refresh_expires_at <= expires_at:
        raise said.fault("refresh_expires_at", "is not later than expires_at")
    said.member("principal")
    said.time("created_at")
    return SessionView(
        wire=said.raw,
        session_id=said.text("session_id", least=1, most=128),
        client_app_id=said.text("client_app_id", least=1, most=wire.CLIENT_APP_ID_MAX_LENGTH),
        device_label=said.text("device_label", least=1, most=128),
        on_behalf_of=said.text("on_behalf_of", most=256),
        allowed_routes=said.texts("allowed_routes", least=1, most_length=wire.ROUTE_MAX_LENGTH),
        expires_at=expires_at,
        refresh_expires_at=refresh_expires_at,
    )


def workspaces_request() -> Request:
    return get(WORKSPACES, "/agent-api/v1/workspaces")


def workspaces_of(answer: Answer) -> tuple[Workspace, ...]:
    said = Fields(json_of(answer))
    said.schema(wire.WORKSPACES_SCHEMA)
    found = tuple(_workspace_of(item) for item in said.members("workspaces", most=wire.MOST_WORKSPACES))
    if len({workspace.route for workspace in found}) != len(found):
        raise said.fault("workspaces", "has a route twice")
    return found


def _workspace_of(said: Fields) -> Workspace:
    route = said.text("route" if "route" in said else "route_key", form=wire.ROUTE)
    return Workspace(
        wire=said.raw,
        route=route,
        name=said.optional_text("name", most=256) or route,
        description=said.optional_text("description", most=2_000) or "",
    )


def bootstrap_request(route: str) -> Request:
    return get(BOOTSTRAP, workspace_path(route, "bootstrap"))


def profile_of(answer: Answer, route: str) -> Profile:
    said = Fields(json_of(answer))
    said.schema(wire.PROFILE_SCHEMA)
    workspace, profile = _workspace_of(said.member("workspace")), said.member("profile")
    if workspace.route != route:
        raise said.fault("workspace", "is another one")
    instructions = profile.text("instructions")
    if utf16_units(instructions) > wire.INSTRUCTIONS_MAX_UNITS or "\0" in instructions:
        raise profile.fault("instructions", "are too long or hold NUL")
    _check_size_of_profile(profile.raw)
    said.member("capabilities").hex64("revision")
    return Profile(wire=said.raw, route=route, revision=profile.hex64("revision"), instructions=instructions)


def _check_size_of_profile(profile: Mapping[str, Any]) -> None:
    rest = {name: value for name, value in profile.items() if name != "instructions"}
    if len(encode(rest)) > _PROFILE_MAX_BYTES:
        raise broken_answer("a profile is larger than the wire allows", operation=BOOTSTRAP)


# --- addresses ----------------------------------------------------------------------------------------------


def checked_base_url(given: object) -> str:
    """The server's address without a slash at its end: https, or http on this machine."""
    if not isinstance(given, str) or wire.CONTROL.search(given) or " " in given:
        raise ValueError("base_url must be an address such as https://mawrid.example.")
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError as error:
        raise ValueError("base_url must be an address such as https://mawrid.example.") from error
    if not _is_server(parts):
        raise ValueError("base_url must be https with a host and nothing behind its path, or http on this machine.")
    return given.rstrip("/")


def _is_server(parts: SplitResult) -> bool:
    if not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in {*_LOOPBACK, "localhost"})
