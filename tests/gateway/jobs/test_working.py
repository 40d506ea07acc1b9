"""Doing jobs: the grounded context of one input, prepared once, whatever happens to workers."""

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.utils import timezone

from apps.agents.models import Agent, Run, Step
from apps.gateway import tasks
from apps.gateway.jobs import sweep, work
from apps.gateway.models import AgentClient
from apps.knowledge.tasks import sync_source
from apps.projects.scoping import project_scope
from apps.rest.throttles import breaker
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.jobs.conftest import Submit, change_row, row_of
from tests.gateway.making import ROUTE


@pytest.fixture
def done(submit: Submit, shop: Tenant, backend: ApiClient) -> Any:
    """Submit a job, have it done, and read it."""

    def do(**changed: Any) -> dict[str, Any]:
        job_id = submit(**changed).json()["job_id"]
        work.run_job(shop.id, job_id)
        job: dict[str, Any] = backend.get(f"/jobs/{job_id}").json()
        return job

    return do


def test_a_job_brings_prompt_and_search_of_the_published_version(stocked: Agent, done: Any) -> None:
    job = done()

    result = job["result"]
    assert (job["status"], job["error"]) == ("done", None)
    assert (result["route"], result["agent_id"], result["version"]) == (ROUTE, stocked.id, 2)
    assert "أنت مساعد الطلبات." in result["prompt"]
    assert "نعمل من التاسعة إلى العاشرة." in result["prompt"]
    assert [hit["text"] for hit in result["search"]["hits"]] == ["صندوق بخور — 95 ريال"]
    assert "صندوق بخور — 95 ريال" in result["content"]
    assert job["updated_at"] > job["created_at"]


def test_a_report_is_an_object_with_the_text_for_a_model(stocked: Agent, done: Any) -> None:
    job = done()

    assert job["report"] == {"text": job["result"]["content"]}
    assert job["usage"]["hits"] == 1
    assert job["usage"]["prompt_token_estimate"] > 0
    assert job["raw_result"] is None


def test_a_miss_comes_with_what_it_means(stocked: Agent, done: Any) -> None:
    job = done(input="طائرة")

    miss = job["result"]["search"]["miss"]
    assert (job["status"], miss["evidence"]) == ("done", True)
    assert job["report"]["text"] == miss["guidance"]


def test_an_agent_without_knowledge_answers_from_its_prompt(done: Any) -> None:
    job = done()

    assert job["status"] == "done"
    assert [reason["code"] for reason in job["result"]["search"]["miss"]["reasons"]] == ["no_sources"]


def test_a_long_input_is_searched_for_by_its_beginning(stocked: Agent, done: Any) -> None:
    job = done(input="بخور " * 20_000)

    assert job["status"] == "done"
    assert len(job["result"]["search"]["query"]) == work.SEARCHED_LENGTH


def test_a_job_is_also_a_run_of_the_agent(stocked: Agent, done: Any, shop: Tenant) -> None:
    job = done()

    with project_scope(shop.id):
        assert Run.objects.for_project(shop.id).get().id == job["job_id"]
        kinds = list(Step.objects.for_project(shop.id).order_by("created_at").values_list("kind", flat=True))
    assert kinds == ["prompt", "search_knowledge"]


def test_a_draft_is_nothing_to_jobs(stocked: Agent, done: Any, api: ApiClient) -> None:
    api.patch(f"/v1/agents/{stocked.id}", {"instructions": "مسودة"})

    assert "مسودة" not in done()["result"]["prompt"]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"route": None}, "route_not_allowed"),
        ({"published_version": None}, "route_not_allowed"),
        ({"client_enabled": False}, "agent_client_disabled"),
    ],
)
def test_a_job_whose_route_was_taken_away_is_rejected(
    submit: Submit, backend: ApiClient, shop: Tenant, change: dict[str, Any], error: str
) -> None:
    job_id = submit().json()["job_id"]
    with project_scope(shop.id):
        Agent.objects.for_project(shop.id).update(**change)

    work.run_job(shop.id, job_id)

    job = backend.get(f"/jobs/{job_id}").json()
    assert (job["status"], job["result"], job["report"]) == ("rejected", None, None)
    assert job["error"].startswith(f"{error}: ")


def test_a_job_whose_client_lost_the_route_is_rejected(
    submit: Submit, backend: ApiClient, shop: Tenant, api: ApiClient, agent_client: AgentClient
) -> None:
    job_id = submit().json()["job_id"]
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"allowed_routes": []})

    work.run_job(shop.id, job_id)

    assert backend.get(f"/jobs/{job_id}").json()["status"] == "rejected"


