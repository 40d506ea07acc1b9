"""A backend over MCP: exactly three tools, one job a request, and waiting that never submits."""

import uuid
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import connection

from apps.gateway.jobs.work import run_job
from apps.gateway.mcp import job_tools, waiting
from apps.gateway.mcp.results import bounded_job
from apps.gateway.models import AgentClient, Job, JobStatus
from apps.projects.scoping import project_scope
from apps.rest.renderers import encode
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import make_client
from tests.gateway.mcp.asking import Mcp

JOB = {"request_id": "order-42", "input": "كم سعر صندوق البخور؟"}


@pytest.mark.conformance("SDK-039")
def test_a_client_token_has_exactly_three_tools(backend_mcp: Mcp) -> None:
    assert list(backend_mcp.tools()) == ["submit_governed_job", "get_governed_job", "wait_for_governed_job"]


def test_a_job_is_submitted_once(backend_mcp: Mcp) -> None:
    first = backend_mcp.told("submit_governed_job", JOB)

    assert (first["status"], first["terminal"], first["route"]) == ("queued", False, "order-assistant")
    assert backend_mcp.told("submit_governed_job", JOB)["job_id"] == first["job_id"]


def test_another_input_for_a_request_is_a_conflict(backend_mcp: Mcp) -> None:
    backend_mcp.told("submit_governed_job", JOB)
    refusal = backend_mcp.refused("submit_governed_job", {**JOB, "input": "سؤال آخر"})

    assert (refusal["error"], refusal["status"], refusal["next_action"]) == (
        "request_conflict",
        409,
        "use_new_request_id",
    )


def test_a_finished_job_is_terminal(backend_mcp: Mcp, shop: Tenant) -> None:
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    run_job(shop.id, job_id)
    job = backend_mcp.told("get_governed_job", {"job_id": job_id})

    assert (job["status"], job["terminal"], job["error"]) == ("done", True, None)
    assert job["report"]["text"]


def test_waiting_for_a_finished_job_takes_one_look(backend_mcp: Mcp, shop: Tenant) -> None:
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    run_job(shop.id, job_id)
    waited = backend_mcp.told("wait_for_governed_job", {"job_id": job_id, "max_wait_seconds": 60})

    assert (waited["status"], waited["wait_timed_out"], waited["poll_count"]) == ("done", False, 1)
    assert waited["elapsed_ms"] >= 0


def test_waiting_ends_with_the_time(backend_mcp: Mcp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.5)
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    waited = backend_mcp.told("wait_for_governed_job", {"job_id": job_id, "max_wait_seconds": 1})

    assert (waited["terminal"], waited["wait_timed_out"]) == (False, True)
    assert waited["poll_count"] >= 2


