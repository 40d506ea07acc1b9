"""REST doors of agent clients and their sessions, for the project's own backend."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import cached_property

from apps.gateway import clients, presenters, queries, sessions
from apps.gateway.clients import Secrets
from apps.gateway.models import AgentClient, RevokedReason
from apps.gateway.serializers import (
    AgentClientChange,
    AgentClientShape,
    AgentSessionQuery,
    AgentSessionShape,
    NewAgentClient,
    NewAgentSession,
    ShownAgentClient,
    TokensShape,
)
from apps.rest.errors import language_of
from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import newest_first
from apps.rest.views import ApiView


class AgentClientView(ApiView):
    """What the doors of agent clients share."""

    @property
    def language(self) -> str:
        return language_of(self.request._request)  # noqa: SLF001 -- DRF's only way to the request it wraps

    @cached_property
    def workspaces(self) -> frozenset[str]:
        return queries.workspace_routes(self.caller.project_id)

    def find(self, agent_client_id: str) -> AgentClient:
        return queries.get_client(self.caller.project_id, agent_client_id)

    def find_to_change(self, agent_client_id: str) -> AgentClient:
        """With its row locked, and as the caller has seen it. Raises `precondition_failed`."""
        client = queries.get_client(self.caller.project_id, agent_client_id, lock=True)
        self.check_if_match(self.tagged(client))
        return client

    def shown(self, client: AgentClient, secrets: Secrets | None = None) -> dict[str, Any]:
        return presenters.agent_client(client, self.workspaces, language=self.language, secrets=secrets)

    def tagged(self, client: AgentClient) -> dict[str, Any]:
        return presenters.tagged_client(client, self.workspaces)


class AgentClientsView(AgentClientView):
    @operation("List agent clients", id="list_agent_clients", query=ListQuery, answers={200: AgentClientShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        found = queries.clients_of(self.caller.project_id)
        return self.listing(newest_first(found, self.shown, **self.paging))

    @operation(
        "Create an agent client",
        id="create_agent_client",
        request=NewAgentClient,
        answers={201: ShownAgentClient},
        errors={409: "The `app_id` is taken, or the project has as many agent clients as it may have."},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        client, secrets = clients.create_client(self.caller.project_id, **self.body, actor=self.caller.key_id)
        location = f"/v1/agent_clients/{client.id}"
        return self.created(self.shown(client, secrets), location=location, tagged=self.tagged(client))


class OneAgentClientView(AgentClientView):
    @operation("Read an agent client", id="get_agent_client", answers={200: AgentClientShape})
    def get(self, request: HttpRequest, agent_client_id: str) -> HttpResponse:
        client = self.find(agent_client_id)
        return self.single(self.shown(client), tagged=self.tagged(client))

    @operation(
        "Change, disable or enable an agent client",
        id="update_agent_client",
        request=AgentClientChange,
        partial=True,
        answers={200: AgentClientShape},
    )
    def patch(self, request: HttpRequest, agent_client_id: str) -> HttpResponse:
        client = self.find_to_change(agent_client_id)
        changed = clients.update_client(client, **self.body, actor=self.caller.key_id)
        return self.single(self.shown(changed), tagged=self.tagged(changed))

    @operation("Delete an agent client with its sessions and jobs", id="delete_agent_client", answers={204: None})
    def delete(self, request: HttpRequest, agent_client_id: str) -> HttpResponse:
        client = self.find_to_change(agent_client_id)
        clients.delete_client(client, actor=self.caller.key_id)
        return self.no_content()


class RotateClientTokenView(AgentClientView):
    @operation(
        "Replace the Client Token and the callback secret, at once",
        id="rotate_agent_client_token",
        answers={200: ShownAgentClient},
    )
    def post(self, request: HttpRequest, agent_client_id: str) -> HttpResponse:
        client = queries.get_client(self.caller.project_id, agent_client_id, lock=True)
        secrets = clients.rotate_token(client, actor=self.caller.key_id)
        return self.single(self.shown(client, secrets), tagged=self.tagged(client))


class AgentSessionsView(ApiView):
    @operation(
        "List sessions of agents",
        id="list_agent_sessions",
        query=AgentSessionQuery,
        answers={200: AgentSessionShape},
        errors={404: "There is no such agent client in the project."},
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        found = queries.sessions_of(self.caller.project_id, client_id=self.query.get("agent_client_id"))
        now = timezone.now()
        return self.listing(newest_first(found, lambda shown: presenters.agent_session(shown, now), **self.paging))

    @operation(
        "Open a session for an agent without a browser",
        id="create_agent_session",
        request=NewAgentSession,
        answers={201: TokensShape},
        errors={
            403: "A route of `allowed_routes` is not among the client's.",
            404: "There is no such agent client in the project.",
            409: "The agent client is disabled.",
        },
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        client = queries.get_client(self.caller.project_id, self.body["agent_client_id"], param="agent_client_id")
        granted = {name: value for name, value in self.body.items() if name != "agent_client_id"}
        tokens = sessions.open_for_backend(client, **granted, actor=self.caller.key_id)
        shown = presenters.agent_session(tokens.session, timezone.now())
        location = f"/v1/agent_sessions/{tokens.session.id}"
        return self.created(presenters.tokens(tokens), location=location, tagged=shown)


class OneAgentSessionView(ApiView):
    @operation("Read a session of an agent", id="get_agent_session", answers={200: AgentSessionShape})
    def get(self, request: HttpRequest, session_id: str) -> HttpResponse:
        session = queries.get_session(self.caller.project_id, session_id)
        return self.single(presenters.agent_session(session, timezone.now()))


class RevokeAgentSessionView(ApiView):
    @operation("End a session of an agent", id="revoke_agent_session", answers={200: AgentSessionShape})
    def post(self, request: HttpRequest, session_id: str) -> HttpResponse:
        session = queries.get_session(self.caller.project_id, session_id, lock=True)
        revoked = sessions.revoke(session, RevokedReason.PROJECT, actor=self.caller.key_id)
        return self.single(presenters.agent_session(revoked, timezone.now()))
