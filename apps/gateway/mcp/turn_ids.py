"""The ids under which a turn of an MCP client is started and completed, so that a repeated call is the same turn.

MCP clients number their requests from the beginning with every connection, and this door keeps no connections. So
a turn's conversation is named after the turn before it, and a call repeats the last turn when everything else about
it is the same while its hints are still good; after that, the same words are a new question.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from apps.gateway.mcp.calls import MessageId
from apps.gateway.references import TTL_SECONDS
from apps.rest.renderers import encode_canonically

REPEATED_WITHIN: Final = timedelta(seconds=TTL_SECONDS)

_FIRST: Final = "mcp-first"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn that a session started last in a workspace."""

    run_id: str
    conversation_id: str
    client_turn_id: str
    created_at: datetime
    is_open: bool
    assistant_message_id: str | None


@dataclass(frozen=True, slots=True)
class TurnIds:
    client_conversation_id: str
    client_turn_id: str
    user_message_id: str


def turn_ids(
    session_id: str, message_id: MessageId, arguments: Mapping[str, Any], last: LastTurn | None, now: datetime
) -> TurnIds:
    """Those of the last turn when this call repeats it, else new ones."""
    if last is not None and last.is_open and now - last.created_at <= REPEATED_WITHIN:
        ids = _ids_in(last.conversation_id, session_id, message_id, arguments)
        if ids.client_turn_id == last.client_turn_id:
            return ids
    conversation = _FIRST if last is None else f"mcp-{last.run_id}"
    return _ids_in(conversation, session_id, message_id, arguments)


def completion_id(run_id: str, message_id: MessageId, arguments: Mapping[str, Any]) -> str:
    """The assistant's message that a call completes a run with."""
    return f"mcp-{_hash_of([run_id, message_id, arguments])}"


def _ids_in(conversation: str, session_id: str, message_id: MessageId, arguments: Mapping[str, Any]) -> TurnIds:
    digest = _hash_of([session_id, conversation, message_id, arguments])
    return TurnIds(conversation, f"mcp-{digest}", f"mcp-message-{digest}")


def _hash_of(parts: list[Any]) -> str:
    return hashlib.sha256(encode_canonically(parts)).hexdigest()
