"""Submitting jobs: one job a request, read by its client alone."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from apps.agents.models import Agent
from apps.gateway.jobs import submit as taking
from apps.gateway.models import AgentClient
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.jobs.conftest import Submit, row_of
from tests.gateway.making import ROUTE, make_client, make_workspace

NOBODYS_JOB = "c0ffee00-1d3a-4b5c-8d7e-000000000001"


def refusal(answer: Any) -> tuple[int, str]:
    assert set(answer.json()) == {"error", "message"}
    return answer.status_code, answer.json()["error"]


def test_a_job_is_accepted(submit: Submit) -> None:
    answer = submit()

    job = answer.json()
    assert answer.status_code == 202
    assert UUID(job.pop("job_id")).version == 4
    assert job == {"request_id": "order-1", "status": "queued", "route": ROUTE}


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_called_once_a_job(submit: Submit, shop: Tenant, job_calls: list[Any]) -> None:
    job_id = submit().json()["job_id"]
    submit()

    assert job_calls == [(shop.id, job_id)]


def test_a_job_is_read_as_it_stands(submit: Submit, backend: ApiClient) -> None:
    job_id = submit(metadata={"order": 7}).json()["job_id"]

    answer = backend.get(f"/jobs/{job_id}")

    job = answer.json()
    assert answer.status_code == 200
    assert job.pop("created_at") == job.pop("updated_at")
    assert job == {
        "job_id": job_id,
        "request_id": "order-1",
        "status": "queued",
        "route": ROUTE,
        "result": None,
        "report": None,
        "usage": None,
        "raw_result": None,
        "error": None,
        "metadata": {"order": 7},
    }


def test_a_repeated_request_is_the_same_job(submit: Submit) -> None:
    metadata = {"a": [1, {"b": None}]}

    first, again = submit(metadata=metadata), submit(metadata=metadata)

    assert (again.status_code, again.json()) == (202, first.json())


@pytest.mark.parametrize(
    "changed",
    [
        {"input": "كم سعر العسل؟"},
        {"metadata": {"order": 8}},
        {"metadata": {}},
        {"callback_url": "https://shop.example/other"},
        {"route": "second-route"},
    ],
)
def test_another_request_under_the_same_id_is_refused(
    shop: Tenant, submit: Submit, api: ApiClient, agent_client: AgentClient, changed: dict[str, Any]
) -> None:
    make_workspace(shop, "second-route")
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"allowed_routes": [ROUTE, "second-route"]})
    submit()

    assert refusal(submit(**changed)) == (409, "request_conflict")


def test_clients_choose_their_ids_apart(shop: Tenant, submit: Submit) -> None:
    other = ApiClient(make_client(shop)[1])

    theirs = other.post("/run", {"request_id": "order-1", "route": ROUTE, "input": "x"})

    assert theirs.status_code == 202
    assert theirs.json()["job_id"] != submit().json()["job_id"]


@pytest.mark.django_db(transaction=True)
def test_of_many_equal_requests_at_once_there_is_one_job(shop: Tenant, job_calls: list[Any]) -> None:
    make_workspace(shop)
    token = make_client(shop)[1]

    def send(_: int) -> Any:
        try:
            return ApiClient(token).post("/run", {"request_id": "1", "route": ROUTE, "input": "x"})
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(send, range(8)))

    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["job_id"] for answer in answers}) == 1
    assert len(job_calls) == 1


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"request_id": ""}, (400, "invalid_request")),
        ({"request_id": "  "}, (400, "invalid_request")),
        ({"request_id": "a" * 129}, (400, "invalid_request")),
        ({"request_id": 7}, (400, "invalid_request")),
        ({"request_id": None}, (400, "invalid_request")),
        ({"input": ""}, (400, "invalid_request")),
        ({"input": " \n\t"}, (400, "invalid_request")),
        ({"input": "ض" * 100_001}, (400, "invalid_request")),
        ({"input": ["x"]}, (400, "invalid_request")),
        ({"route": "auto"}, (400, "invalid_request")),
        ({"route": "*"}, (400, "invalid_request")),
        ({"route": "Order"}, (400, "invalid_request")),
        ({"route": "another-route"}, (403, "route_not_allowed")),
        ({"metadata": "x"}, (400, "invalid_request")),
        ({"metadata": {"x": "a" * 16_384}}, (400, "invalid_request")),
        ({"callback_url": "http://shop.example/done"}, (400, "invalid_request")),
        ({"callback_url": "https://127.0.0.1/done"}, (400, "invalid_request")),
        ({"callback_url": "https://169.254.169.254/latest"}, (400, "invalid_request")),
        ({"callback_url": "https://localhost/done"}, (400, "invalid_request")),
        ({"callback_url": "https://shop.example:22/done"}, (400, "invalid_request")),
        ({"callback_url": "https://user:pass@shop.example/done"}, (400, "invalid_request")),
        ({"callback_url": "https://shop.example/" + "a" * 2_048}, (400, "invalid_request")),
        ({"executor": "bash"}, (400, "invalid_request")),
        ({"session_id": "ses_1"}, (400, "invalid_request")),
    ],
)
def test_a_request_that_is_not_as_it_must_be_is_refused(
    submit: Submit, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    answer = submit(**changed)

    assert refusal(answer) == expected
    assert "pass@" not in answer.content.decode()


def test_metadata_with_a_number_past_every_float_is_refused(backend: ApiClient, workspace: Agent) -> None:
    body = f'{{"request_id": "order-1", "route": "{ROUTE}", "input": "x", "metadata": {{"n": 1e400}}}}'

    assert refusal(backend.post("/run", body.encode())) == (400, "invalid_request")


@pytest.mark.parametrize("text", ["ض" * 100_000, "😀" * 100_000, "\\" * 100_000])
def test_the_longest_input_is_taken_however_it_is_escaped(submit: Submit, shop: Tenant, text: str) -> None:
    answer = submit(input=text)

    assert answer.status_code == 202
    assert row_of(shop, answer.json()["job_id"]).input == text


def test_metadata_comes_back_as_it_was(submit: Submit, backend: ApiClient) -> None:
    metadata = {"متجر": "العود", "n": 1.5, "none": None, "deep": {"a": [None, True, "\u202e"]}}
    job_id = submit(metadata=metadata).json()["job_id"]

    assert json.loads(backend.get(f"/jobs/{job_id}").content)["metadata"] == metadata


def test_a_route_without_a_published_agent_is_not_allowed(backend: ApiClient) -> None:
    answer = backend.post("/run", {"request_id": "1", "route": ROUTE, "input": "x"})

    assert refusal(answer) == (403, "route_not_allowed")


def test_a_route_that_is_switched_off_takes_no_jobs(submit: Submit, workspace: Agent) -> None:
    with project_scope(workspace.project_id):
        Agent.objects.for_project(workspace.project_id).update(client_enabled=False)

    assert refusal(submit()) == (403, "agent_client_disabled")


def test_the_audience_of_a_route_is_no_matter_to_the_business_itself(submit: Submit, workspace: Agent) -> None:
    with project_scope(workspace.project_id):
        Agent.objects.for_project(workspace.project_id).update(client_audiences=["customers"])

    assert submit().status_code == 202


def test_a_request_that_was_taken_stays_taken_when_its_route_is_gone(submit: Submit, workspace: Agent) -> None:
    job_id = submit().json()["job_id"]
    with project_scope(workspace.project_id):
        Agent.objects.for_project(workspace.project_id).update(route=None)

    assert submit().json()["job_id"] == job_id


def test_jobs_that_wait_have_a_limit(submit: Submit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking, "MAX_OPEN_JOBS", 1)
    submit()

    answer = submit(request_id="order-2")

    assert refusal(answer) == (429, "rate_limited")
    assert int(answer["Retry-After"]) > 0
    assert submit().status_code == 202


def test_a_job_of_another_client_is_not_there(shop: Tenant, submit: Submit) -> None:
    other = ApiClient(make_client(shop)[1])

    assert refusal(other.get(f"/jobs/{submit().json()['job_id']}")) == (404, "job_not_found")


@pytest.mark.parametrize("job_id", [NOBODYS_JOB, "1", "x" * 100, f"{{{NOBODYS_JOB}}}", "urn:uuid:1", "%D9%A1"])
def test_a_job_that_nobody_submitted_is_not_there(backend: ApiClient, job_id: str) -> None:
    assert refusal(backend.get(f"/jobs/{job_id}")) == (404, "job_not_found")


def test_the_service_says_that_it_takes_requests(stranger: ApiClient) -> None:
    answer = stranger.get("/health")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "paused": False})
    assert answer["Cache-Control"] == "no-store"
