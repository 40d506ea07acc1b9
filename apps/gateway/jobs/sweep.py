"""The look of every minute: jobs and callbacks whose call was lost or whose worker never came back."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from apps.gateway.jobs.wakeup import call_for_callbacks, call_worker_on_commit
from apps.gateway.models import Job, JobStatus
from apps.projects.scoping import across_projects, project_scope

# In minutes: after that the call for a worker counts as lost.
CALL_LOST_AFTER: Final = 5
_AT_ONCE: Final = 500


def sweep_jobs() -> None:
    """Nothing is lost by this running late or twice; all it goes by stands in the database."""
    now = timezone.now()
    _call_again(now)
    call_for_callbacks()


def call_lost_after() -> timedelta:
    return timedelta(seconds=CALL_LOST_AFTER * settings.SYNC_INTERVAL_UNIT_SECONDS)


def _call_again(now: datetime) -> None:
    uncalled = Q(status=JobStatus.QUEUED) & (Q(called_at=None) | Q(called_at__lte=now - call_lost_after()))
    abandoned = Q(status=JobStatus.RUNNING, lease_until__lte=now)
    with across_projects():
        jobs = Job.objects.all_projects()
        waiting = list(jobs.filter(uncalled | abandoned).order_by("created_at")[:_AT_ONCE])
        jobs.filter(id__in=[job.id for job in waiting]).update(called_at=now)
        for job in waiting:
            call_worker_on_commit(job.project_id, str(job.id))


def note_uncalled(project_id: str, job_id: str) -> None:
    """No worker could be called for a job; the next sweep calls again."""
    with project_scope(project_id):
        Job.objects.for_project(project_id).filter(id=job_id, status=JobStatus.QUEUED).update(called_at=None)
