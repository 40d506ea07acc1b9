"""Jobs in the whole product: done by the preparer, told by the dispatcher, and not lost with either of them."""

import signal
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from runner import programs
from tests.fakes.receiver import Receiver, Reply, running_receiver
from tests.flows.stack import Stack, running_stack, wait_for

pytestmark = pytest.mark.processes

ROUTE = "order-assistant"


@dataclass(frozen=True)
class Backend:
    """A business's backend at work: submits jobs, reads them, and is called back."""

    stack: Stack
    token: str
    receiver: Receiver

    def submit(self) -> str:
        body = {
            "request_id": uuid.uuid4().hex,
            "route": ROUTE,
            "input": "كم سعر صندق البخور؟",
            "callback_url": self.receiver.url,
        }
        status, job = self.stack.call("POST", "/run", body, token=self.token)
        assert status == 202, job
        return str(job["job_id"])

    def job(self, job_id: str) -> Any:
        return self.stack.call("GET", f"/jobs/{job_id}", token=self.token)[1] or {}

    def is_done(self, job_id: str) -> bool:
        return bool(self.job(job_id).get("status") == "done")


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    with running_receiver() as receiver:
        folder = tmp_path_factory.mktemp("stack")
        with running_stack(folder, OUTBOUND_TRUSTED_ORIGINS=receiver.origin) as stack:
            stack.start("preparer", *programs.preparer())
            stack.start("dispatcher", *programs.dispatcher())
            yield Backend(stack, _client_token(stack), receiver)


def _client_token(stack: Stack) -> str:
    """That of a client of a workspace which knows a price."""
    _, source = stack.call(
        "POST", "/v1/knowledge_sources", {"name": "الأسعار", "kind": "catalog", "content": "صندوق بخور — 95 ريال"}
    )
    sources = [{"source_id": source["id"], "mode": "searchable"}]
    agent = {"name": "مساعد", "route": ROUTE, "knowledge": {"sources": sources}}
    _, made = stack.call("POST", "/v1/agents", agent)
    stack.call("POST", f"/v1/agents/{made['id']}/publish")
    _, client = stack.call(
        "POST", "/v1/agent_clients", {"app_id": "flow-agent", "name": "a", "allowed_routes": [ROUTE]}
    )
    return str(client["client_token"])


def test_a_job_is_done_and_told_even_if_the_receiver_fails_at_first(backend: Backend) -> None:
    backend.receiver.received.clear()
    backend.receiver.replies(Reply(status=503), Reply())

    job_id = backend.submit()

    wait_for(lambda: len(backend.receiver.received) == 2)
    first, second = backend.receiver.received
    assert backend.job(job_id)["result"]["search"]["hits"][0]["text"] == "صندوق بخور — 95 ريال"
    assert first.body == second.body
    assert 2 <= second.at - first.at < 60


def test_a_job_waits_for_a_preparer_that_comes_back(backend: Backend) -> None:
    backend.stack.kill("preparer")
    job_id = backend.submit()

    backend.stack.start("preparer", *programs.preparer())

    wait_for(lambda: backend.is_done(job_id))


def test_a_job_waits_for_no_sync(backend: Backend) -> None:
    backend.stack.signal("worker", signal.SIGSTOP)

    job_id = backend.submit()

    wait_for(lambda: backend.is_done(job_id))
    backend.stack.signal("worker", signal.SIGCONT)


def test_a_sync_waits_for_no_job(backend: Backend) -> None:
    backend.stack.signal("preparer", signal.SIGSTOP)
    jobs = [backend.submit() for _ in range(5)]

    source_id = _source_with_feed(backend)

    wait_for(lambda: _sync_status(backend.stack, source_id) == "failing")
    assert [backend.job(job_id)["status"] for job_id in jobs] == ["queued"] * 5
    backend.stack.signal("preparer", signal.SIGCONT)
    wait_for(lambda: all(map(backend.is_done, jobs)))


def _source_with_feed(backend: Backend) -> str:
    """Its feed is at an address that has none, so that its first sync is over soon, and has failed."""
    wanted = {"name": "متجر", "kind": "api", "config": {"url": f"{backend.receiver.origin}/products.json"}}
    _, source = backend.stack.call("POST", "/v1/knowledge_sources", wanted)
    return str(source["id"])


def _sync_status(stack: Stack, source_id: str) -> str:
    return str(stack.call("GET", f"/v1/knowledge_sources/{source_id}")[1]["sync"]["status"])


def test_a_job_outlives_a_broker_that_forgets(backend: Backend) -> None:
    backend.stack.signal("preparer", signal.SIGSTOP)
    job_id = backend.submit()
    backend.stack.wipe_redis()
    backend.stack.signal("preparer", signal.SIGCONT)

    wait_for(lambda: backend.is_done(job_id))
