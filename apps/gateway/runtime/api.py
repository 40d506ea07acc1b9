"""Doors of workspaces, turns and knowledge, and of neighbouring calls for which there is nothing here."""

from typing import Any, ClassVar

import structlog
from django.db import DataError
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse

from apps.gateway import errors
from apps.gateway.http import AgentView
from apps.gateway.runtime import knowledge, protocol, reading, turns, workspaces
from apps.gateway.runtime.serializers import (
    CapabilitySearchBody,
    CompletionBody,
    KnowledgeReadBody,
    KnowledgeSearchBody,
    TurnBody,
)
from apps.kernel.errors import AppError
from apps.rest.fields import StrictSerializer
from apps.rest.operations import operation

log = structlog.get_logger(__name__)


class RuntimeView(AgentView):
    """An endpoint that tells an outage in the protocol's words: `outage` is its code for one."""

    outage: ClassVar[str] = errors.AGENT_RUNTIME_UNAVAILABLE

    def _answer(self) -> HttpResponse:
        try:
            return super()._answer()
        except DataError:
            raise
        except DatabaseError as error:
            log.exception("agent_runtime_outage", path=self.request.path)
            raise AppError(self.outage) from error
        except AppError as refusal:
            if refusal.code == "service_unavailable":
                raise AppError(self.outage) from refusal
            raise


# --- workspaces and turns -----------------------------------------------------------------------------------


class WorkspacesView(RuntimeView):
    @operation("List the workspaces of the session", id="list_agent_workspaces", answers={200: None})
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.single(workspaces.list_workspaces(self.caller))


class BootstrapView(RuntimeView):
    @operation("Read what a workspace is told first", id="bootstrap_agent_workspace", answers={200: None})
    def get(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.single(workspaces.bootstrap(self.caller, route))


class SystemInfoView(RuntimeView):
    @operation("Read what a system says of itself", id="read_agent_system_info", answers={})
    def get(self, request: HttpRequest, route: str) -> HttpResponse:
        workspaces.enter(self.caller, route)
        raise AppError(errors.SYSTEM_INFO_UNSUPPORTED)


class TurnsView(RuntimeView):
    body_limit = protocol.MOST_TURN_BODY_BYTES

    @operation("Start a turn", id="start_agent_turn", request=TurnBody, answers={200: None})
    def post(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.answer(turns.start_turn(self.caller, route, **self.body))


class CompletionView(RuntimeView):
    body_limit = protocol.MOST_TURN_BODY_BYTES

    @operation("Complete a run", id="complete_agent_run", request=CompletionBody, answers={200: None})
    def post(self, request: HttpRequest, run_id: str) -> HttpResponse:
        return self.answer(turns.complete_run(self.caller, run_id.lower(), **self.body))


class CapabilitySearchView(RuntimeView):
    @operation(
        "Search business tools", id="search_agent_capabilities", request=CapabilitySearchBody, answers={200: None}
    )
    def post(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.answer(turns.search_capabilities(self.caller, route, run_id=self.body.get("run_id")))


# --- knowledge ----------------------------------------------------------------------------------------------


class KnowledgeView(RuntimeView):
    outage = errors.KNOWLEDGE_UNAVAILABLE


class KnowledgeCapabilitiesView(KnowledgeView):
    @operation("Read what knowledge offers", id="read_agent_knowledge_capabilities", answers={200: None})
    def get(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.answer(knowledge.capabilities(self.caller, route))


class KnowledgeSearchView(KnowledgeView):
    @operation("Search for hints", id="search_agent_knowledge", request=KnowledgeSearchBody, answers={200: None})
    def post(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.answer(knowledge.search(self.caller, route, **self.body))


class KnowledgeReadView(KnowledgeView):
    @operation("Read a page", id="read_agent_knowledge", request=KnowledgeReadBody, answers={200: None})
    def post(self, request: HttpRequest, route: str) -> HttpResponse:
        return self.answer(reading.read(self.caller, route, **self.body))


# --- neighbours ---------------------------------------------------------------------------------------------


class AnyBody(StrictSerializer):
    """Whatever is sent where there is nothing to send it to."""

    def to_internal_value(self, _: Any) -> dict[str, Any]:
        return {}


class NothingThereView(RuntimeView):
    """A call for which this service has nothing, refused in the words that agents know."""

    code: ClassVar[str]

    @operation("Ask for what is not there", id="ask_agent_runtime_for_nothing", request=AnyBody, answers={})
    def post(self, request: HttpRequest, **_: str) -> HttpResponse:
        raise AppError(self.code)

    @operation("Read what is not there", id="read_nothing_of_agent_runtime", answers={})
    def get(self, request: HttpRequest, **_: str) -> HttpResponse:
        raise AppError(self.code)


class InvocationsView(NothingThereView):
    code = errors.TOOL_NOT_FOUND


class InvocationView(NothingThereView):
    code = errors.INVOCATION_NOT_FOUND


class ConversationAuditsView(NothingThereView):
    code = errors.CONVERSATION_AUDIT_NOT_FOUND
