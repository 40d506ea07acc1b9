"""Taking jobs in: each request of a client is one job, however often it is sent."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from apps.gateway import errors
from apps.gateway.auth import ClientCaller
from apps.gateway.jobs.wakeup import call_worker_on_commit
from apps.gateway.models import OPEN_JOB, Job
from apps.gateway.routes import allowed_agent, fault_of
from apps.kernel.errors import AppError
from apps.outbound import OutboundError, check_url
from apps.rest import throttles
from apps.rest.outgoing import outgoing_fault
from apps.rest.renderers import encode_canonically

# Whoever sends more than workers can take is told to send the rest again later.
MAX_OPEN_JOBS: Final = 200
_RETRY_AFTER_SECONDS: Final = 5


def submit(
    caller: ClientCaller,
    *,
    request_id: str,
    route: str,
    input: str,  # noqa: A002 -- the protocol's word
    metadata: Mapping[str, Any] | None = None,
    callback_url: str | None = None,
) -> Job:
    """The job of a request, new or as it stands by now.

    Raises `request_conflict` for another request under its id; for a new one the refusals of routes and of the
    callback's address, and `rate_limited` while too many of the client's jobs wait.
    """
    asked = {"route": route, "input": input, "metadata": metadata, "callback_url": callback_url}
    request_hash = hashlib.sha256(encode_canonically(asked)).digest()
    job = _jobs(caller).filter(request_id=request_id).first()
    if job is None:
        _check(caller, route, callback_url)
        job = _insert(caller, request_id, request_hash, asked)
    if bytes(job.request_hash) != request_hash:
        raise AppError(errors.REQUEST_CONFLICT)
    return job


def _check(caller: ClientCaller, route: str, callback_url: str | None) -> None:
    fault = fault_of(allowed_agent(caller, route), audience=None)
    if fault is not None:
        raise AppError(fault)
    if callback_url is not None:
        _check_url(callback_url)
    if _jobs(caller).filter(OPEN_JOB).count() >= MAX_OPEN_JOBS:
        raise throttles.over_limit(_RETRY_AFTER_SECONDS)


def _check_url(url: str) -> None:
    try:
        check_url(url, settings.OUTBOUND_TRUSTED_ORIGINS)
    except OutboundError as error:
        raise AppError.of_fields([outgoing_fault(error, "callback_url")]) from error


def _insert(caller: ClientCaller, request_id: str, request_hash: bytes, asked: Mapping[str, Any]) -> Job:
    now = timezone.now()
    job = Job(
        project_id=caller.project_id,
        client=caller.client,
        request_id=request_id,
        request_hash=request_hash,
        created_at=now,
        updated_at=now,
        called_at=now,
        **asked,
    )
    # Of two that send one request at once both get the row of the first.
    Job.objects.for_project(caller.project_id).bulk_create([job], ignore_conflicts=True)
    stored = _jobs(caller).get(request_id=request_id)
    if stored.id == job.id:
        call_worker_on_commit(job.project_id, str(job.id))
    return stored


def _jobs(caller: ClientCaller) -> QuerySet[Job]:
    return Job.objects.for_project(caller.project_id).filter(client=caller.client)
