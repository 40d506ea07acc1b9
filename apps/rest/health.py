"""Whether the process is up, whether it can serve, and what it counts."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import structlog
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django_prometheus.exports import ExportToDjangoView

from apps.rest.operations import operation
from apps.rest.redis import connection
from apps.rest.views import ApiView

log = structlog.get_logger(__name__)

# Every queue that tasks are sent to; each needs a worker, and one may serve several.
QUEUES: Final = ("celery", "jobs", "webhooks")
HEARTBEAT_KEY: Final = "mawrid:worker_heartbeat:{queue}"
HEARTBEAT_STALE_SECONDS: Final = 90


class NotReadyError(Exception):
    """A check did not pass; the message says what is missing, in words that give nothing away."""


def check_database() -> None:
    with database.cursor() as cursor:
        cursor.execute("SELECT 1")


def check_redis() -> None:
    connection().ping()


class Migrations:
    """Looks until the schema is up to date; from then on this process knows."""

    def __init__(self) -> None:
        self._are_applied = False

    def __call__(self) -> None:
        if self._are_applied:
            return
        executor = MigrationExecutor(database)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if missing:
            raise NotReadyError(f"{len(missing)} migrations are not applied")
        self._are_applied = True


def report_worker(queues: Iterable[str]) -> None:
    """Called every few seconds by workers, with the queues that they serve."""
    for queue in queues:
        connection().set(HEARTBEAT_KEY.format(queue=queue), int(time.time()), ex=HEARTBEAT_STALE_SECONDS)


def check_worker_heartbeats() -> None:
    beats: Any = connection().mget([HEARTBEAT_KEY.format(queue=queue) for queue in QUEUES])
    silent = [reason for queue, beat in zip(QUEUES, beats, strict=True) if (reason := _silence(queue, beat))]
    if silent:
        raise NotReadyError("; ".join(silent))


def _silence(queue: str, beat: Any) -> str | None:
    if beat is None:
        return f"no worker of the queue {queue} has reported"
    age = time.time() - float(beat)
    return f"no worker of the queue {queue} has reported for {age:.0f} s" if age > HEARTBEAT_STALE_SECONDS else None


CHECKS: Final[Mapping[str, Callable[[], None]]] = {
    "database": check_database,
    "redis": check_redis,
    "migrations": Migrations(),
    "worker": check_worker_heartbeats,
}


def outcome_of(name: str, check: Callable[[], None]) -> dict[str, str]:
    """`ok`, or `failed` with a reason that is safe to show; what exactly broke stands in the log."""
    try:
        check()
    except NotReadyError as error:
        return {"status": "failed", "reason": str(error)}
    except Exception as error:
        log.warning("readiness_check_failed", check=name, exc_info=error)
        return {"status": "failed", "reason": "not reachable"}
    return {"status": "ok"}


class HealthView(ApiView):
    """Open to whoever can reach the service; answers are never kept."""

    public = True

    def report(self, data: Mapping[str, Any], status: int = 200) -> HttpResponse:
        response = self.answer(data, status=status)
        response["Cache-Control"] = "no-store"
        return response


class ProcessHealthView(HealthView):
    @operation("Whether the process is up", id="healthz", answers={200: None})
    def get(self, _: HttpRequest) -> HttpResponse:
        return self.report({"status": "ok"})


class ReadinessView(HealthView):
    @operation("Whether the service can serve", id="readyz", answers={200: None})
    def get(self, _: HttpRequest) -> HttpResponse:
        checks = {name: outcome_of(name, check) for name, check in CHECKS.items()}
        is_ready = all(outcome["status"] == "ok" for outcome in checks.values())
        status = "ok" if is_ready else "unavailable"
        return self.report({"status": status, "checks": checks}, status=200 if is_ready else 503)


class MetricsView(ApiView):
    """Prometheus' text format, over all processes when PROMETHEUS_MULTIPROC_DIR is set."""

    public = True

    @operation("Metrics for Prometheus", id="metrics", answers={200: None})
    def get(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = ExportToDjangoView(request)
        response["Cache-Control"] = "no-store"
        return response
