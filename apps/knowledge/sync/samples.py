"""Fetches one answer of a feed that is being set up, by the rules and within the limits of syncs.

The answer is kept for a while as it came, so that a draft of a transform can be tried on it again and again without
asking the feed again.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from apps.kernel.errors import AppError
from apps.knowledge import errors
from apps.knowledge.models import FeedSample, SampleStatus
from apps.knowledge.sync import config as feed_config
from apps.knowledge.sync.claims import (
    PER_PROJECT_A_MINUTE,
    NoRoomError,
    SampleClaim,
    claim_sample,
    wake_next,
)
from apps.knowledge.sync.decide import WORKER_LOST
from apps.knowledge.sync.faults import Fault
from apps.knowledge.sync.fetching import Sampled, Validators
from apps.knowledge.sync.fetching import fetch_sample as fetched_sample
from apps.knowledge.sync.run import prepared
from apps.knowledge.sync.wakeup import call_for_sample_on_commit
from apps.knowledge.transform import decode_body
from apps.projects.scoping import project_scope

# So long a person waits for a worker before they are told that none came.
GIVEN_UP_AFTER: Final = timedelta(minutes=1)
KEPT_BODIES: Final = 3
# Codes of samples alone.
NO_ROOM: Final = "no_room"
NO_WORKER: Final = "no_worker"
_SENTENCES: Final = {
    NO_ROOM: {
        "en": "Other fetches of this project or of this server are under way. Wait a moment, then try again.",
        "ar": "تجري الآن عمليات جلب أخرى لهذا المشروع أو من هذا الخادم. انتظر قليلًا ثم أعد المحاولة.",
    },
    NO_WORKER: {
        "en": "No background worker took this up within a minute. Try again; if it stays so, tell the operator.",
        "ar": "لم يتولَّ أي عامل في الخلفية هذا الطلب خلال دقيقة. أعد المحاولة، وإن تكرر ذلك فأبلغ المشغّل.",
    },
}


def request_sample(project_id: str, *, url: str, headers: Mapping[str, str]) -> FeedSample:
    """A sample that a worker is called for. Raises what is wrong with the url or the headers, as saving would.

    Raises `rate_limited` for more in a minute than could be fetched in one.
    """
    config = feed_config.settle({"url": url, "headers": dict(headers)}, project_id)
    lately = FeedSample.objects.for_project(project_id).filter(created_at__gt=timezone.now() - GIVEN_UP_AFTER)
    if lately.count() >= PER_PROJECT_A_MINUTE:
        raise AppError("rate_limited", params={"seconds": int(GIVEN_UP_AFTER.total_seconds())})
    sample = FeedSample.objects.add(
        project_id=project_id, url=url, headers=config["headers"], target_host=feed_config.target_host(config)
    )
    _drop_earlier_bodies(project_id)
    call_for_sample_on_commit(project_id, sample.id)
    return sample


def _drop_earlier_bodies(project_id: str) -> None:
    """The rows stay, for they say how much was fetched lately."""
    samples = FeedSample.objects.for_project(project_id)
    kept = samples.order_by("-created_at").values("id")[:KEPT_BODIES]
    samples.exclude(id__in=kept).update(body=None)


def get_sample(project_id: str, sample_id: str) -> FeedSample:
    """Raises `sample_not_found`."""
    sample = FeedSample.objects.for_project(project_id).filter(id=sample_id).first()
    if sample is None:
        raise AppError(errors.SAMPLE_NOT_FOUND)
    return sample


def fault_of(sample: FeedSample, now: datetime, *, language: str) -> dict[str, str] | None:
    """Why there is no answer and none will come."""
    code, detail = _failure(sample, now)
    if code is None:
        return None
    own = _SENTENCES.get(code)
    return {"code": code, "message": Fault(code, detail).message(language) if own is None else own[language]}


def _failure(sample: FeedSample, now: datetime) -> tuple[str | None, dict[str, Any]]:
    match sample.status:
        case SampleStatus.QUEUED if sample.created_at + GIVEN_UP_AFTER < now:
            return NO_WORKER, {}
        case SampleStatus.RUNNING if sample.lease_until is not None and sample.lease_until < now:
            return WORKER_LOST, {}
        case _:
            return sample.error_code, sample.error_detail


def value_of(sample: FeedSample) -> Any:
    """The JSON of a sample's answer. Raises `sample_not_found` when its body was dropped meanwhile."""
    if sample.body is None:
        raise AppError(errors.SAMPLE_NOT_FOUND)
    return decode_body(bytes(sample.body), sample.charset)


# --- in a worker ----------------------------------------------------------------------------------------------


def fetch_sample(project_id: str, sample_id: str) -> None:
    """Fetch a queued sample if it is to be had, with no transaction open meanwhile."""
    try:
        claimed = claim_sample(project_id, sample_id)
    except NoRoomError:
        _refuse(project_id, sample_id)
        return
    if claimed is None:
        return
    work = _work(claimed)
    if work is not None:
        _settle(claimed, work)
    wake_next(claimed)


def _refuse(project_id: str, sample_id: str) -> None:
    with project_scope(project_id):
        queued = FeedSample.objects.for_project(project_id).filter(id=sample_id, status=SampleStatus.QUEUED)
        queued.update(status=SampleStatus.FAILED, error_code=NO_ROOM)


def _work(claimed: SampleClaim) -> Sampled | None:
    """What came of it; None when the sample's project was deleted meanwhile."""
    with project_scope(claimed.project_id):
        sample = FeedSample.objects.for_project(claimed.project_id).filter(id=claimed.sample_id).first()
        if sample is None:
            return None
        config = feed_config.settle({"url": sample.url, "headers": sample.headers}, None)
        job = prepared(claimed.project_id, config, Validators())
    return Sampled(fault=job) if isinstance(job, Fault) else fetched_sample(job)


def _settle(claimed: SampleClaim, sampled: Sampled) -> None:
    """Write it down, unless the lease is over; nobody claims a sample twice."""
    fault = sampled.fault
    with project_scope(claimed.project_id):
        mine = FeedSample.objects.for_project(claimed.project_id).filter(
            id=claimed.sample_id, status=SampleStatus.RUNNING, lease_until=claimed.lease_until
        )
        mine.filter(lease_until__gt=timezone.now()).update(
            status=SampleStatus.READY if fault is None else SampleStatus.FAILED,
            lease_until=None,
            http_status=sampled.http_status,
            body=sampled.body,
            charset=sampled.charset,
            error_code=None if fault is None else fault.code,
            error_detail={} if fault is None else fault.detail,
        )
