"""Starting and completing a turn: requests, and the checks of their answers."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mawrid_client import inputs, wire
from mawrid_client.errors import refuse_input
from mawrid_client.fields import Fields, NotAsPublishedError, is_whole, utf16_units
from mawrid_client.knowledge import hints_of
from mawrid_client.messages import Answer, Request, encode, json_of, post, workspace_path
from mawrid_client.results import Completion, KnowledgeDelivery, Turn

START: Final = "start_turn"
COMPLETE: Final = "complete_run"

_TURN_IDS: Final = ("client_conversation_id", "client_turn_id", "user_message_id")
_TURN_MEMBERS: Final = frozenset({*_TURN_IDS, "user_input", "page_context", "renderers"})
# Decisions of the host: a model that writes a turn's input must not be able to take them.
_HOST_MEMBERS: Final = frozenset({"knowledge_delivery", "knowledgeDelivery", "task_binding", "taskBinding"})
_RISKS: Final = ("low", "medium", "high")


def turn_input(
    user_input: str,
    *,
    conversation_id: str | None = None,
    turn_id: str | None = None,
    message_id: str | None = None,
    page_context: Mapping[str, Any] | None = None,
    renderers: Sequence[str] | None = None,
) -> dict[str, Any]:
    """A turn as the wire names it. Keep it, and send the same again after an answer that was lost."""
    turn: dict[str, Any] = {
        "client_conversation_id": conversation_id or f"conversation-{uuid.uuid4()}",
        "client_turn_id": turn_id or f"turn-{uuid.uuid4()}",
        "user_message_id": message_id or f"message-{uuid.uuid4()}",
        "user_input": user_input,
    }
    if page_context is not None:
        turn["page_context"] = dict(page_context)
    if renderers is not None:
        turn["renderers"] = list(renderers)
    return turn


# --- starting -----------------------------------------------------------------------------------------------


def checked_turn(given: object) -> dict[str, Any]:
    """The turn as it will be sent; nothing is cut or cleaned up."""
    if not isinstance(given, Mapping):
        raise refuse_input("A turn is an object with client_conversation_id, client_turn_id and so on.")
    taken = _HOST_MEMBERS & {str(name) for name in given}
    if taken:
        raise refuse_input(f"{', '.join(sorted(taken))} is the host's choice and has no place in a turn's input.")
    inputs.refuse_others(given, _TURN_MEMBERS, "A turn")
    turn = {name: inputs.text(given.get(name), name, most=wire.ID_MAX_LENGTH) for name in _TURN_IDS}
    turn["user_input"] = inputs.text(
        given.get("user_input"), "user_input", most=wire.TEXT_MAX_LENGTH, forbidden=wire.CONTROL_BUT_LAYOUT
    )
    return {**turn, **_checked_extras(given)}


def _checked_extras(given: Mapping[str, Any]) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if given.get("page_context") is not None:
        extras["page_context"] = inputs.json_object(
            given["page_context"], "page_context", most_bytes=wire.PAGE_CONTEXT_MAX_BYTES
        )
    if given.get("renderers") is not None:
        extras["renderers"] = _checked_renderers(given["renderers"])
    return extras


def _checked_renderers(given: object) -> list[str]:
    if not isinstance(given, list | tuple) or not are_renderers(list(given)):
        raise refuse_input(
            f"renderers holds at most {wire.MOST_RENDERERS} different names"
            f" of 1 to {wire.RENDERER_MAX_LENGTH} characters."
        )
    return list(given)


def are_renderers(names: list[Any]) -> bool:
    if len(names) > wire.MOST_RENDERERS or any(not isinstance(name, str) for name in names):
        return False
    return len(set(names)) == len(names) and all(
        0 < len(name) <= wire.RENDERER_MAX_LENGTH and is_whole(name) for name in names
    )


def start_request(route: str, turn: Mapping[str, Any], delivery: str | None) -> Request:
    body = dict(turn) if delivery is None else {**turn, "knowledge_delivery": delivery}
    return post(START, workspace_path(route, "turns"), inputs.bounded_body(body, operation=START))


def turn_of(answer: Answer, delivery: str | None) -> Turn:
    """The frozen context. A server that ignores the wish for hints sends bodies inline, and they are kept."""
    said = Fields(json_of(answer))
    said.schema(wire.TURN_SCHEMA)
    if "task_binding" in said:
        raise said.fault("task_binding", "was not asked for")
    context = said.member("context")
    delivered = _delivery_of(context, delivery)
    knowledge = tuple(item.raw for item in context.members("knowledge"))
    references = tuple(item.raw for item in context.members("knowledge_refs"))
    if delivered is not None and (knowledge or references):
        raise context.fault("knowledge", "stands inline beside its hints")
    _check_context(context)
    return Turn(
        wire=said.raw,
        run_id=said.uuid("run_id"),
        profile_revision=said.hex64("profile_revision"),
        capability_revision=said.hex64("capability_revision"),
        instructions=_instructions_of(context),
        knowledge=knowledge,
        knowledge_refs=references,
        knowledge_delivery=delivered,
        active_tools=_tools_of(said),
    )


def _delivery_of(context: Fields, asked: str | None) -> KnowledgeDelivery | None:
    if "knowledge_delivery" not in context:
        return None
    if asked is None:
        raise context.fault("knowledge_delivery", "was not asked for")
    said = context.member("knowledge_delivery")
    said.schema(wire.DELIVERY_SCHEMA)
    said.literal("protocol", wire.KNOWLEDGE_PROTOCOL)
    if len(encode(said.raw)) > wire.SEARCH_MAX_BYTES:
        raise context.fault("knowledge_delivery", f"has more than {wire.SEARCH_MAX_BYTES} bytes")
    return KnowledgeDelivery(
        wire=said.raw,
        mode=said.literal("mode", asked),
        knowledge_scope_revision=said.hex64("knowledge_scope_revision"),
        status=said.literal("status", *wire.SEARCH_STATUSES),
        hints=hints_of(said, most=wire.SEARCH_MAX_RESULTS),
        truncated=said.flag("truncated"),
    )


def _instructions_of(context: Fields) -> str:
    instructions = context.text("instructions")
    if utf16_units(instructions) > wire.INSTRUCTIONS_MAX_UNITS or "\0" in instructions:
        raise context.fault("instructions", "are too long or hold NUL")
    return instructions


def _check_context(context: Fields) -> None:
    together = {
        "memory": context.value("memory"),
        "memory_refs": context.items("memory_refs"),
        "knowledge": context.items("knowledge"),
        "knowledge_refs": context.items("knowledge_refs"),
        "governance": context.member("governance").raw,
    }
    if len(encode(together)) > wire.CONTEXT_MAX_BYTES:
        raise NotAsPublishedError(f"answer.context has more than {wire.CONTEXT_MAX_BYTES} bytes")
    page_context = context.optional_object("page_context")
    if page_context is not None and len(encode(page_context)) > wire.PAGE_CONTEXT_MAX_BYTES:
        raise context.fault("page_context", "is larger than what can be sent")
    if context.raw.get("renderers") is not None and not are_renderers(context.items("renderers")):
        raise context.fault("renderers", "are no renderers that can be sent")


def _tools_of(said: Fields) -> tuple[Mapping[str, Any], ...]:
    tools = said.members("active_tools", most=wire.MOST_TOOLS)
    names = [_checked_tool(tool) for tool in tools]
    if len(set(names)) != len(names):
        raise said.fault("active_tools", "has a name twice")
    return tuple(tool.raw for tool in tools)


def _checked_tool(tool: Fields) -> str:
    name = tool.text("name", form=wire.TOOL_NAME)
    tool.text("description", most=1_200)
    tool.text("scope", most=256)
    tool.literal("risk", *_RISKS)
    for flag in ("approval_required", "readonly", "idempotent"):
        tool.flag(flag)
    schema = tool.member("input_schema")
    schema.literal("type", "object")
    if len(encode(schema.raw)) > wire.TOOL_SCHEMA_MAX_BYTES:
        raise tool.fault("input_schema", "is too large")
    return name


# --- completing ---------------------------------------------------------------------------------------------


def complete_request(
    run_id: object,
    *,
    content: object,
    status: object,
    assistant_message_id: object,
    model: object,
    runtime: object,
    usage: object,
) -> Request:
    run = inputs.uuid(run_id, "run_id")
    body: dict[str, Any] = {
        "assistant_message_id": _message_id(assistant_message_id, run),
        "status": _completion_status(status),
        "content": inputs.text(content, "content", most=wire.TEXT_MAX_LENGTH, forbidden=wire.CONTROL_BUT_LAYOUT),
    }
    for name, value in (("model", model), ("runtime", runtime)):
        if value is not None:
            body[name] = inputs.text(value, name, most=wire.MODEL_MAX_LENGTH)
    if usage is not None:
        body["usage"] = _checked_usage(usage)
    return post(COMPLETE, f"/agent-api/v1/runs/{run}/complete", inputs.bounded_body(body, operation=COMPLETE))


def _message_id(given: object, run_id: str) -> str:
    """Without a choice the id follows from the run, so that sending again is the same completion."""
    if given is None:
        return f"assistant-{run_id}"
    if not isinstance(given, str) or not wire.MESSAGE_ID.fullmatch(given):
        raise refuse_input("assistant_message_id has 1 to 128 letters, digits and . _ : - and starts with no sign.")
    return given


def _completion_status(given: object) -> str:
    if not isinstance(given, str) or given not in wire.COMPLETION_STATUSES:
        raise refuse_input("status must be completed, failed or cancelled.")
    return given


def _checked_usage(given: object) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise refuse_input("usage must be an object.")
    inputs.refuse_others(given, frozenset(wire.USAGE_FIELDS), "usage")
    if any(not _is_amount(value) for value in given.values()):
        raise refuse_input("usage holds numbers from 0 on.")
    return dict(given)


def _is_amount(value: object) -> bool:
    # Infinity is above the bound and NaN is not comparable, so both fall out.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= wire.MAX_SAFE_INTEGER


def completion_of(answer: Answer, run_id: str, status: str) -> Completion:
    said = Fields(json_of(answer))
    said.schema(wire.COMPLETION_SCHEMA)
    return Completion(wire=said.raw, run_id=said.literal("run_id", run_id), status=said.literal("status", status))
