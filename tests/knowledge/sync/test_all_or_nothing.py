"""Content, chunks, revision, index, run and events of a sync change in one moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from apps.knowledge.sync import settle
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import LINES, PRODUCTS, Feed, listing
from tests.knowledge.conftest import SEARCH
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import SOURCES, event_types, runs, shown, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.conformance("R-2")]

NEW = [{"name": "عنبر", "price": 75}]
NEW_LINES = ["- عنبر — 75 ريال"]

View = dict[str, Any]


def view(api: ApiClient, source_id: str) -> View:
    """All that a reader can see of a content."""
    source = shown(api, source_id)
    chunks = api.get(f"{SOURCES}/{source_id}/chunks").json()["data"]
    found = {word: api.post(SEARCH, {"query": word}).json() for word in ("بخور", "عنبر")}
    return {
        "content": source["content"].split("\n"),
        "revision": source["revision"],
        "chunks": [chunk["text"] for chunk in chunks],
        "found": {word: [hit["text"] for hit in answer["hits"]] for word, answer in found.items()},
        "searched": {answer["searched_sources"][0]["revision"] for answer in found.values()},
    }


def in_another_connection(look: Callable[[], View]) -> View:
    def looked() -> View:
        try:
            return look()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as other:
        return other.submit(looked).result()


@pytest.fixture
def source_id(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> str:
    """A source with a copy, about to get another content."""
    source_id = str(create()["id"])
    work(shop)
    feed.says = listing(NEW)
    api.post(f"{SOURCES}/{source_id}/sync")
    return source_id


def test_until_the_commit_a_reader_sees_all_old_and_then_all_new(
    api: ApiClient, shop: Tenant, source_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, seen, tell = view(api, source_id), [], settle._tell

    def look_first(*arguments: Any) -> None:
        seen.append(in_another_connection(lambda: view(api, source_id)))
        tell(*arguments)

    monkeypatch.setattr(settle, "_tell", look_first)
    work(shop)
    after = view(api, source_id)

    assert seen == [before]
    assert (before["content"], before["chunks"]) == (LINES, LINES)
    assert (after["content"], after["chunks"]) == (NEW_LINES, NEW_LINES)
    assert before["found"] == {"بخور": LINES[:1], "عنبر": []}
    assert after["found"] == {"بخور": [], "عنبر": NEW_LINES}
    assert (before["searched"], after["searched"]) == ({before["revision"]}, {after["revision"]})


def test_a_result_that_cannot_be_written_whole_is_not_written(
    api: ApiClient, shop: Tenant, source_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = view(api, source_id)

    def breaks(*_: Any) -> None:
        raise InterruptedError

    monkeypatch.setattr(settle, "_tell", breaks)
    with pytest.raises(InterruptedError):
        work(shop)

    assert view(api, source_id) == before
    assert runs(api, source_id)[0]["status"] == "running"
    assert event_types(shop) == ["sync_succeeded"]


def test_an_unchanged_feed_writes_no_revision(api: ApiClient, shop: Tenant, source_id: str, feed: Feed) -> None:
    feed.says = listing(PRODUCTS)
    before = view(api, source_id)
    work(shop)

    assert view(api, source_id) == before
    assert api.get(f"{SOURCES}/{source_id}/revisions").json()["data"] == []
