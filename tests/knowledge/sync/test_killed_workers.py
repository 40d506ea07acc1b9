"""A worker killed at any point loses nothing and doubles nothing but, at most, the fetch."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from apps.knowledge.sync.run import run_sync
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import LINES, PRODUCTS, Feed, Says, listing
from tests.knowledge.conftest import Search
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import (
    SOURCES,
    event_types,
    feed_row,
    lease_runs_out,
    runs,
    shown,
    tick,
    work,
)
from tests.webhooks.test_killed_dispatchers import database_url

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True), pytest.mark.conformance("R-1")]

REPOSITORY = Path(__file__).parents[3]
KILLED = -signal.SIGKILL
MORE = [*PRODUCTS, {"name": "عنبر", "price": 75, "category": "عود"}]
GOOD, BAD = listing(MORE), Says(status=500)


class Workers:
    """Processes that each do one run, one after the other or at once."""

    def __init__(self, orders: IO[str], answers: IO[str]) -> None:
        self._orders, self._answers = orders, answers

    def start(self, tenant: Tenant, run_id: str, feed: Feed, point: str | None = None) -> int:
        return self._ask(project_id=tenant.id, run_id=run_id, origin=feed.origin, point=point)

    def end_of(self, process: int) -> int:
        return self._ask(wait_for=process)

    def _ask(self, **order: Any) -> int:
        self._orders.write(json.dumps(order) + "\n")
        self._orders.flush()
        return int(self._answers.readline())


@pytest.fixture(scope="module")
def started() -> Iterator[dict[str, Workers]]:
    """Worker processes by database, started when the first test has one."""
    by_database: dict[str, Workers] = {}
    processes: list[subprocess.Popen[str]] = []

    class Starting(dict[str, Workers]):
        def __missing__(self, url: str) -> Workers:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.knowledge.sync.dying_worker"],
                env={**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "CRITICAL"},
                cwd=REPOSITORY,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            processes.append(process)
            assert process.stdin is not None
            assert process.stdout is not None
            self[url] = Workers(process.stdin, process.stdout)
            return self[url]

    yield Starting(by_database)
    for process in processes:
        process.communicate(timeout=30)


@pytest.fixture
def workers(started: dict[str, Workers]) -> Workers:
    return started[database_url()]


@pytest.fixture
def source_id(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> str:
    """A source with a copy, one sync behind it and one queued; the feed counts from here on."""
    source_id = str(create()["id"])
    work(shop)
    api.post(f"{SOURCES}/{source_id}/sync")
    feed.asked.clear()
    return source_id


def content_of(api: ApiClient, source_id: str) -> list[str]:
    return str(shown(api, source_id)["content"]).split("\n")


def queued_run(api: ApiClient, source_id: str) -> str:
    return str(runs(api, source_id)[0]["id"])


LOST = ["sync_failed"]


@pytest.mark.parametrize(
    ("point", "fetches", "lost"),
    [
        ("before the fetch", 1, LOST),
        ("in the fetch", 2, LOST),
        ("before the transaction", 2, LOST),
        ("in the transaction", 2, LOST),
    ],
)
@pytest.mark.parametrize(("says", "ends"), [(GOOD, "sync_succeeded"), (BAD, "sync_failed")])
def test_killed_while_it_has_the_lease(
    api: ApiClient,
    shop: Tenant,
    feed: Feed,
    workers: Workers,
    source_id: str,
    *,
    point: str,
    fetches: int,
    lost: list[str],
    says: Says,
    ends: str,
) -> None:
    feed.says = says
    run_id = queued_run(api, source_id)
    assert workers.end_of(workers.start(shop, run_id, feed, point)) == KILLED
    left_behind = content_of(api, source_id), event_types(shop), feed_row(shop, source_id).lease_token is None
    run_sync(shop.id, run_id)
    refused = len(feed.asked)
    lease_runs_out(shop, source_id)
    tick(shop)

    assert left_behind == (LINES, ["sync_succeeded"], False)
    assert refused == fetches - 1
    assert len(feed.asked) == fetches
    assert event_types(shop) == ["sync_succeeded", *lost, ends]
    assert len(content_of(api, source_id)) == (4 if says is GOOD else 3)
    assert shown(api, source_id)["sync"]["consecutive_failures"] == (0 if says is GOOD else 1)


@pytest.mark.parametrize(("says", "ends"), [(GOOD, "sync_succeeded"), (BAD, "sync_failed")])
def test_killed_before_its_claim_is_committed(
    api: ApiClient, shop: Tenant, feed: Feed, workers: Workers, source_id: str, *, says: Says, ends: str
) -> None:
    feed.says = says
    run_id = queued_run(api, source_id)
    assert workers.end_of(workers.start(shop, run_id, feed, "before the claim commits")) == KILLED
    untouched = feed_row(shop, source_id).lease_token, runs(api, source_id)[0]["status"]
    run_sync(shop.id, run_id)

    assert untouched == (None, "queued")
    assert len(feed.asked) == 1
    assert event_types(shop) == ["sync_succeeded", ends]


@pytest.mark.parametrize(("says", "ends"), [(GOOD, "sync_succeeded"), (BAD, "sync_failed")])
def test_killed_after_the_commit(
    api: ApiClient, shop: Tenant, feed: Feed, workers: Workers, source_id: str, *, says: Says, ends: str
) -> None:
    feed.says = says
    run_id = queued_run(api, source_id)
    assert workers.end_of(workers.start(shop, run_id, feed, "before the acknowledgement")) == KILLED
    run_sync(shop.id, run_id)
    tick(shop)

    assert len(feed.asked) == 1
    assert event_types(shop) == ["sync_succeeded", ends]


def test_one_that_stood_still_past_its_lease_has_its_result_thrown_away(
    api: ApiClient, shop: Tenant, feed: Feed, workers: Workers, source_id: str
) -> None:
    feed.says = listing(PRODUCTS[:1])
    late = workers.start(shop, queued_run(api, source_id), feed, "still before the transaction")
    wait_until_stopped(late)
    lease_runs_out(shop, source_id)
    feed.says = GOOD
    tick(shop)
    by_another = shown(api, source_id)
    os.kill(late, signal.SIGCONT)

    assert workers.end_of(late) == 0
    assert shown(api, source_id) == by_another
    assert len(content_of(api, source_id)) == 4
    assert len(feed.asked) == 2


def wait_until_stopped(process: int) -> None:
    """The patience is only there so that a broken worker does not hang the suite."""
    deadline = time.monotonic() + 30
    while Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@pytest.mark.conformance("R-4")
def test_of_eight_workers_at_once_one_does_the_run(
    api: ApiClient, shop: Tenant, feed: Feed, workers: Workers, source_id: str
) -> None:
    feed.says = listing(MORE, after=0.3)
    run_id = queued_run(api, source_id)
    processes = [workers.start(shop, run_id, feed) for _ in range(8)]

    assert [workers.end_of(process) for process in processes] == [0] * 8
    assert len(feed.asked) == 1
    assert event_types(shop) == ["sync_succeeded", "sync_succeeded"]


@pytest.mark.conformance("C-22", "R-4")
def test_workers_at_once_keep_to_the_limits_together(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, workers: Workers
) -> None:
    feed.says = listing(MORE, after=0.3)
    run_ids = [queued_run(api, create()["id"]) for _ in range(6)]
    processes = [workers.start(shop, run_id, feed) for run_id in run_ids]
    ends = [workers.end_of(process) for process in processes]
    at_once = feed.most_at_once
    feed.says = GOOD
    tick(shop)

    assert ends == [0] * 6
    assert at_once == 2
    assert len(feed.asked) == 6


@pytest.mark.conformance("R-7", "T-10")
def test_a_worker_without_memory_fails_its_run_and_keeps_the_copy(
    api: ApiClient, shop: Tenant, feed: Feed, workers: Workers, *, source_id: str, search: Search
) -> None:
    feed.says = GOOD
    workers.end_of(workers.start(shop, queued_run(api, source_id), feed, "out of memory"))
    without_memory = content_of(api, source_id), len(search("بخور")["hits"])
    lease_runs_out(shop, source_id)
    tick(shop)
    api.post(f"{SOURCES}/{source_id}/sync")
    work(shop)

    assert without_memory == (LINES, 1)
    assert len(content_of(api, source_id)) == 4
    assert shown(api, source_id)["sync"]["status"] == "ok"
