"""What tools answer: the wire's objects with what was and was not done, within the bytes that were promised."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, Final

from mawrid_client import wire
from mawrid_client.errors import AgentError
from mawrid_client.messages import encode

# Looking things up dispatches nothing and performs no business operation, whatever comes of it.
NOTHING_DONE: Final[Mapping[str, Any]] = {"dispatch": "not_dispatched", "business_operation_performed": False}
# How many bytes these take inside an object.
ROOM: Final = len(encode(NOTHING_DONE)) - 1

# Said twice, or known already: the first to go where a byte is missing.
_SPARE: Final = ("schema", "read_chain_max_bytes")
# What a job can be told without, the first first: what its report says too, what its sender knows, and the prompt.
_SPARE_OF_JOB: Final = (
    *("result.search", "result.content", "metadata", "result.prompt"),
    # Of a server that says more in a job than the protocol asks for.
    *("result", "usage", "raw_result"),
)


def done(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {**answer, **NOTHING_DONE}


def refusal(error: AgentError) -> dict[str, Any]:
    """An error as a tool tells it."""
    return {
        "error": error.code,
        "message": error.message,
        "status": error.status,
        "retryable": error.retryable,
        "next_action": error.next_action or ("retry_later" if error.retryable else "give_up"),
        "dispatch": error.dispatch,
        "business_operation_performed": False,
    }


def page_budget(max_bytes: int) -> int:
    """What to ask a page to take, so that what is said beside it has room too."""
    return max(max_bytes - ROOM, wire.READ_MIN_BYTES)


def fitted_page(answer: Mapping[str, Any], max_bytes: int) -> dict[str, Any]:
    return _without_spare(done(answer), max_bytes)


def fitted_search(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A search that filled its bytes to the last gives some of them up: of its longest summary, and says so."""
    shown = _without_spare(done(answer), wire.SEARCH_MAX_BYTES)
    excess = len(encode(shown)) - wire.SEARCH_MAX_BYTES
    if excess <= 0:
        return shown
    hints = [dict(hint) for hint in shown["hints"]]
    longest = max(hints, key=lambda hint: len(hint["summary"]))
    longest["summary"] = _shorter(longest["summary"], excess)
    return {**shown, "hints": hints, "truncated": True}


def _without_spare(shown: dict[str, Any], max_bytes: int) -> dict[str, Any]:
    for name in _SPARE:
        if len(encode(shown)) <= max_bytes:
            break
        shown = {key: value for key, value in shown.items() if key != name}
    return shown


def _shorter(text: str, excess: int) -> str:
    """The text without so many bytes at its end; a whole word less is better than half of one."""
    kept = text.encode()[: -excess or None].decode(errors="ignore")
    return kept.rpartition(" ")[0] or kept


def fitted_job(answer: Mapping[str, Any]) -> dict[str, Any]:
    """A job within the bytes of the longest page; what does not fit is null and named in `left_out`.

    Nothing is half there but the report, which ends with a whole line.
    """
    shown = {**answer, "truncated": False, "left_out": []}
    for name in _SPARE_OF_JOB:
        if _fits(shown):
            return shown
        shown = _without(shown, name)
    return shown if _fits(shown) else _with_shorter_report(shown)


def _without(job: dict[str, Any], name: str) -> dict[str, Any]:
    """The job without one of its members, or of its result's."""
    holder, _, member = name.rpartition(".")
    held = job[holder] if holder else job
    if held is None or held.get(member) is None:
        return job
    left = {**held, member: None}
    return {**job, **({holder: left} if holder else left), **_told_of(job, name)}


def _with_shorter_report(job: dict[str, Any]) -> dict[str, Any]:
    report = job["report"]
    if report is None or not isinstance(report.get("text"), str):
        return {**job, "report": None, **_told_of(job, "report")}
    lines = report["text"].splitlines(keepends=True)

    def with_lines(number: int) -> dict[str, Any]:
        return {**job, "report": {"text": "".join(lines[:number])}, **_told_of(job, "report.text")}

    too_many = bisect_left(range(len(lines) + 1), x=True, key=lambda number: not _fits(with_lines(number)))
    return with_lines(too_many - 1)


def _told_of(job: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {"truncated": True, "left_out": [*job["left_out"], name]}


def _fits(job: Mapping[str, Any]) -> bool:
    return len(encode(job)) <= wire.READ_MAX_BYTES
