"""Turns of a conversation: each is frozen under the agent's own ids, and its run is completed once."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.gateway import errors
from apps.gateway.auth import AgentCaller
from apps.gateway.hints import MOST_HINTS
from apps.gateway.models import Turn
from apps.gateway.routes import open_route
from apps.gateway.runtime import protocol, runs
from apps.gateway.runtime.inline import inlined
from apps.gateway.runtime.knowledge import delivery
from apps.gateway.runtime.searching import Findings, look_up
from apps.gateway.runtime.workspaces import Workspace, capability_revision, enter, profile_of
from apps.kernel.errors import AppError
from apps.rest.renderers import encode, encode_canonically

NO_MEMORY: Final[Mapping[str, Any]] = {"summary": None, "recent": []}


def start_turn(
    caller: AgentCaller,
    route: str,
    *,
    client_conversation_id: str,
    client_turn_id: str,
    user_message_id: str,
    user_input: str,
    page_context: Mapping[str, Any] | None = None,
    renderers: Sequence[str] | None = None,
    knowledge_delivery: str | None = None,
) -> dict[str, Any]:
    """The context of a turn; the same request always gets the same one, whatever has changed since.

    Raises as `enter` does, `page_context_too_large`, `turn_conflict` when another request started this turn,
    `agent_runtime_unavailable`, and `knowledge_unavailable` when bodies were to come and could not be searched.
    """
    if page_context is not None and len(encode(page_context)) > protocol.MOST_PAGE_CONTEXT_BYTES:
        raise AppError(errors.PAGE_CONTEXT_TOO_LARGE, params={"limit": protocol.MOST_PAGE_CONTEXT_BYTES})
    workspace = enter(caller, route, with_content=True)
    turn = Turn(
        id=str(uuid4()),
        project_id=workspace.project_id,
        session=caller.session,
        route=workspace.route,
        conversation_id=client_conversation_id,
        client_turn_id=client_turn_id,
        request_hash=_hash_of([user_message_id, user_input, page_context, renderers, knowledge_delivery]),
    )
    echoed = {"page_context": page_context or {}, "renderers": renderers or []}
    is_on_demand = knowledge_delivery == protocol.ON_DEMAND
    return _replayed(turn) or _started(workspace, turn, user_input, echoed, is_on_demand=is_on_demand)


def complete_run(
    caller: AgentCaller,
    run_id: str,
    *,
    assistant_message_id: str,
    status: str,
    content: str,
    model: str | None = None,
    runtime: str | None = None,
    usage: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """End a run with what the agent said; the same again is answered alike.

    Raises `run_not_found`, what stands in the way of the run's workspace now, `run_completion_conflict`, and
    `assistant_message_conflict` for a message that ended another run.
    """
    turn = _turns(caller).filter(id=run_id).select_for_update().first()
    if turn is None:
        raise AppError(errors.RUN_NOT_FOUND)
    open_route(caller, turn.route)
    completion_hash = _hash_of([assistant_message_id, status, content, model, runtime, usage])
    if turn.completion_hash is None:
        _complete(turn, assistant_message_id, status, completion_hash)
    elif bytes(turn.completion_hash) != completion_hash:
        raise AppError(errors.RUN_COMPLETION_CONFLICT)
    return protocol.named(protocol.COMPLETION, run_id=turn.id, status=turn.status)


def current_run(caller: AgentCaller, route: str) -> str | None:
    """The run of the last turn of the session in this workspace that is not completed."""
    open_turns = _turns(caller).filter(route=route, completed_at=None).order_by("-created_at")
    return open_turns.values_list("id", flat=True).first()


def search_capabilities(caller: AgentCaller, route: str, *, run_id: str | None = None) -> dict[str, Any]:
    """The business tools that fit: there are none. Raises as `enter` does, and `run_not_found`."""
    workspace = enter(caller, route)
    if run_id is not None:
        runs.open_run(workspace, run_id)
    return protocol.named(protocol.CAPABILITY_SEARCH, capability_revision=capability_revision(), tools=[])


# --- starting -----------------------------------------------------------------------------------------------


def _replayed(turn: Turn) -> dict[str, Any] | None:
    """The answer that was frozen for this turn; None when nobody has started it."""
    earlier = (
        Turn.objects.for_project(turn.project_id)
        .filter(
            session=turn.session,
            route=turn.route,
            conversation_id=turn.conversation_id,
            client_turn_id=turn.client_turn_id,
        )
        .first()
    )
    if earlier is None:
        return None
    if bytes(earlier.request_hash) != turn.request_hash:
        raise AppError(errors.TURN_CONFLICT)
    answer: dict[str, Any] = msgspec.json.decode(bytes(earlier.answer))
    return answer


def _started(
    workspace: Workspace, turn: Turn, user_input: str, echoed: Mapping[str, Any], *, is_on_demand: bool
) -> dict[str, Any]:
    """A new answer, or that of the same request that was quicker."""
    try:
        with transaction.atomic():
            answer = _answer(workspace, turn.id, user_input, echoed, is_on_demand=is_on_demand)
            turn.answer = encode(answer)
            turn.save(force_insert=True)
    except IntegrityError:
        quicker = _replayed(turn)
        if quicker is None:
            raise
        return quicker
    return answer


def _answer(
    workspace: Workspace, run_id: str, user_input: str, echoed: Mapping[str, Any], *, is_on_demand: bool
) -> dict[str, Any]:
    query = user_input[: protocol.MOST_QUERY]
    findings = look_up(workspace, query, parents=MOST_HINTS if is_on_demand else 0)
    run, prompt = runs.start(workspace, run_id)
    runs.note_search(run, workspace, findings)
    profile = profile_of(workspace, prompt)
    context = {
        "instructions": profile["instructions"],
        **echoed,
        "memory": NO_MEMORY,
        "memory_refs": [],
        **(_on_demand(workspace, findings, run_id) if is_on_demand else _inline(workspace, findings)),
        "governance": {**profile["governance"], "knowledge_status": findings.status},
    }
    return protocol.named(
        protocol.TURN,
        run_id=run_id,
        profile_revision=profile["revision"],
        capability_revision=capability_revision(),
        context=context,
        active_tools=[],
    )


def _on_demand(workspace: Workspace, findings: Findings, run_id: str) -> dict[str, Any]:
    return {
        "knowledge": [],
        "knowledge_refs": [],
        "knowledge_delivery": delivery(workspace, findings, run_id),
    }


def _inline(workspace: Workspace, findings: Findings) -> dict[str, Any]:
    """Raises `knowledge_unavailable`: an agent that waits for bodies would take their absence for an answer."""
    if findings.has_failed:
        raise AppError(errors.KNOWLEDGE_UNAVAILABLE)
    hits = [] if findings.answer is None else findings.answer["hits"]
    items, references = inlined(hits, locale=workspace.edition.locale)
    return {"knowledge": items, "knowledge_refs": references}


# --- completing ---------------------------------------------------------------------------------------------


def _complete(turn: Turn, assistant_message_id: str, status: str, completion_hash: bytes) -> None:
    turn.completed_at, turn.status = timezone.now(), status
    turn.assistant_message_id, turn.completion_hash = assistant_message_id, completion_hash
    try:
        with transaction.atomic():
            turn.save(update_fields=["completed_at", "status", "assistant_message_id", "completion_hash"])
    except IntegrityError as error:
        raise AppError(errors.ASSISTANT_MESSAGE_CONFLICT) from error


def _turns(caller: AgentCaller) -> QuerySet[Turn]:
    return Turn.objects.for_project(caller.project_id).filter(session=caller.session).defer("answer")


def _hash_of(parts: Sequence[Any]) -> bytes:
    return hashlib.sha256(encode_canonically(parts)).digest()
