"""Calls to workers: a broker that does not answer is left alone for a while, and no request waits for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from apps.knowledge import tasks as sync_tasks
from apps.rest.throttles import breaker
from apps.webhooks import tasks as webhook_tasks

CALLS = [
    (lambda: sync_tasks.call_worker("prj_x", "sync_x"), sync_tasks.sync_source),
    (webhook_tasks.call_worker, webhook_tasks.dispatch_deliveries),
]


@pytest.fixture(autouse=True)
def _whole_breaker() -> Iterator[None]:
    breaker.reset()
    yield
    breaker.reset()


class Broker:
    """Stands where a task is published; refuses when it is dead."""

    def __init__(self, *, dead: bool) -> None:
        self.dead = dead
        self.calls = 0

    def __call__(self, *_: Any, **__: Any) -> None:
        self.calls += 1
        if self.dead:
            raise OperationalError


@pytest.mark.parametrize(("call", "task"), CALLS)
def test_a_worker_is_called(monkeypatch: pytest.MonkeyPatch, call: Any, task: Any) -> None:
    broker = Broker(dead=False)
    monkeypatch.setattr(task, "apply_async", broker)

    call()

    assert broker.calls == 1


@pytest.mark.conformance("R-7", "W-8")
@pytest.mark.parametrize(("call", "task"), CALLS)
def test_a_dead_broker_is_asked_once_and_then_left_alone(
    monkeypatch: pytest.MonkeyPatch, call: Any, task: Any
) -> None:
    broker = Broker(dead=True)
    monkeypatch.setattr(task, "apply_async", broker)

    call()
    call()

    assert broker.calls == 1
