"""How a job looks to its backend, in answers and in callbacks alike."""

from typing import Any

from apps.gateway.models import Job
from apps.kernel.times import to_iso


def accepted(job: Job) -> dict[str, Any]:
    return {"job_id": str(job.id), "request_id": job.request_id, "status": job.status, "route": job.route}


def shown(job: Job) -> dict[str, Any]:
    """`raw_result` is what a model said, and no model is asked here."""
    return {
        **accepted(job),
        "result": job.result,
        "report": job.report,
        "usage": job.usage,
        "raw_result": None,
        "error": job.error,
        "metadata": job.metadata,
        "created_at": to_iso(job.created_at),
        "updated_at": to_iso(job.updated_at),
    }
