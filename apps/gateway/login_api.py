"""Doors of the protocol's logins: agents ask for one, backends decide, agents get, renew and end their sessions."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.gateway import consent, credentials, errors, presenters, queries, sessions
from apps.gateway.auth import caller_of, find_agent
from apps.gateway.http import AgentView, ClientView, PublicWireView
from apps.gateway.models import AgentClient, RevokedReason
from apps.gateway.serializers import Approval, NewAuthorization, RevokeRequest, TokenRequest
from apps.gateway.sessions import Tokens
from apps.kernel.errors import AppError
from apps.projects.scoping import project_scope
from apps.rest import throttles
from apps.rest.fields import StrictSerializer
from apps.rest.operations import operation

# Logins that one address or one client may begin a minute: each leaves a row, and nobody has said yet who they are.
MAX_LOGINS_PER_ADDRESS: Final = 600
MAX_LOGINS_PER_CLIENT: Final = 600

_READ_BY_THE_DOOR: Final = frozenset({"client_app_id", "code_challenge_method"})
_BAD_CREDENTIALS: Final = frozenset({errors.INVALID_GRANT, errors.REFRESH_TOKEN_REFUSED})


class AuthorizationsView(PublicWireView):
    @operation("Begin a login", id="begin_agent_authorization", request=NewAuthorization, answers={201: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        throttles.count("login", {f"address:{self.address}": MAX_LOGINS_PER_ADDRESS})
        wanted = {name: value for name, value in self.body.items() if name not in _READ_BY_THE_DOOR}
        client = consent.client_in_use(self.body["client_app_id"])
        throttles.count("login", {f"client:{client.id}": MAX_LOGINS_PER_CLIENT})
        authorization = consent.request_authorization(client, **wanted)
        return self.answer(presenters.started(authorization), status=201)


class AuthorizationView(ClientView):
    @operation("Read a login", id="read_agent_authorization", answers={200: None})
    def get(self, request: HttpRequest, authorization_id: str) -> HttpResponse:
        authorization = queries.get_authorization(self.caller.client, authorization_id)
        return self.answer(presenters.authorization(authorization, timezone.now()))


class ApproveView(ClientView):
    @operation("Let an agent in", id="approve_agent_authorization", request=Approval, answers={200: None})
    def post(self, request: HttpRequest, authorization_id: str) -> HttpResponse:
        authorization = queries.get_authorization(self.caller.client, authorization_id, lock=True)
        redirect_uri = consent.approve(authorization, **self.body, actor=self.caller.client.id)
        return self.answer(presenters.decided(authorization, redirect_uri))


class DenyView(ClientView):
    @operation("Keep an agent out", id="deny_agent_authorization", request=StrictSerializer, answers={200: None})
    def post(self, request: HttpRequest, authorization_id: str) -> HttpResponse:
        authorization = queries.get_authorization(self.caller.client, authorization_id, lock=True)
        redirect_uri = consent.deny(authorization, actor=self.caller.client.id)
        return self.answer(presenters.decided(authorization, redirect_uri))


class TokenView(PublicWireView):
    @operation("Get or renew tokens", id="get_agent_tokens", request=TokenRequest, answers={200: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        exchange = _by_code if self.body["grant_type"] == "authorization_code" else _by_refresh_token
        try:
            tokens = exchange(**{name: value for name, value in self.body.items() if name != "grant_type"})
        except AppError as error:
            if error.code in _BAD_CREDENTIALS:
                throttles.count_bad_credential(address=self.address, lookup=None)
            raise
        return self.answer(presenters.tokens(tokens))


def _by_code(*, client_app_id: str, code: str, redirect_uri: str, code_verifier: str) -> Tokens:
    client = consent.client_in_use(client_app_id)
    return consent.exchange(client, code=code, redirect_uri=redirect_uri, code_verifier=code_verifier)


def _by_refresh_token(*, client_app_id: str, refresh_token: str) -> Tokens:
    """With a client that is switched off its sessions are off: its agents learn that as they do of any session."""
    return sessions.refresh(_named(client_app_id), refresh_token)


def _named(client_app_id: str) -> AgentClient:
    client = credentials.find_client_by_app_id(client_app_id)
    if client is None:
        raise AppError(errors.INVALID_CLIENT)
    return client


class SessionView(AgentView):
    @operation("Read the session of the token", id="read_agent_session", answers={200: None})
    def get(self, request: HttpRequest) -> HttpResponse:
        # Agents take a session without any route for a broken answer.
        sessions.require_routes(self.caller.allowed_routes, within=self.caller.allowed_routes)
        return self.answer(presenters.session_view(self.caller))


class LogOutView(PublicWireView):
    """By either token, as an agent may have lost the one or let the other expire."""

    @operation("End the session of a token", id="log_out_agent", request=RevokeRequest, answers={200: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        if self.body:
            revoked = sessions.revoke_by_refresh_token(
                _named(self.body["client_app_id"]), self.body["refresh_token"]
            )
            return self.answer({"revoked": revoked})
        caller = caller_of(self.request, find_agent, credentials.ACCESS_TOKEN.lookup_of)
        with project_scope(caller.project_id):
            session = queries.get_session(caller.project_id, caller.session.id, lock=True)
            sessions.revoke(session, RevokedReason.AGENT, actor=session.id)
        return self.answer({"revoked": True})


class RevokeSessionView(ClientView):
    @operation(
        "End a session of the client", id="revoke_client_session", request=StrictSerializer, answers={200: None}
    )
    def post(self, request: HttpRequest, session_id: str) -> HttpResponse:
        client = self.caller.client
        session = queries.get_session(client.project_id, session_id, client=client, lock=True)
        sessions.revoke(session, RevokedReason.BACKEND, actor=client.id)
        return self.answer({"revoked": True, "session_id": session.id})
