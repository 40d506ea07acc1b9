"""Governed jobs of a backend: submitted once, looked at, waited for, and never submitted again by waiting."""

from typing import Any

import pytest

from mawrid_client import AgentError, JobClient, JobWait
from mawrid_client.job_core import JobCore
from mawrid_client.messages import Answer, Pause, Request, Steps
from tests.clients.conftest import shared_by_both
from tests.fakes.hub import ROUTE, Hub, Says

JOB = "0b0e6f0e-6f53-4f0a-9d5e-1c2d3e4f5a6b"


def test_a_job_is_submitted_by_the_wires_names(hub: Hub, job_client: JobClient) -> None:
    job = job_client.submit(
        request_id="r-1", input="سؤال", metadata={"a": 1}, callback_url="https://shop.example/cb"
    )

    assert (job.status, job.terminal, job.request_id) == ("queued", False, "r-1")
    assert hub.bodies("/run") == [
        {
            "request_id": "r-1",
            "route": ROUTE,
            "input": "سؤال",
            "metadata": {"a": 1},
            "callback_url": "https://shop.example/cb",
        }
    ]
    assert hub.received[0].headers["authorization"] == f"Bearer {hub.client_token}"


def test_the_same_request_is_the_same_job(job_client: JobClient) -> None:
    first = job_client.submit(request_id="r-1", input="x")

    assert job_client.submit(request_id="r-1", input="x").job_id == first.job_id


def test_another_content_for_a_request_is_a_conflict(job_client: JobClient) -> None:
    job_client.submit(request_id="r-1", input="x")

    with pytest.raises(AgentError, match="request_conflict"):
        job_client.submit(request_id="r-1", input="y")


def test_a_finished_job_has_a_result(hub: Hub, job_client: JobClient) -> None:
    job = job_client.submit(request_id="r-1", input="x")
    hub.finish(job.job_id, result={"prompt": "…"}, report={"text": "95 ريال"}, usage={"tokens": 5})
    done = job_client.get(job.job_id)

    assert (done.status, done.terminal) == ("done", True)
    assert (done.result, done.report, done.usage) == ({"prompt": "…"}, {"text": "95 ريال"}, {"tokens": 5})
    assert (done.raw_result, done.error) == (None, None)


def test_a_long_error_is_cut(hub: Hub, job_client: JobClient) -> None:
    job = job_client.submit(request_id="r-1", input="x")
    hub.finish(job.job_id, error="e" * 5_000)

    assert job_client.get(job.job_id).error == "e" * 1_000


def test_waiting_ends_with_the_job(hub: Hub, job_client: JobClient) -> None:
    job = job_client.submit(request_id="r-1", input="x")
    hub.finish(job.job_id)
    waited = job_client.wait(job.job_id, max_wait_seconds=60)

    assert (waited.job.terminal, waited.timed_out, waited.polls) == (True, False, 1)


def test_waiting_ends_with_the_time(hub: Hub, job_client: JobClient) -> None:
    job = job_client.submit(request_id="r-1", input="x")
    waited = job_client.wait(job.job_id, max_wait_seconds=1)

    assert (waited.job.terminal, waited.timed_out, waited.polls) == (False, True, 2)
    assert waited.elapsed_ms >= 1_000
    assert len(hub.bodies("/run")) == 1


class Played:
    """The steps of waiting by themselves, for a job that goes on, with a clock that only pauses move."""

    def __init__(self, *, max_wait_seconds: int) -> None:
        self.now = 0.0
        self.paused: list[float] = []
        core = JobCore(base_url="https://hub.example", client_token="t", route=ROUTE, clock=lambda: self.now)
        self.waited = self._play(core.wait(JOB, max_wait_seconds=max_wait_seconds))

    def _play(self, steps: Steps[JobWait]) -> JobWait:
        running = Answer(200, {}, Says(job_said(status="running")).encoded())
        step = next(steps)
        while True:
            if isinstance(step, Pause):
                self.paused.append(step.seconds)
                self.now += step.seconds
            try:
                step = steps.send(running if isinstance(step, Request) else None)
            except StopIteration as stop:
                result: JobWait = stop.value
                return result


