"""Whether the process is up, whether it can serve, and what it counts."""

import time

import pytest
import redis
from pytest_django import Settings

from apps.rest import health
from tests.api_client import ApiClient


@pytest.fixture
def beating(valkey: "redis.Redis") -> None:
    health.report_worker(health.QUEUES)


def test_a_running_process_is_healthy(anyone: ApiClient) -> None:
    response = anyone.get("/healthz")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.usefixtures("beating")
def test_a_service_with_all_it_needs_is_ready(anyone: ApiClient) -> None:
    response = anyone.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "checks": {name: {"status": "ok"} for name in ("database", "redis", "migrations", "worker")},
    }


@pytest.mark.conformance("R-10")
@pytest.mark.django_db
def test_queues_without_a_worker_are_named(anyone: ApiClient) -> None:
    response = anyone.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["worker"] == {
        "status": "failed",
        "reason": "; ".join(
            f"no worker of the queue {name} has reported" for name in ("celery", "jobs", "webhooks")
        ),
    }


@pytest.mark.conformance("R-10")
@pytest.mark.django_db
def test_a_queue_without_a_worker_is_named_though_another_has_one(anyone: ApiClient) -> None:
    health.report_worker(["celery", "jobs"])
    response = anyone.get("/readyz")

    worker = response.json()["checks"]["worker"]
    assert (response.status_code, worker["reason"]) == (503, "no worker of the queue webhooks has reported")


@pytest.mark.django_db
@pytest.mark.usefixtures("beating")
def test_a_worker_that_reports_no_more_is_named(anyone: ApiClient, valkey: "redis.Redis") -> None:
    valkey.set(health.HEARTBEAT_KEY.format(queue="webhooks"), str(time.time() - 600))

    response = anyone.get("/readyz")

    worker = response.json()["checks"]["worker"]
    assert (response.status_code, worker["status"]) == (503, "failed")
    assert worker["reason"].startswith("no worker of the queue webhooks has reported for")


@pytest.mark.django_db
def test_without_redis_the_service_is_not_ready_but_answers(anyone: ApiClient, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/at/all.sock"

    response = anyone.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["redis"] == {"status": "failed", "reason": "not reachable"}
    assert response.json()["checks"]["database"] == {"status": "ok"}


@pytest.mark.usefixtures("beating")
def test_without_its_database_the_service_is_not_ready_and_tells_nothing_else(
    anyone: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("password=secret")

    monkeypatch.setattr(health, "CHECKS", {"database": fail})

    response = anyone.get("/readyz")

    assert response.status_code == 503
    assert b"secret" not in response.content


@pytest.mark.django_db
def test_missing_migrations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: [1, 2])

    with pytest.raises(health.NotReadyError, match="2 migrations are not applied"):
        health.Migrations()()


def test_metrics_are_in_the_format_of_prometheus(anyone: ApiClient) -> None:
    response = anyone.get("/metrics")

    assert response["Content-Type"].startswith("text/plain")
    assert b"mawrid_rate_limit_unavailable_total" in response.content


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_they_take_no_other_method(anyone: ApiClient, path: str) -> None:
    assert anyone.post(path).status_code == 405