def test_a_job_that_breaks_ends_as_an_error_that_tells_nothing(
    submit: Submit, backend: ApiClient, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_(_: Any) -> Any:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(work, "prepare", break_)
    job_id = submit().json()["job_id"]

    work.run_job(shop.id, job_id)

    job = backend.get(f"/jobs/{job_id}").json()
    assert (job["status"], job["result"]) == ("error", None)
    assert job["error"].startswith("internal_error: ")
    assert "secret" not in job["error"]


def test_a_prompt_that_has_grown_too_large_ends_the_job_as_an_error(
    stocked: Agent, done: Any, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "MAX_CLIENT_UNITS", 10)

    job = done()

    assert (job["status"], job["result"]) == ("error", None)
    assert job["error"].startswith("agent_runtime_unavailable: ")
    with project_scope(shop.id):
        assert not Run.objects.for_project(shop.id).exists()


def test_a_job_is_done_once(stocked: Agent, done: Any, shop: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    job = done()
    monkeypatch.setattr(work, "prepare", lambda _: pytest.fail("prepared again"))

    work.run_job(shop.id, job["job_id"])

    assert row_of(shop, job["job_id"]).status == "done"


def test_a_job_in_the_hands_of_a_worker_is_left_to_it(submit: Submit, shop: Tenant) -> None:
    job_id = submit().json()["job_id"]
    change_row(shop, job_id, status="running", lease_until=timezone.now() + timedelta(seconds=5), claims=1)

    work.run_job(shop.id, job_id)

    assert row_of(shop, job_id).status == "running"


def test_a_job_whose_worker_was_lost_is_done_by_another(submit: Submit, shop: Tenant) -> None:
    job_id = submit().json()["job_id"]
    change_row(shop, job_id, status="running", lease_until=timezone.now() - timedelta(seconds=1), claims=1)

    work.run_job(shop.id, job_id)

    assert row_of(shop, job_id).status == "done"


def test_a_job_that_workers_are_lost_over_is_given_up(submit: Submit, shop: Tenant) -> None:
    job_id = submit().json()["job_id"]
    past = timezone.now() - timedelta(seconds=1)
    change_row(shop, job_id, status="running", lease_until=past, claims=work.MAX_CLAIMS)

    work.run_job(shop.id, job_id)

    job = row_of(shop, job_id)
    assert job.status == "error"
    assert (job.error or "").startswith("job_worker_lost: ")


def test_a_worker_that_comes_back_late_changes_nothing(
    submit: Submit, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = submit().json()["job_id"]
    claimed = work._claim

    def claim_and_lose(project_id: str, job_id: str) -> int | None:
        number = claimed(project_id, job_id)
        change_row(shop, job_id, claims=2)
        return number

    monkeypatch.setattr(work, "_claim", claim_and_lose)

    work.run_job(shop.id, job_id)

    assert row_of(shop, job_id).status == "running"


def test_a_job_that_is_gone_is_no_matter(shop: Tenant) -> None:
    work.run_job(shop.id, "2f9c1a52-8b4e-4c53-9e0e-0d5a3d6c7b10")


# --- the sweep ----------------------------------------------------------------------------------------------

LONG_AGO = sweep.call_lost_after() + timedelta(seconds=1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("fields", "is_called"),
    [
        ({"called_at": None}, True),
        ({"called_at": -LONG_AGO}, True),
        ({"called_at": timedelta(0)}, False),
        ({"status": "running", "lease_until": -timedelta(minutes=1)}, True),
        ({"status": "running", "lease_until": timedelta(hours=1)}, False),
        ({"status": "done", "called_at": None}, False),
        ({"status": "rejected", "called_at": None}, False),
    ],
)
def test_the_sweep_calls_for_jobs_that_nobody_sees_to(
    submit: Submit, shop: Tenant, job_calls: list[Any], fields: dict[str, Any], is_called: bool
) -> None:
    """Times are told from now on: the table is read long before its rows are tried."""
    job_id = submit().json()["job_id"]
    now = timezone.now()
    at = {name: now + value for name, value in fields.items() if isinstance(value, timedelta)}
    change_row(shop, job_id, **{**fields, **at})
    job_calls.clear()

    sweep.sweep_jobs()

    assert job_calls == ([(shop.id, job_id)] if is_called else [])


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_a_job_waits_for_the_sweep(
    submit: Submit, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = submit().json()["job_id"]
    breaker.trip()

    try:
        tasks.call_worker(shop.id, job_id)
    finally:
        breaker.reset()

    assert row_of(shop, job_id).called_at is None


def test_jobs_and_syncs_are_called_for_in_queues_of_their_own(shop: Tenant, valkey: "redis.Redis") -> None:
    tasks.call_worker(shop.id, "a-job")
    tasks.sweep_jobs.apply_async()
    sync_source.apply_async((shop.id, "a-run"))

    assert (valkey.llen("jobs"), valkey.llen("celery")) == (2, 1)
    assert b"run_job" in valkey.lrange("jobs", -1, -1)[0]


def test_the_task_does_the_job(submit: Submit, shop: Tenant) -> None:
    job_id = submit().json()["job_id"]

    tasks.run_job(shop.id, job_id)

    assert row_of(shop, job_id).status == "done"