def test_a_job_is_looked_at_every_two_seconds() -> None:
    played = Played(max_wait_seconds=5)

    assert played.paused == [2.0, 2.0, 1.0]
    assert (played.waited.polls, played.waited.elapsed_ms) == (4, 5_000)


@shared_by_both
@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"request_id": ""}, "request_id"),
        ({"request_id": "  "}, "blank"),
        ({"request_id": "r" * 129}, "request_id"),
        ({"input": ""}, "input"),
        ({"input": " \n"}, "blank"),
        ({"input": "x" * 100_001}, "input"),
        ({"input": "a\0b"}, "input"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"a": {1, 2}}}, "metadata"),
        ({"callback_url": "h" * 2_049}, "callback_url"),
    ],
)
def test_a_job_no_server_would_take_is_not_sent(
    hub: Hub, job_client: JobClient, arguments: dict[str, Any], what: str
) -> None:
    with pytest.raises(AgentError, match=what):
        job_client.submit(**{"request_id": "r-1", "input": "x", **arguments})
    assert hub.received == []


@shared_by_both
@pytest.mark.parametrize("seconds", [0, 61, 1.5, "20", True])
def test_nobody_waits_forever(hub: Hub, job_client: JobClient, seconds: Any) -> None:
    with pytest.raises(AgentError, match="max_wait_seconds"):
        job_client.wait(JOB, max_wait_seconds=seconds)
    assert hub.received == []


@shared_by_both
@pytest.mark.parametrize("job_id", ["", "job_1", "../run", "018f3c7e-0000-7000-8000-000000000000"])
def test_a_job_is_named_by_its_uuid(hub: Hub, job_client: JobClient, job_id: str) -> None:
    with pytest.raises(AgentError, match="job_id"):
        job_client.get(job_id)
    assert hub.received == []


def job_said(**changes: Any) -> dict[str, Any]:
    return {
        "job_id": JOB,
        "request_id": "r-1",
        "status": "done",
        "result": None,
        "report": None,
        "usage": None,
        "raw_result": None,
        "error": None,
        "created_at": "2026-11-30T10:00:00Z",
        "updated_at": "2026-11-30T10:00:01Z",
        **changes,
    }


@shared_by_both
@pytest.mark.parametrize(
    "changes",
    [
        {"job_id": "0b0e6f0e-6f53-4f0a-9d5e-1c2d3e4f5a6c"},
        {"job_id": None},
        {"request_id": ""},
        {"status": "finished"},
        {"report": "a text"},
        {"result": []},
        {"usage": 5},
        {"raw_result": {}},
        {"error": {"code": "x"}},
        {"created_at": 5},
        {"updated_at": "2" * 101},
    ],
)
def test_a_job_that_is_not_as_published_raises(hub: Hub, job_client: JobClient, changes: dict[str, Any]) -> None:
    hub.says["GET", f"/jobs/{JOB}"] = Says(job_said(**changes))

    with pytest.raises(AgentError, match="agent_response_invalid"):
        job_client.get(JOB)


@shared_by_both
@pytest.mark.parametrize("name", ["result", "report", "usage", "raw_result", "error", "created_at"])
def test_a_job_has_all_its_members(hub: Hub, job_client: JobClient, name: str) -> None:
    said = job_said()
    del said[name]
    hub.says["GET", f"/jobs/{JOB}"] = Says(said)

    with pytest.raises(AgentError, match="agent_response_invalid"):
        job_client.get(JOB)


@pytest.mark.parametrize("says", [Says({}, 200), Says({"request_id": "other"}, 202), Says({}, 201)])
def test_a_submission_is_answered_by_202_and_its_own_request(hub: Hub, job_client: JobClient, says: Says) -> None:
    hub.says["POST", "/run"] = says

    with pytest.raises(AgentError, match="agent_response_invalid"):
        job_client.submit(request_id="r-1", input="x")


def test_a_token_that_is_not_the_clients_is_told(hub: Hub) -> None:
    with JobClient(hub.url, "another-token", ROUTE) as client, pytest.raises(AgentError) as refused:
        client.submit(request_id="r-1", input="x")
    assert (refused.value.code, refused.value.status) == ("unauthorized", 401)
