"""The base of every endpoint of the agent protocol: as under /v1, but flat refusals, no scopes and nothing kept.

A view of agents is an `AgentView`, one of business backends a `ClientView`, one that anybody may call a
`PublicWireView`; handlers find a caller who was let in, in `self.caller`, and the routes that are open in
`apps.gateway.routes`.
"""

from collections.abc import Sequence
from typing import cast

from django.conf import settings
from django.http import HttpResponse
from rest_framework.authentication import BaseAuthentication

from apps.gateway.auth import AgentAuthentication, AgentCaller, ClientAuthentication, ClientCaller
from apps.rest import throttles
from apps.rest.addresses import client_address
from apps.rest.operations import Operation
from apps.rest.views import ApiView


class WireView(ApiView):
    """An endpoint of the protocol; refusals get their form by the path (`apps.gateway.refusals`)."""

    authentication_classes: Sequence[type[BaseAuthentication]] = ()
    # Agents take 404 for an old server, so a malformed route is the handler's to refuse as one.
    free_path_names = frozenset({"route"})

    def check_scope(self, operation: Operation) -> None:
        """Routes and audiences take the place of scopes."""

    def idempotency_key(self) -> None:
        """The protocol repeats a request by its own ids."""

    def _finish(self, response: HttpResponse) -> HttpResponse:
        response = super()._finish(response)
        response["Cache-Control"] = "no-store"
        return response


class PublicWireView(WireView):
    """For whoever has no credential yet; handlers open the project's scope themselves."""

    public = True

    @property
    def address(self) -> str:
        """Where the request comes from, for counting."""
        return client_address(self.request)


class AgentView(WireView):
    """For agents with a session."""

    authentication_classes = (AgentAuthentication,)

    @property
    def caller(self) -> AgentCaller:
        return cast(AgentCaller, self.request.auth)

    def take_turn(self) -> throttles.Standing:
        limit = settings.RATE_LIMIT_PER_AGENT_SESSION
        return throttles.take(self.caller.project_id, self.caller.key_id, limit=limit)


class ClientView(WireView):
    """For the backend of an agent client."""

    authentication_classes = (ClientAuthentication,)

    @property
    def caller(self) -> ClientCaller:
        return cast(ClientCaller, self.request.auth)
