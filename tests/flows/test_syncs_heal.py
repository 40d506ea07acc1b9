"""The whole product loses its broker, its database and its worker, one after the other, and goes on by itself."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.feed import PRODUCTS, TRANSFORM, Feed, listing, running_feed
from tests.flows.stack import Stack, running_stack, wait_for

pytestmark = [pytest.mark.processes, pytest.mark.conformance("R-7")]

SOURCES = "/v1/knowledge_sources"
# The shortest there is: fifteen seconds here.
INTERVAL = 15


@pytest.fixture(scope="module")
def feed() -> Iterator[Feed]:
    with running_feed() as running:
        yield running


@pytest.fixture(scope="module")
def stack(feed: Feed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("stack")
    with running_stack(folder, OUTBOUND_TRUSTED_ORIGINS=feed.origin) as running:
        yield running


@pytest.fixture
def source(stack: Stack, feed: Feed) -> str:
    """The path of a source whose first sync is done."""
    feed.says = listing(PRODUCTS)
    config = {"url": feed.url, "transform": TRANSFORM, "refresh_minutes": INTERVAL}
    _, created = stack.call("POST", SOURCES, {"name": "prices", "kind": "api", "config": config})
    path = f"{SOURCES}/{created['id']}"
    wait_for(lambda: is_synced(stack, path))
    return path


def is_synced(stack: Stack, path: str) -> bool:
    status, source = stack.call("GET", path)
    return status == 200 and source["sync"]["status"] == "ok"


def revision_of(stack: Stack, path: str) -> str | None:
    """None while there is no answer."""
    status, source = stack.call("GET", path)
    return source["revision"] if status == 200 else None


def runs(stack: Stack, path: str) -> list[dict[str, Any]]:
    """The newest first; none while there is no answer."""
    status, listed = stack.call("GET", f"{path}/sync_runs")
    return listed["data"] if status == 200 else []


def has_ended(stack: Stack, path: str, run_id: str) -> bool:
    return any(run["id"] == run_id and run["finished_at"] for run in runs(stack, path))


def one_more(products: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*products, {"name": "عنبر", "price": 75}]


@pytest.mark.conformance("KA-010", "KA-077")
def test_a_change_in_the_shop_is_found_after_an_interval(stack: Stack, feed: Feed, source: str) -> None:
    feed.says = listing(one_more(PRODUCTS))
    wait_for(lambda: any(run["trigger"] == "schedule" and run["finished_at"] for run in runs(stack, source)))
    _, found = stack.call("POST", "/v1/knowledge/search", {"query": "عنبر", "source_ids": [source[-29:]]})

    assert [hit["text"] for hit in found["hits"]] == ["- عنبر — 75 ريال"]


@pytest.mark.conformance("W-8")
def test_a_run_whose_call_was_wiped_out_is_done_all_the_same(stack: Stack, source: str) -> None:
    # Without a worker: one that only stands still has the call in its connection already.
    stack.kill_worker()
    _, run = stack.call("POST", f"{source}/sync")
    stack.wipe_redis()
    stack.start_worker()

    wait_for(lambda: has_ended(stack, source, run["id"]))
    assert runs(stack, source)[0]["status"] == "unchanged"


def test_a_restarted_database_is_found_again(stack: Stack, feed: Feed, source: str) -> None:
    """Each process may still answer once over a connection that is no more; nobody has to do anything about it."""
    before = revision_of(stack, source)
    stack.restart_postgres()
    feed.says = listing(one_more(PRODUCTS))

    wait_for(lambda: revision_of(stack, source) not in {None, before})
    wait_for(lambda: all(is_synced(stack, source) for _ in range(20)))


@pytest.mark.conformance("R-1")
def test_a_killed_worker_is_made_up_for(stack: Stack, feed: Feed, source: str) -> None:
    feed.says = listing(one_more(PRODUCTS), after=2.0)
    asked = len(feed.asked)
    _, lost = stack.call("POST", f"{source}/sync")
    wait_for(lambda: len(feed.asked) > asked)
    stack.kill_worker()
    feed.says = listing(one_more(PRODUCTS))
    stack.start_worker()
    wait_for(lambda: has_ended(stack, source, lost["id"]))
    wait_for(lambda: is_synced(stack, source))
    after, before = runs(stack, source)[:2]

    assert (before["id"], before["error"]["code"]) == (lost["id"], "worker_lost")
    assert (after["trigger"], after["status"]) == ("manual", "succeeded")


@pytest.mark.conformance("R-9")
def test_a_worker_asked_to_stop_finishes_first(stack: Stack, feed: Feed, source: str) -> None:
    feed.says = listing(PRODUCTS, after=1.0)
    asked = len(feed.asked)
    _, run = stack.call("POST", f"{source}/sync")
    wait_for(lambda: len(feed.asked) > asked)
    stack.processes["worker"].send_signal(signal.SIGTERM)

    assert stack.processes["worker"].wait(timeout=30) == 0
    assert has_ended(stack, source, run["id"])
    stack.start_worker()
