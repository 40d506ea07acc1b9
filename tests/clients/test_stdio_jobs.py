"""A backend's tools over stdio: exactly three, for one workspace, never another submission."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from mawrid_client import AsyncJobClient
from mawrid_client.stdio.job_mode import JobMode
from mawrid_client.stdio.server import JOB_INSTRUCTIONS, build
from tests.clients.hosting import Host, connected
from tests.fakes.hub import ROUTE, Hub

JOB = {"request_id": "order-42", "input": "كم سعر صندوق البخور؟"}


@pytest.fixture
def host(hub: Hub) -> Iterator[Host]:
    mode = JobMode(AsyncJobClient(hub.url, hub.client_token, ROUTE))
    with connected(build(mode, JOB_INSTRUCTIONS)) as host:
        yield host


@pytest.mark.conformance("SDK-039")
def test_there_are_exactly_three_tools(host: Host) -> None:
    assert list(host.tools()) == ["submit_governed_job", "get_governed_job", "wait_for_governed_job"]


def test_a_job_is_submitted_in_the_workspace_of_the_operator(hub: Hub, host: Host) -> None:
    job = host.told("submit_governed_job", JOB)

    assert hub.bodies("/run") == [{**JOB, "route": ROUTE}]
    assert (job["status"], job["terminal"]) == ("queued", False)


def test_a_job_is_read_when_it_is_over(hub: Hub, host: Host) -> None:
    job_id = host.told("submit_governed_job", JOB)["job_id"]
    hub.finish(job_id, report={"text": "95 ريال"})
    job = host.told("get_governed_job", {"job_id": job_id})

    assert (job["status"], job["terminal"], job["report"]) == ("done", True, {"text": "95 ريال"})


@pytest.mark.parametrize(
    ("result", "report", "left_out"),
    [
        ({"search": "x" * 40_000, "content": "c", "prompt": "p"}, {"text": "r"}, ["result.search"]),
        (
            {"prompt": "x" * 40_000, "content": "c", "route": ROUTE},
            {"text": "r"},
            ["result.content", "result.prompt"],
        ),
        ({"theirs": "x" * 40_000}, {"text": "r"}, ["result"]),
        (None, {"text": f"{'ض' * 99}\n" * 400}, ["report.text"]),
        (None, {"theirs": "x" * 40_000}, ["report"]),
    ],
)
def test_a_long_job_names_what_it_leaves_out(
    hub: Hub, host: Host, result: dict[str, Any] | None, report: dict[str, Any], left_out: list[str]
) -> None:
    job_id = host.told("submit_governed_job", JOB)["job_id"]
    hub.finish(job_id, report=report, result=result)

    job = host.told("get_governed_job", {"job_id": job_id})

    assert len(json.dumps(job, ensure_ascii=False, separators=(",", ":")).encode()) <= 32_768
    assert (job["truncated"], job["left_out"]) == (True, left_out)


def test_waiting_looks_and_submits_nothing(hub: Hub, host: Host) -> None:
    job_id = host.told("submit_governed_job", JOB)["job_id"]
    waited = host.told("wait_for_governed_job", {"job_id": job_id, "max_wait_seconds": 1})

    assert (waited["terminal"], waited["wait_timed_out"], waited["poll_count"]) == (False, True, 2)
    assert waited["elapsed_ms"] >= 1_000
    assert len(hub.bodies("/run")) == 1


def test_another_input_for_a_request_is_a_conflict(host: Host) -> None:
    host.told("submit_governed_job", JOB)

    assert host.refused("submit_governed_job", {**JOB, "input": "y"})["error"] == "request_conflict"


@pytest.mark.conformance("SDK-036")
@pytest.mark.parametrize("name", ["route", "client_token", "admin_token", "subject", "approval", "callback_url"])
def test_other_arguments_are_refused(hub: Hub, host: Host, name: str) -> None:
    assert host.refused("submit_governed_job", {**JOB, name: "x"})["error"] == "invalid_request"
    assert hub.received == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("submit_governed_job", {"request_id": "r"}),
        ("submit_governed_job", {"request_id": "r", "input": " "}),
        ("get_governed_job", {"job_id": "no-uuid"}),
        ("wait_for_governed_job", {"job_id": str(uuid.uuid4()), "max_wait_seconds": 61}),
        ("wait_for_governed_job", {"job_id": str(uuid.uuid4()), "max_wait_seconds": True}),
    ],
)
def test_arguments_out_of_their_bounds_are_refused(host: Host, tool: str, arguments: dict[str, Any]) -> None:
    assert host.refused(tool, arguments)["error"] == "invalid_request"
