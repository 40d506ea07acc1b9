"""What a backend does over MCP: submit a governed job, look at it, and wait a little for it."""

from typing import Any

from apps.gateway import queries
from apps.gateway.auth import ClientCaller
from apps.gateway.jobs import presenter, submit
from apps.gateway.mcp import schemas
from apps.gateway.mcp.arguments import checked
from apps.gateway.mcp.calls import Call
from apps.gateway.mcp.results import bounded_job
from apps.gateway.mcp.waiting import wait_until
from apps.gateway.models import Job, JobStatus
from apps.gateway.serializers import JobRequest
from apps.projects.scoping import project_scope
from apps.rest.fields import StrictCharField, StrictIntegerField, StrictSerializer


class JobArguments(StrictSerializer):
    job_id = StrictCharField()


class WaitArguments(JobArguments):
    max_wait_seconds = StrictIntegerField(
        min_value=schemas.LEAST_WAIT_SECONDS,
        max_value=schemas.MOST_WAIT_SECONDS,
        default=schemas.DEFAULT_WAIT_SECONDS,
    )


def submit_job(call: Call, caller: ClientCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    body = checked(JobRequest, arguments, route=call.workspace)
    with project_scope(caller.project_id):
        job = submit.submit(caller, **body)
        return _shown(presenter.accepted(job), job)


def get_job(_: Call, caller: ClientCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    job = _job(caller, checked(JobArguments, arguments)["job_id"])
    return bounded_job(_shown(presenter.shown(job), job))


def wait_for_job(_: Call, caller: ClientCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    """Look until the job is over or the time is; it is never submitted again."""
    asked = checked(WaitArguments, arguments)
    waited = wait_until(_is_over, lambda: _job(caller, asked["job_id"]), seconds=asked["max_wait_seconds"])
    told = {
        **_shown(presenter.shown(waited.seen), waited.seen),
        "wait_timed_out": waited.timed_out,
        "poll_count": waited.polls,
        "elapsed_ms": waited.elapsed_ms,
    }
    return bounded_job(told)


def _job(caller: ClientCaller, job_id: str) -> Job:
    """Read in a transaction of its own, which nobody keeps open while waiting."""
    with project_scope(caller.project_id):
        return queries.get_job(caller.client, job_id.lower())


def _shown(job_shown: dict[str, Any], job: Job) -> dict[str, Any]:
    return {**job_shown, "terminal": _is_over(job)}


def _is_over(job: Job) -> bool:
    return job.status not in {JobStatus.QUEUED, JobStatus.RUNNING}
