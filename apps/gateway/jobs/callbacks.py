"""Telling backends that their jobs are done: three signed attempts, whose times stand in the rows.

A batch is claimed by leases, sent outside of any transaction by a few threads, and written down. Whoever dies in
between loses the lease by time; the receiver may then hear of a job twice, and it is the same job with the same
status.
"""

import hashlib
import hmac
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.gateway.clients import callback_secret_of
from apps.gateway.jobs.presenter import shown
from apps.gateway.jobs.wakeup import call_for_callbacks
from apps.gateway.models import CallbackStatus, Job
from apps.outbound import OutboundError, Policy, Request, fetch
from apps.projects.scoping import across_projects, project_scope
from apps.rest.renderers import encode
from apps.vault.cipher import BrokenSealError

log = structlog.get_logger(__name__)

# Seconds to wait before each attempt.
SCHEDULE: Final = (0, 2, 10)
DEADLINE_SECONDS: Final = 10.0
LEASE: Final = timedelta(seconds=60)
AT_ONCE: Final = 16
# So that the slow receivers of one project leave places to others.
PER_PROJECT: Final = 4
DRAIN_SECONDS: Final = 20.0

_TOO_MANY: Final = 429
_REFUSALS: Final = range(400, 500)


@dataclass(frozen=True, slots=True)
class Claim:
    """A callback that is this worker's until its lease ends; `number` tells the attempt from any other."""

    project_id: str
    job_id: str
    number: int
    url: str = field(repr=False)
    body: bytes = field(repr=False)
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of an attempt: whether the receiver has it, and whether another attempt makes sense."""

    has_it: bool
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How a callback stands from now on; `wait` is in seconds until the next attempt."""

    status: CallbackStatus
    wait: float | None = None


def signed_headers(secret: str, body: bytes, *, timestamp: int) -> dict[str, str]:
    message = f"{timestamp}.".encode() + body
    signature = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    return {"X-Bailing-Signature": f"sha256={signature}", "X-Bailing-Timestamp": str(timestamp)}


def heard_from(status: int) -> Heard:
    if 200 <= status < 300:  # noqa: PLR2004 -- HTTP
        return Heard(has_it=True)
    return Heard(has_it=False, is_final=status in _REFUSALS and status != _TOO_MANY)


def plan(attempts: int, heard: Heard) -> Plan:
    """After the attempt that was number `attempts`."""
    if heard.has_it:
        return Plan(CallbackStatus.DELIVERED)
    if heard.is_final or attempts >= len(SCHEDULE):
        return Plan(CallbackStatus.FAILED)
    return Plan(CallbackStatus.PENDING, wait=SCHEDULE[attempts])


# One thread of a process sends at a time. Whoever finds another one doing so leaves a call for it and goes.
_sending = threading.Lock()
_called = threading.Event()


def send_due() -> None:
    """Send what is due, batch by batch, for a bounded time; what is left then is called for once more."""
    _called.set()
    if not _sending.acquire(blocking=False):
        return
    try:
        has_more = _send_batches(stop_at=time.monotonic() + DRAIN_SECONDS)
    finally:
        _sending.release()
    if has_more or _called.is_set():
        call_for_callbacks()


def _send_batches(*, stop_at: float) -> bool:
    """Whether time was up before nothing was left."""
    policy = _policy()
    with ThreadPoolExecutor(AT_ONCE, "callback") as senders:
        while time.monotonic() < stop_at:
            _called.clear()
            claims = claim_due(timezone.now())
            if not claims:
                return False
            for claim, heard in zip(claims, senders.map(lambda one: send(one, policy), claims), strict=True):
                settle(claim, heard, timezone.now())
    return True


def send(claim: Claim, policy: Policy) -> Heard:
    """One attempt over the network; no database is touched."""
    if claim.secret is None:
        return Heard(has_it=False, is_final=True)
    headers = signed_headers(claim.secret, claim.body, timestamp=int(time.time()))
    request = Request(
        url=claim.url,
        method="POST",
        product_headers={"Content-Type": "application/json", **headers},
        body=claim.body,
    )
    try:
        return heard_from(fetch(request, policy).status)
    except OutboundError as error:
        log.info("job_callback_failed", job_id=claim.job_id, error=error.code)
        return Heard(has_it=False)


def _policy() -> Policy:
    policy = Policy.for_webhooks(
        contact=settings.PUBLIC_URL,
        trusted_origins=settings.OUTBOUND_TRUSTED_ORIGINS,
        extra_ca_file=settings.OUTBOUND_EXTRA_CA_FILE,
    )
    return replace(policy, deadline=DEADLINE_SECONDS)


# --- the rows -----------------------------------------------------------------------------------------------

_CLAIM: Final = """
WITH busy AS (
    SELECT project_id, count(*) AS number FROM gateway_job
    WHERE callback_status = 'pending' AND lease_until > %(now)s GROUP BY project_id
), due AS (
    SELECT id, next_callback_at, %(per_project)s - coalesce(busy.number, 0) AS room,
           row_number() OVER (PARTITION BY project_id ORDER BY next_callback_at) AS turn
    FROM gateway_job LEFT JOIN busy USING (project_id)
    WHERE callback_status = 'pending' AND next_callback_at <= %(now)s
      AND (lease_until IS NULL OR lease_until <= %(now)s)
), taken AS (
    SELECT id FROM gateway_job
    WHERE id IN (SELECT id FROM due WHERE turn <= room ORDER BY turn, next_callback_at LIMIT %(limit)s)
      AND callback_status = 'pending' AND (lease_until IS NULL OR lease_until <= %(now)s)
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE gateway_job j SET lease_until = %(until)s, claims = claims + 1 FROM taken WHERE j.id = taken.id
RETURNING j.id
"""


def claim_due(now: datetime) -> list[Claim]:
    """Lease up to `AT_ONCE` callbacks that are due, in turns of their projects."""
    parameters: dict[str, Any] = {"now": now, "until": now + LEASE, "per_project": PER_PROJECT, "limit": AT_ONCE}
    with across_projects():
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, parameters)
            ids = [row[0] for row in cursor.fetchall()]
        jobs = Job.objects.all_projects().select_related("client").filter(id__in=ids)
        return [_claim(job) for job in jobs.order_by("next_callback_at")]


def _claim(job: Job) -> Claim:
    return Claim(
        project_id=job.project_id,
        job_id=str(job.id),
        number=job.claims,
        url=job.callback_url or "",
        body=encode(shown(job)),
        secret=_secret(job),
    )


def _secret(job: Job) -> str | None:
    try:
        return callback_secret_of(job.client)
    except BrokenSealError:
        return None


def settle(claim: Claim, heard: Heard, now: datetime) -> None:
    """Write down what came of an attempt, unless the callback is another worker's by now."""
    with project_scope(claim.project_id):
        jobs = Job.objects.for_project(claim.project_id).select_for_update(no_key=True)
        job = jobs.filter(id=claim.job_id, claims=claim.number, callback_status=CallbackStatus.PENDING).first()
        if job is None:
            return
        job.callback_attempts += 1
        planned = plan(job.callback_attempts, heard)
        wait = None if planned.wait is None else planned.wait * settings.WEBHOOK_TIME_UNIT_MS / 1_000
        job.callback_status, job.lease_until = planned.status, None
        job.next_callback_at = None if wait is None else now + timedelta(seconds=wait)
        job.save(update_fields=["callback_attempts", "callback_status", "lease_until", "next_callback_at"])
    if wait is not None:
        call_for_callbacks(wait)