@pytest.mark.django_db(transaction=True)
def test_nothing_of_the_database_is_held_while_waiting(backend_mcp: Mcp, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[bool] = []
    watching = partial(waiting.wait_until, sleep=lambda _: held.append(connection.in_atomic_block), clock=ticking())
    monkeypatch.setattr(job_tools, "wait_until", watching)
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    backend_mcp.told("wait_for_governed_job", {"job_id": job_id})

    assert held
    assert not any(held)


def ticking() -> Callable[[], float]:
    """A clock on which each look takes a second."""
    seconds = count()
    return lambda: float(next(seconds))


def test_a_job_that_fits_is_told_whole(
    backend_mcp: Mcp, client_and_token: tuple[AgentClient, str], shop: Tenant, stocked: dict[str, str]
) -> None:
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    run_job(shop.id, job_id)

    job = backend_mcp.told("get_governed_job", {"job_id": job_id})

    whole = ApiClient(client_and_token[1]).get(f"/jobs/{job_id}").json()
    assert job == {**whole, "terminal": True, "truncated": False, "left_out": []}


@pytest.mark.parametrize("tool", ["get_governed_job", "wait_for_governed_job"])
@pytest.mark.parametrize(
    ("letters", "left_out"),
    [
        ({"search": 40_000}, ["result.search"]),
        ({"search": 20_000, "content": 20_000}, ["result.search"]),
        ({"content": 20_000, "report": 20_000}, ["result.search", "result.content"]),
        ({"metadata": 14_000, "prompt": 20_000}, ["result.search", "result.content", "metadata"]),
        (
            {"prompt": 100_000, "report": 8_000},
            ["result.search", "result.content", "metadata", "result.prompt"],
        ),
        (
            {"prompt": 100_000, "report": 80_000},
            ["result.search", "result.content", "metadata", "result.prompt", "report.text"],
        ),
    ],
)
def test_a_long_job_names_what_it_leaves_out(
    backend_mcp: Mcp, shop: Tenant, tool: str, letters: dict[str, int], left_out: list[str]
) -> None:
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    long = {name: "x" * number for name, number in letters.items()}
    result = {"search": long.get("search", "s"), "content": long.get("content", "c"), "prompt": long.get("prompt")}
    with project_scope(shop.id):
        Job.objects.for_project(shop.id).filter(id=job_id).update(
            status=JobStatus.DONE,
            result=result,
            report={"text": f"{'x' * 99}\n" * (letters.get("report", 0) // 100)},
            metadata={"note": long.get("metadata", "n")},
        )

    answer = backend_mcp.call(tool, {"job_id": job_id})

    assert len(answer["content"][0]["text"].encode()) <= 32_768
    job = answer["structuredContent"]
    assert (job["truncated"], job["left_out"]) == (True, left_out)


def test_a_report_that_is_too_long_ends_with_a_whole_line_and_fills_its_room() -> None:
    report = "".join(f"- صنف {number} — 95 ريال\n" for number in range(5_000))
    job = {"result": None, "report": {"text": report}, "metadata": None}

    shown = bounded_job(job)

    told = shown["report"]["text"]
    assert report.startswith(told)
    assert told.endswith("ريال\n")
    assert 32_700 < len(encode(shown)) <= 32_768
    assert shown["left_out"] == ["report.text"]


@pytest.mark.parametrize("tool", ["get_governed_job", "wait_for_governed_job"])
@pytest.mark.parametrize("job_id", [str(uuid.UUID(int=5)), "not-a-uuid", "../run", "ب" * 300])
def test_an_unknown_job_is_not_found(backend_mcp: Mcp, tool: str, job_id: str) -> None:
    assert backend_mcp.refused(tool, {"job_id": job_id})["error"] == "job_not_found"


def test_a_job_of_another_client_is_not_found(backend_mcp: Mcp, shop: Tenant) -> None:
    job_id = backend_mcp.told("submit_governed_job", JOB)["job_id"]
    other = Mcp(make_client(shop)[1])

    assert other.refused("get_governed_job", {"job_id": job_id})["error"] == "job_not_found"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("submit_governed_job", {}),
        ("submit_governed_job", {"request_id": "r"}),
        ("submit_governed_job", {"request_id": "r", "input": "  "}),
        ("submit_governed_job", {"request_id": " ", "input": "x"}),
        ("submit_governed_job", {"request_id": "r" * 129, "input": "x"}),
        ("submit_governed_job", {"request_id": "r", "input": "x" * 100_001}),
        ("submit_governed_job", {"request_id": 5, "input": "x"}),
        ("wait_for_governed_job", {"job_id": str(uuid.UUID(int=5)), "max_wait_seconds": 0}),
        ("wait_for_governed_job", {"job_id": str(uuid.UUID(int=5)), "max_wait_seconds": 61}),
        ("wait_for_governed_job", {"job_id": str(uuid.UUID(int=5)), "max_wait_seconds": "20"}),
        ("wait_for_governed_job", {"job_id": str(uuid.UUID(int=5)), "max_wait_seconds": 1.5}),
        ("get_governed_job", {}),
        ("get_governed_job", {"job_id": None}),
    ],
)
def test_arguments_out_of_their_bounds_are_refused(backend_mcp: Mcp, tool: str, arguments: dict[str, Any]) -> None:
    refusal = backend_mcp.refused(tool, arguments)

    assert (refusal["error"], refusal["next_action"]) == ("invalid_request", "correct_input")


def test_the_longest_input_is_taken(backend_mcp: Mcp) -> None:
    assert (
        backend_mcp.told("submit_governed_job", {"request_id": "r", "input": "😀" * 100_000})["status"] == "queued"
    )


def test_a_client_that_is_switched_off_is_nobody(
    backend_mcp: Mcp, api: ApiClient, agent_client: AgentClient
) -> None:
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"enabled": False})

    assert backend_mcp.request("tools/list").status_code == 401
