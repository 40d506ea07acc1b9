"""What tools answer: results and refusals as one object each, with what a host needs to act on them."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, Final

from apps.gateway import errors
from apps.gateway.budget import MOST_PAGE_BYTES
from apps.gateway.refusals import flat
from apps.kernel.errors import AppError
from apps.knowledge.lookup import parent_of
from apps.rest.renderers import encode

# Looking things up dispatches nothing and performs no business operation, whatever comes of it.
NOTHING_DONE: Final[Mapping[str, Any]] = {"dispatch": "not_dispatched", "business_operation_performed": False}
# No answer that nobody gave a size is longer than the longest page.
MOST_BYTES: Final = MOST_PAGE_BYTES
_MOST_REASONS: Final = 20
# What a job can be told without, the first first: what its report says too, what its sender knows, and the prompt.
_SPARE_OF_JOB: Final = ("result.search", "result.content", "metadata", "result.prompt")

_SEARCH_AGAIN: Final = frozenset(
    {
        errors.KNOWLEDGE_REFERENCE_INVALID,
        errors.KNOWLEDGE_REFERENCE_EXPIRED,
        errors.KNOWLEDGE_SCOPE_CHANGED,
        errors.KNOWLEDGE_CHANGED,
    }
)
_NEXT_ACTIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(_SEARCH_AGAIN, "search_knowledge"),
    errors.RUN_NOT_FOUND: "start_turn",
    errors.TURN_CONFLICT: "start_turn",
    errors.REQUEST_CONFLICT: "use_new_request_id",
    errors.WORKSPACE_REQUIRED: "select_workspace",
}
_BY_STATUS: Final[Mapping[int, str]] = {400: "correct_input", 401: "log_in", 403: "ask_for_access"}
_RETRYABLE: Final = frozenset({408, 425, 429})
_SERVER_FAULT: Final = 500


def refusal(error: AppError, language: str) -> dict[str, Any]:
    """An error as a tool tells it: the protocol's code and sentence, and what to do about it."""
    status, body = flat(error, language)
    retryable = status in _RETRYABLE or status >= _SERVER_FAULT
    return {
        **body,
        "status": status,
        "retryable": retryable,
        "next_action": _next_action(error.code, status, retryable=retryable),
        **NOTHING_DONE,
    }


def _next_action(code: str, status: int, *, retryable: bool) -> str:
    default = "retry_later" if retryable else "give_up"
    return _NEXT_ACTIONS.get(code) or _BY_STATUS.get(status) or default


def bounded_search(answer: Mapping[str, Any], *, max_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """A project's search within so many bytes; what does not fit is left out, and it says so."""
    return next(shown for shown in _ever_shorter(answer) if len(encode(shown)) <= max_bytes)


def _ever_shorter(answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The whole; then without the sources and reasons that no hit needs, hit by hit; last without the words too."""
    yield {**answer, "truncated": False}
    for count in range(len(answer["hits"]), -1, -1):
        yield _shortened(answer, count)
    yield {**_shortened(answer, 0), "words": [], "ignored": []}


def _shortened(answer: Mapping[str, Any], count: int) -> dict[str, Any]:
    hits, miss = answer["hits"][:count], answer["miss"]
    named = {parent_of(hit) for hit in hits}
    shown = {
        searched: [one for one in answer[searched] if (field, one["id"]) in named]
        for searched, field in (("searched_sources", "source_id"), ("searched_documents", "document_id"))
        if searched in answer
    }
    return {
        **answer,
        "hits": hits,
        **shown,
        "miss": miss and {**miss, "reasons": miss["reasons"][:_MOST_REASONS]},
        "truncated": True,
    }


# --- jobs ---------------------------------------------------------------------------------------------------


def bounded_job(answer: Mapping[str, Any], *, max_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """A job within so many bytes; what does not fit is null and named in `left_out`.

    Nothing is half there but the report, which ends with a whole line: half a prompt would pass for all of it, and
    so would half a price.
    """
    shown = {**answer, "truncated": False, "left_out": []}
    for name in _SPARE_OF_JOB:
        if len(encode(shown)) <= max_bytes:
            return shown
        shown = _without(shown, name)
    return shown if len(encode(shown)) <= max_bytes else _with_shorter_report(shown, max_bytes)


def _without(job: dict[str, Any], name: str) -> dict[str, Any]:
    """The job without one of its members, or of its result's."""
    holder, _, member = name.rpartition(".")
    held = job[holder] if holder else job
    if held is None or held[member] is None:
        return job
    left = {**held, member: None}
    return {**job, **({holder: left} if holder else left), **_told_of(job, name)}


def _with_shorter_report(job: dict[str, Any], max_bytes: int) -> dict[str, Any]:
    lines = job["report"]["text"].splitlines(keepends=True)

    def with_lines(number: int) -> dict[str, Any]:
        return {**job, "report": {"text": "".join(lines[:number])}, **_told_of(job, "report.text")}

    def is_too_much(number: int) -> bool:
        return len(encode(with_lines(number))) > max_bytes

    return with_lines(bisect_left(range(len(lines) + 1), x=True, key=is_too_much) - 1)


def _told_of(job: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {"truncated": True, "left_out": [*job["left_out"], name]}
