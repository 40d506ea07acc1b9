"""Logging a person in by the browser: PKCE, a page on this machine, and a check of what the session may do."""

import asyncio
import webbrowser
from collections.abc import Callable, Sequence
from typing import Final

import httpx2

from mawrid_client import inputs, sessions, wire
from mawrid_client.answers import accept
from mawrid_client.errors import AgentError
from mawrid_client.logins import DEFAULT_CONNECTION, Login, TokenStore
from mawrid_client.loopback import Loopback, Return, running_loopback
from mawrid_client.messages import Answer, Request
from mawrid_client.transports import SyncTransport

_CREATED: Final = 201


def log_in(
    base_url: str,
    client_app_id: str,
    workspace: str,
    *,
    token_store: TokenStore,
    connection_key: str = DEFAULT_CONNECTION,
    other_workspaces: Sequence[str] = (),
    device_label: str = "mawrid-client",
    open_page: Callable[[str], object] = webbrowser.open,
    patience_seconds: float = 600.0,
    timeout: float = wire.TIMEOUT_SECONDS,
    http_client: httpx2.Client | None = None,
) -> Login:
    """Send the person to the consent page, wait for the answer, and store the login.

    Raises `AgentError` with `access_denied`, `agent_login_timeout`, or what the server said.
    """
    base_url = sessions.checked_base_url(base_url)
    routes = [inputs.route(route) for route in (workspace, *other_workspaces)]
    transport = SyncTransport(base_url, timeout=timeout, http_client=http_client)
    try:
        with running_loopback() as loopback:
            attempt = sessions.new_attempt(client_app_id, loopback.redirect_uri, routes, device_label)
            code = _code_from_browser(transport, loopback, attempt, open_page, patience_seconds)
        answer = _sent(transport, sessions.code_request(attempt, code))
        login = accept(
            sessions.AUTHORIZE,
            answer,
            lambda: sessions.login_of(answer, hub_url=base_url, client_app_id=client_app_id),
        )
        _check_session(transport, login, workspace)
    finally:
        transport.close()
    token_store.save(connection_key, login)
    return login


async def log_in_async(
    base_url: str, client_app_id: str, workspace: str, *, token_store: TokenStore, **options: object
) -> Login:
    """`log_in` beside an event loop."""
    return await asyncio.to_thread(
        log_in,
        base_url,
        client_app_id,
        workspace,
        token_store=token_store,
        **options,  # type: ignore[arg-type]
    )


def _code_from_browser(
    transport: SyncTransport,
    loopback: Loopback,
    attempt: sessions.Attempt,
    open_page: Callable[[str], object],
    patience_seconds: float,
) -> str:
    loopback.expect(attempt.state)
    answer = _sent(transport, sessions.authorization_request(attempt))
    authorization = accept(sessions.AUTHORIZE, answer, lambda: sessions.authorization_of(answer), status=_CREATED)
    open_page(authorization.url)
    return _code_of(loopback.wait(min(patience_seconds, authorization.expires_in)))


def _code_of(brought: Return | None) -> str:
    if brought is None:
        raise AgentError("agent_login_timeout", status=408, operation=sessions.AUTHORIZE)
    if brought.code is None:
        raise AgentError("access_denied", status=403, operation=sessions.AUTHORIZE)
    return brought.code


def _check_session(transport: SyncTransport, login: Login, workspace: str) -> None:
    """The session is the one of the tokens, and the workspace is among what was approved."""
    answer = _sent(transport, sessions.session_request().with_bearer(login.access_token))
    view = accept(sessions.AUTHORIZE, answer, lambda: sessions.session_of(answer))
    if (view.session_id, view.client_app_id) != (login.session_id, login.client_app_id):
        raise AgentError("agent_binding_changed", status=403, operation=sessions.AUTHORIZE)
    if workspace not in view.allowed_routes:
        raise AgentError("route_not_allowed", status=403, operation=sessions.AUTHORIZE)


def _sent(transport: SyncTransport, request: Request) -> Answer:
    return transport.send(request, None)
