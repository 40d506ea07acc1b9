"""The shared feed cases, each served from a real socket to the real sync of a source that has a copy already."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.outbound import parse_trusted_origins
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import LINES, Feed
from tests.knowledge.conftest import Search
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import SOURCES, runs, shown, work
from tests.knowledge.test_transform_shared_cases import CASES, ROWS, cases, server_of
from tests.outbound.servers import running

pytestmark = [
    pytest.mark.shared,
    pytest.mark.conformance(*ROWS, "KA-103", "R-3"),
    pytest.mark.skipif(not CASES.is_file(), reason="the shared cases are not beside this checkout"),
]


@pytest.fixture
def origin(case: dict[str, Any], feed: Feed, settings: Settings) -> Iterator[str]:
    with running(server_of(case["response"])) as server:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(f"{feed.origin},{server.origin}")
        settings.SYNC_DEADLINE_SECONDS = 1.2
        yield server.origin


@pytest.mark.parametrize("case", cases())
def test_a_case_ends_as_expected(
    api: ApiClient, shop: Tenant, create: CreateFeed, search: Search, *, origin: str, case: dict[str, Any]
) -> None:
    source_id = create()["id"]
    work(shop)
    before, hits = shown(api, source_id), search("بخور")["hits"]
    config = {"url": f"{origin}/feed", "transform": case["transform"]}
    assert api.patch(f"{SOURCES}/{source_id}", {"config": config}).status_code == 200
    work(shop)
    last, after = runs(api, source_id)[0], shown(api, source_id)

    if case["expect"]["ok"]:
        assert after["content"].split("\n") == case["expect"]["lines"]
    else:
        assert last["error"]["code"] == case["expect"]["error"]
        assert (after["content"], after["revision"]) == (before["content"], before["revision"])
        assert after["content"].split("\n") == LINES
        assert search("بخور")["hits"] == hits
