"""A call ends when its signal is set, and what arrives later goes nowhere."""

import asyncio
import threading

import pytest

from mawrid_client import AgentClient, AgentError, AsyncAgentClient, JobClient, turn_input
from tests.fakes.hub import ROUTE, Hub, Says, Session

SEARCH_PATH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/search"
TURN_PATH = f"/agent-api/v1/workspaces/{ROUTE}/turns"


@pytest.fixture
def signal() -> threading.Event:
    return threading.Event()


@pytest.mark.conformance("SDK-034")
def test_a_call_without_cancellation_comes_to_its_end(client: AgentClient, signal: threading.Event) -> None:
    assert client.search_knowledge(query="x", signal=signal).status == "ok"


@pytest.mark.conformance("SDK-034")
def test_a_signal_that_is_set_already_sends_nothing(hub: Hub, client: AgentClient, signal: threading.Event) -> None:
    signal.set()

    with pytest.raises(AgentError) as cancelled:
        client.search_knowledge(query="x", signal=signal)
    assert (cancelled.value.code, cancelled.value.status) == ("agent_request_cancelled", 499)
    assert not cancelled.value.retryable
    assert hub.received == []


@pytest.mark.conformance("SDK-034")
def test_a_signal_ends_a_call_that_waits(hub: Hub, client: AgentClient, signal: threading.Event) -> None:
    hub.says["POST", SEARCH_PATH] = Says({}, after=1.0)
    hub.during = lambda _: signal.set()

    with pytest.raises(AgentError) as cancelled:
        client.search_knowledge(query="x", signal=signal)
    assert (cancelled.value.code, cancelled.value.operation) == ("agent_request_cancelled", "search_knowledge")


def test_a_cancelled_turn_is_the_same_when_it_is_started_again(
    hub: Hub, client: AgentClient, signal: threading.Event
) -> None:
    turn = turn_input("x")
    hub.during = lambda _: signal.set()
    hub.says["POST", TURN_PATH] = Says({}, after=0.5)
    with pytest.raises(AgentError, match="cancelled"):
        client.start_turn(turn, signal=signal)
    del hub.says["POST", TURN_PATH]

    assert client.start_turn(turn).run_id == client.start_turn(turn).run_id


def test_waiting_for_a_job_can_be_cancelled(hub: Hub, job_client: JobClient, signal: threading.Event) -> None:
    job = job_client.submit(request_id="r-1", input="x")
    timer = threading.Timer(0.1, signal.set)
    timer.start()

    with pytest.raises(AgentError, match="agent_request_cancelled"):
        job_client.wait(job.job_id, signal=signal)
    timer.join()


def test_an_error_is_raised_as_without_a_signal(hub: Hub, client: AgentClient, signal: threading.Event) -> None:
    hub.says["POST", SEARCH_PATH] = Says({"error": "knowledge_unavailable"}, 503)

    with pytest.raises(AgentError, match="knowledge_unavailable"):
        client.search_knowledge(query="x", signal=signal)


def test_a_cancelled_task_stays_a_cancelled_task(hub: Hub, session: Session) -> None:
    """Tasks are cancelled by asyncio's own means; only a signal becomes an `AgentError`."""
    hub.says["POST", SEARCH_PATH] = Says({}, after=1.0)

    async def cancelled() -> bool:
        async with AsyncAgentClient(hub.url, session.access_token, ROUTE) as client:
            task = asyncio.ensure_future(client.search_knowledge(query="x", signal=asyncio.Event()))
            await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.wait({task})
            return task.cancelled()

    assert asyncio.run(cancelled())
