"""What an agent does over MCP: start the person's turn, search and read in it, complete it."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone

from apps.gateway import errors
from apps.gateway.auth import AgentCaller
from apps.gateway.mcp.arguments import checked
from apps.gateway.mcp.calls import Call
from apps.gateway.mcp.results import NOTHING_DONE
from apps.gateway.mcp.turn_ids import LastTurn, completion_id, turn_ids
from apps.gateway.models import RunStatus, Turn
from apps.gateway.routes import open_route
from apps.gateway.runtime import knowledge, protocol, reading, turns
from apps.gateway.runtime.serializers import CompletionBody, KnowledgeReadBody, KnowledgeSearchBody, TurnBody
from apps.kernel.errors import AppError
from apps.projects.scoping import project_scope


def start_turn(call: Call, caller: AgentCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    """Hints come with the turn and bodies are read on demand: the tools for that stand right beside this one."""
    route = call.workspace
    with project_scope(caller.project_id):
        last = _last_turn(caller, route)
        ids = turn_ids(caller.session.id, call.message_id, arguments, last, timezone.now())
        body = checked(TurnBody, arguments, **asdict(ids), knowledge_delivery=protocol.ON_DEMAND)
        return {**turns.start_turn(caller, route, **body), **NOTHING_DONE}


def search(call: Call, caller: AgentCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    body, route = checked(KnowledgeSearchBody, arguments), call.workspace
    with project_scope(caller.project_id):
        run_id = _current_run(caller, route)
        return knowledge.search(caller, route, **body, run_id=run_id, also=NOTHING_DONE)


def read(call: Call, caller: AgentCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    body, route = checked(KnowledgeReadBody, arguments), call.workspace
    with project_scope(caller.project_id):
        run_id = _current_run(caller, route)
        return reading.read(caller, route, **body, run_id=run_id, also=NOTHING_DONE)


def complete_run(call: Call, caller: AgentCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    """Complete the current run; the same call again is answered as the first time."""
    with project_scope(caller.project_id):
        run_id = _run_to_complete(call, caller, arguments)
        message_id = completion_id(run_id, call.message_id, arguments)
        given = {"status": RunStatus.COMPLETED.value, **arguments}
        body = checked(CompletionBody, given, assistant_message_id=message_id)
        return {**turns.complete_run(caller, run_id, **body), **NOTHING_DONE}


def _run_to_complete(call: Call, caller: AgentCaller, arguments: dict[str, Any]) -> str:
    route = call.workspace
    last = _last_turn(caller, route)
    if last is not None and last.assistant_message_id == completion_id(last.run_id, call.message_id, arguments):
        return last.run_id
    return _current_run(caller, route)


def _current_run(caller: AgentCaller, route: str) -> str:
    """The run of the session's last turn that is not completed.

    Raises what stands in the way of the workspace, and `run_not_found` before the first turn and after the last.
    """
    run_id = turns.current_run(caller, route)
    if run_id is None:
        open_route(caller, route)
        raise AppError(errors.RUN_NOT_FOUND)
    return run_id


def _last_turn(caller: AgentCaller, route: str) -> LastTurn | None:
    turn = (
        Turn.objects.for_project(caller.project_id)
        .filter(session=caller.session, route=route)
        .defer("answer")
        .order_by("-created_at")
        .first()
    )
    if turn is None:
        return None
    return LastTurn(
        run_id=turn.id,
        conversation_id=turn.conversation_id,
        client_turn_id=turn.client_turn_id,
        created_at=turn.created_at,
        is_open=turn.completed_at is None,
        assistant_message_id=turn.assistant_message_id,
    )
