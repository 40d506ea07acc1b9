"""Governed jobs of a business backend: requests, and the checks of their answers."""

from typing import Any, Final

from mawrid_client import inputs, wire
from mawrid_client.errors import refuse_input
from mawrid_client.fields import Fields
from mawrid_client.messages import Answer, Request, get, json_of, post
from mawrid_client.results import Job

SUBMIT: Final = "submit_job"
GET: Final = "get_job"
WAIT: Final = "wait_for_job"

_METADATA_MAX_BYTES: Final = 64 * 1024


def submit_request(
    route: str,
    *,
    request_id: object,
    input: object,  # noqa: A002 -- the wire's name
    metadata: object = None,
    callback_url: object = None,
) -> Request:
    body: dict[str, Any] = {
        "request_id": _not_blank(inputs.text(request_id, "request_id", most=wire.ID_MAX_LENGTH), "request_id"),
        "route": route,
        "input": inputs.written_text(input, "input", most=wire.JOB_INPUT_MAX_LENGTH),
    }
    if metadata is not None:
        body["metadata"] = inputs.json_object(metadata, "metadata", most_bytes=_METADATA_MAX_BYTES)
    if callback_url is not None:
        body["callback_url"] = inputs.text(callback_url, "callback_url", most=wire.CALLBACK_URL_MAX_LENGTH)
    return post(SUBMIT, "/run", body)


def _not_blank(text: str, name: str) -> str:
    if not text.strip():
        raise refuse_input(f"{name} must not be blank.")
    return text


def get_request(job_id: object, *, operation: str = GET) -> Request:
    return get(operation, f"/jobs/{inputs.uuid(job_id, 'job_id')}")


def submitted_of(answer: Answer, request_id: str) -> Job:
    """The short answer of a submission; what a job comes to is read later."""
    said = Fields(json_of(answer))
    return _job(said, request_id=said.literal("request_id", request_id))


def job_of(answer: Answer, job_id: str) -> Job:
    said = Fields(json_of(answer))
    if said.uuid("job_id").lower() != job_id.lower():
        raise said.fault("job_id", "is another one")
    for name in ("created_at", "updated_at"):
        said.text(name, least=1, most=wire.TIMESTAMP_MAX_LENGTH)
    for name in ("result", "report", "usage", "raw_result", "error"):
        said.value(name)
    return _job(said, request_id=said.text("request_id", least=1, most=wire.ID_MAX_LENGTH))


def _job(said: Fields, *, request_id: str) -> Job:
    status = said.literal("status", *wire.OPEN_JOB_STATUSES, *wire.FINAL_JOB_STATUSES)
    error = said.optional_text("error")
    return Job(
        wire=said.raw,
        job_id=said.uuid("job_id"),
        request_id=request_id,
        status=status,
        result=said.optional_object("result"),
        report=said.optional_object("report"),
        usage=said.optional_object("usage"),
        raw_result=said.optional_text("raw_result"),
        error=None if error is None else error[: wire.JOB_ERROR_MAX_LENGTH],
    )


def checked_wait(seconds: object) -> int:
    return inputs.integer(seconds, "max_wait_seconds", low=1, high=wire.WAIT_MAX_SECONDS)
