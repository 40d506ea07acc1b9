"""Calls to workers: a broker that does not answer is left alone for a while, and no request waits for it."""

from collections.abc import Iterator
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from apps.knowledge import tasks as sync_tasks
from apps.knowledge.sync import due
from apps.rest.throttles import breaker
from apps.webhooks import tasks as webhook_tasks
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import runs

pytestmark = pytest.mark.django_db

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


@pytest.mark.conformance("R-7")
def test_a_run_for_which_nobody_could_be_called_is_called_for_at_the_next_tick(
    monkeypatch: pytest.MonkeyPatch,
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    *,
    calls: list[str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    run_id = runs(api, create()["id"])[0]["id"]
    monkeypatch.setattr(sync_tasks.sync_source, "apply_async", Broker(dead=True))

    sync_tasks.call_worker(shop.id, run_id)
    with django_capture_on_commit_callbacks(execute=True):
        due.sync_due()

    assert calls == [run_id]
