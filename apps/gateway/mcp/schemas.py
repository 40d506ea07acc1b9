"""What the tools take, as models are told it. What they are given is checked by the shapes of the other doors."""

from collections.abc import Mapping
from typing import Any, Final

from apps.gateway.budget import DEFAULT_PAGE_BYTES, LEAST_PAGE_BYTES, MOST_PAGE_BYTES
from apps.gateway.hints import MOST_HINTS
from apps.gateway.models import REQUEST_ID_LENGTH, RunStatus
from apps.gateway.runtime import protocol
from apps.gateway.serializers import INPUT_LENGTH
from apps.knowledge.lookup import MOST_HITS

LEAST_WAIT_SECONDS: Final = 1
MOST_WAIT_SECONDS: Final = 60
DEFAULT_WAIT_SECONDS: Final = 20

Schema = dict[str, Any]


def _object(required: list[str], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _text(description: str, *, most: int, least: int = 1) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": most, "description": description}


def _whole(description: str, *, low: int, high: int, default: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high, "default": default, "description": description}


_AMOUNT: Final[Mapping[str, Any]] = {"type": "number", "minimum": 0}
_USAGE: Final = (
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "total_tokens",
    "tool_calls",
    "cost_usd",
)
_JOB_ID: Final[Schema] = {
    "type": "string",
    "format": "uuid",
    "description": "The job_id that submit_governed_job gave.",
}

START_TURN: Final = _object(
    ["user_input"],
    user_input=_text("What the person said, word for word.", most=protocol.MOST_INPUT),
    page_context={
        "type": "object",
        "description": "What the person has before them, as the host shows it; at most 16 KiB as JSON.",
    },
    renderers={
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": 64},
        "maxItems": protocol.MOST_RENDERERS,
        "uniqueItems": True,
        "description": "Forms of answers that the host can show.",
    },
)
SEARCH: Final = _object(
    ["query"],
    query=_text("What to look for, in the words of the business or of the person.", most=protocol.MOST_QUERY),
    limit=_whole("How many hints at most.", low=1, high=MOST_HINTS, default=MOST_HINTS),
)
READ: Final = _object(
    ["ref"],
    ref={"type": "string", "minLength": 1, "description": "A hint's ref, unchanged."},
    cursor={"type": "string", "minLength": 1, "description": "next_cursor of the page before, unchanged."},
    max_bytes=_whole(
        "How large the page may be as JSON.", low=LEAST_PAGE_BYTES, high=MOST_PAGE_BYTES, default=DEFAULT_PAGE_BYTES
    ),
)
COMPLETE: Final = _object(
    ["content"],
    content=_text("What was answered to the person, without hidden reasoning.", most=protocol.MOST_INPUT),
    status={
        "type": "string",
        "enum": RunStatus.values,
        "default": RunStatus.COMPLETED.value,
        "description": "How the turn ended.",
    },
    model=_text("The model that answered.", most=191),
    runtime=_text("The program that ran it.", most=191),
    usage={
        "type": "object",
        "properties": {name: dict(_AMOUNT) for name in _USAGE},
        "additionalProperties": False,
        "description": "What it took.",
    },
)
SUBMIT_JOB: Final = _object(
    ["request_id", "input"],
    request_id=_text(
        "An id of yours; the same one with the same input is the same job, never a second one.",
        most=REQUEST_ID_LENGTH,
    ),
    input=_text("What the job is about, in plain words.", most=INPUT_LENGTH),
)
GET_JOB: Final = _object(["job_id"], job_id=_JOB_ID)
WAIT_FOR_JOB: Final = _object(
    ["job_id"],
    job_id=_JOB_ID,
    max_wait_seconds=_whole(
        "How long to wait at most.", low=LEAST_WAIT_SECONDS, high=MOST_WAIT_SECONDS, default=DEFAULT_WAIT_SECONDS
    ),
)
SEARCH_KNOWLEDGE: Final = _object(
    ["query"],
    query=_text("What to look for, as people write it: Arabic, English, Arabizi, with slips.", most=2_000),
    limit=_whole("How many hits at most.", low=1, high=MOST_HITS, default=MOST_HITS),
)
