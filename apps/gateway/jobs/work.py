"""One job from claim to result: leased in one transaction, prepared and written down in the next.

A worker that dies loses its lease by time and leaves nothing half done; the sweep calls for another, and after a
few lost workers the job ends as an error instead of going on killing them.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import structlog
from django.utils import timezone

from apps.agents import queries as agents
from apps.agents import runs, search
from apps.agents.context import MAX_CLIENT_UNITS, client_units
from apps.agents.models import Agent
from apps.gateway import errors
from apps.gateway.auth import ClientCaller
from apps.gateway.jobs.wakeup import call_for_callbacks_on_commit
from apps.gateway.models import ERROR_LENGTH, CallbackStatus, Job, JobStatus
from apps.gateway.routes import allowed_agent, fault_of
from apps.kernel.errors import CATALOGUE, AppError
from apps.projects.scoping import project_scope

log = structlog.get_logger(__name__)

LEASE: Final = timedelta(seconds=90)
MAX_CLAIMS: Final = 3
# What of an input is searched for: as much as any other search takes.
SEARCHED_LENGTH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ends, in the fields of its row."""

    status: JobStatus
    result: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    error: str | None = None


def run_job(project_id: str, job_id: str) -> None:
    """Do a job if it is to be had."""
    claim = _claim(project_id, job_id)
    if claim is None:
        return
    try:
        with project_scope(project_id):
            job = _held(project_id, job_id, claim)
            if job is not None:
                _settle(job, prepare(job))
    except AppError as refusal:
        _settle_failed(project_id, job_id, claim, _sentence(refusal))
    except Exception:
        log.exception("job_broke", project_id=project_id, job_id=job_id)
        _settle_failed(project_id, job_id, claim, _sentence(AppError("internal_error")))


def prepare(job: Job) -> Outcome:
    """What an answer to the job's input may rest on, or why it may not be prepared any more."""
    try:
        agent = allowed_agent(ClientCaller(job.client), job.route)
    except AppError as refusal:
        return Outcome(JobStatus.REJECTED, error=_sentence(refusal))
    fault = fault_of(agent, audience=None)
    if fault is not None:
        return Outcome(JobStatus.REJECTED, error=_sentence(AppError(fault)))
    return _grounded(agent, job)


def _grounded(agent: Agent, job: Job) -> Outcome:
    """Prompt and search of the published version, which is also a run of the agent, under the job's id.

    Raises `agent_runtime_unavailable` when an always-source has grown past what agent clients take.
    """
    edition = agents.read_edition(agent, agent.published_version, with_content=True)
    started = runs.start_run(edition, client_instructions=agent.client_instructions, run_id=str(job.id))
    if client_units(started.prompt.text) > MAX_CLIENT_UNITS:
        raise AppError(errors.AGENT_RUNTIME_UNAVAILABLE)
    found = search.search(edition, job.input[:SEARCHED_LENGTH])
    content = search.content_for_model(found, locale=edition.locale, max_tokens=edition.max_result_tokens)
    runs.record_search(started.run, edition, found, content)
    return Outcome(
        JobStatus.DONE,
        result={
            "route": job.route,
            "agent_id": agent.id,
            "version": edition.version,
            "prompt": started.prompt.text,
            "search": found,
            "content": content.text,
            "content_truncated": content.truncated,
        },
        report={"text": content.text},
        usage={"prompt_token_estimate": started.prompt.token_estimate, "hits": len(found["hits"])},
    )


# --- the row ------------------------------------------------------------------------------------------------


def _claim(project_id: str, job_id: str) -> int | None:
    """The number of this attempt; None when the job is not to be had, be it taken, ended or gone."""
    now = timezone.now()
    with project_scope(project_id):
        job = _lock(project_id, job_id)
        if job is None or job.status not in {JobStatus.QUEUED, JobStatus.RUNNING}:
            return None
        if job.lease_until is not None and job.lease_until > now:
            return None
        if job.claims >= MAX_CLAIMS:
            _settle(job, Outcome(JobStatus.ERROR, error=_sentence(AppError(errors.JOB_WORKER_LOST))))
            return None
        job.status, job.lease_until, job.updated_at = JobStatus.RUNNING, now + LEASE, now
        job.claims += 1
        job.save(update_fields=["status", "lease_until", "claims", "updated_at"])
        return job.claims


def _lock(project_id: str, job_id: str) -> Job | None:
    jobs = Job.objects.for_project(project_id).select_related("client")
    return jobs.select_for_update(of=("self",), no_key=True).filter(id=job_id).first()


def _held(project_id: str, job_id: str, claim: int) -> Job | None:
    """The job, unless another worker has taken it over meanwhile."""
    job = _lock(project_id, job_id)
    return job if job is not None and job.claims == claim and job.status == JobStatus.RUNNING else None


def _settle(job: Job, outcome: Outcome) -> None:
    job.status, job.error = outcome.status, outcome.error
    job.result, job.report, job.usage = outcome.result, outcome.report, outcome.usage
    job.lease_until, job.updated_at = None, timezone.now()
    if job.callback_url is not None:
        job.callback_status, job.next_callback_at = CallbackStatus.PENDING, job.updated_at
        call_for_callbacks_on_commit()
    job.save()


def _settle_failed(project_id: str, job_id: str, claim: int, error: str) -> None:
    with project_scope(project_id):
        job = _held(project_id, job_id, claim)
        if job is not None:
            _settle(job, Outcome(JobStatus.ERROR, error=error))


def _sentence(refusal: AppError) -> str:
    """Code and sentence, for programs and for people."""
    return f"{refusal.code}: {CATALOGUE[refusal.code].message('en', refusal.params)}"[:ERROR_LENGTH]
