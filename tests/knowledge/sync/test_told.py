"""From a feed that fails to the customer's system that hears of it, and can tell that it was us."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings
from standardwebhooks import Webhook

from apps.outbound import parse_trusted_origins
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import PRODUCTS, Feed, Says, listing
from tests.fakes.receiver import Receiver, running_receiver
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import sync_now, work
from tests.webhooks.making import dispatch, make_endpoint_with_secret


@pytest.fixture
def receiver(feed: Feed, settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_DRAIN_SECONDS = 0.3
    with running_receiver() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(f"{feed.origin},{running.origin}")
        yield running


@pytest.mark.conformance("KA-105", "KA-107", "KA-114")
def test_failure_and_recovery_arrive_signed(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, receiver: Receiver
) -> None:
    source_id = create()["id"]
    work(shop)
    wanted = ["knowledge_source.sync_failed", "knowledge_source.sync_recovered"]
    _, secret = make_endpoint_with_secret(shop, receiver.url, wanted)
    feed.says = Says(status=500)
    failed = sync_now(api, shop, source_id)
    feed.says = listing(PRODUCTS)
    sync_now(api, shop, source_id)
    dispatch()
    verified: list[Any] = [Webhook(secret).verify(post.body, post.headers) for post in receiver.received]
    heard = {told["type"]: told["data"] for told in verified}

    assert set(heard) == set(wanted)
    assert heard[wanted[0]]["run"]["id"] == failed["id"]
    assert heard[wanted[0]]["consecutive_failures"] == 1
    assert heard[wanted[1]]["consecutive_failures"] == 0
