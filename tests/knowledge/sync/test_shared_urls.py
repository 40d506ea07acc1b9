"""The shared address cases at a source: when it is saved, and through the real client when it is synced."""

import json
from functools import partial
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from apps.knowledge.sync import fetching
from apps.outbound import check_url, fetch
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import LINES
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import SOURCES, runs, shown, sync_now, work
from tests.outbound.conftest import authority, authority_file, certificate, world
from tests.outbound.servers import Certificate, World, answer, sending
from tests.outbound.test_shared_cases import CASES, answering, cases, expected_codes

__all__ = ["authority", "authority_file", "certificate", "world"]

pytestmark = [
    pytest.mark.shared,
    pytest.mark.conformance("C-2", "KA-095", "KA-096", "KA-097", "KA-103"),
    pytest.mark.skipif(not CASES.is_file(), reason="the shared cases are not beside this checkout"),
]


@pytest.fixture
def small_world(
    case: dict[str, Any], world: World, authority_file: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> World:
    """The real client, among the names and servers of the case."""
    answering(world, case)
    settings.OUTBOUND_EXTRA_CA_FILE = authority_file
    asking = partial(fetch, resolver=world.resolve, connector=world.connect)
    monkeypatch.setattr(fetching, "fetch", asking)
    return world


def saved(api: ApiClient, url: str) -> Any:
    return api.post(SOURCES, {"name": "prices", "kind": "api", "config": {"url": url}})


@pytest.mark.parametrize("case", cases("block"))
def test_a_url_to_block_is_refused_when_it_is_saved_or_else_when_it_is_looked_up(
    api: ApiClient, shop: Tenant, small_world: World, case: dict[str, Any]
) -> None:
    answered = saved(api, case["url"])
    needs_a_look_up = case["resolves_to"] is not None
    work(shop)

    assert answered.status_code == (201 if needs_a_look_up else 400)
    assert small_world.attempts == []
    if needs_a_look_up:
        assert runs(api, answered.json()["id"])[0]["error"]["code"] in expected_codes(case)
    else:
        assert {fault["param"] for fault in answered.json()["error"]["errors"]} == {"config.url"}


def refused_when_saved() -> list[Any]:
    """Without those that not even the database can hold."""
    shown = [case for case in cases("block") if case.values[0]["resolves_to"] is None]
    return [case for case in shown if "\0" not in case.values[0]["url"]]


@pytest.mark.parametrize("case", refused_when_saved())
def test_a_url_to_block_that_was_saved_all_the_same_is_not_called(
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    *,
    world: World,
    case: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As by a rule that came later: nothing is connected to, and the copy stays."""
    source_id = create()["id"]
    work(shop)
    put_behind_the_rules(shop, source_id, case["url"])
    answering(world, case)
    asking = partial(fetch, resolver=world.resolve, connector=world.connect)
    monkeypatch.setattr(fetching, "fetch", asking)
    failed = sync_now(api, shop, source_id)

    assert failed["error"]["code"] in expected_codes(case)
    assert world.attempts == []
    assert shown(api, source_id)["content"].split("\n") == LINES


def put_behind_the_rules(tenant: Tenant, source_id: str, url: str) -> None:
    with project_scope(tenant.id), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_source SET config = jsonb_set(config, '{url}', %s) WHERE id = %s",
            [json.dumps(url), source_id],
        )


@pytest.mark.parametrize("case", cases("allow"))
def test_a_url_to_allow_is_fetched(
    api: ApiClient, shop: Tenant, small_world: World, certificate: Certificate, case: dict[str, Any]
) -> None:
    url = check_url(case["url"])
    server = small_world.serve(sending(answer(b'{"name": "x"}')), certificate(url.host))
    source = saved(api, case["url"]).json()
    work(shop)

    assert runs(api, source["id"])[0]["status"] == "succeeded"
    assert len(small_world.attempts) == 1
    assert server.server_names == [None if url.address else url.host]
