"""How much is fetched at once: by tenant, by minute, by host, and what becomes of what has to wait."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.knowledge.models import SyncRun
from apps.knowledge.sync import claims, due
from apps.knowledge.sync.claims import PER_PROJECT_A_MINUTE, Claim, claim, wake_next
from apps.outbound import parse_trusted_origins
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import Feed, running_feed
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import change_feed, runs, shown, work

pytestmark = pytest.mark.conformance("C-22")

Committed = Any


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Committed:
    """Runs what follows a commit at the end of a block, as a commit would."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def second_feed(feed: Feed, settings: Settings) -> Iterator[Feed]:
    """A feed on another host."""
    with running_feed() as running:
        origins = f"{feed.origin},{running.origin.replace('127.0.0.1', 'localhost')}"
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(origins)
        yield running


def queued(api: ApiClient, create: CreateFeed, count: int, **fields: Any) -> list[str]:
    """Runs of so many new sources."""
    return [runs(api, create(client=api, **fields)["id"])[0]["id"] for _ in range(count)]


def called_at(tenant: Tenant, run_id: str) -> Any:
    with project_scope(tenant.id):
        return SyncRun.objects.for_project(tenant.id).get(id=run_id).called_at


def taken(tenant: Tenant, run_id: str) -> Claim:
    found = claim(tenant.id, run_id)
    assert found is not None
    return found


def test_a_tenant_has_two_fetches_at_once_whatever_their_hosts(
    api: ApiClient, shop: Tenant, create: CreateFeed, second_feed: Feed
) -> None:
    elsewhere = {"url": second_feed.url.replace("127.0.0.1", "localhost")}
    [first], [second, third] = queued(api, create, 1), queued(api, create, 2, config=elsewhere)

    assert [claim(shop.id, run_id) is not None for run_id in (first, second, third)] == [True, True, False]
    assert called_at(shop, third) is None


def test_a_host_has_two_fetches_at_once_over_all_tenants(
    api: ApiClient, other_api: ApiClient, shop: Tenant, other_shop: Tenant, create: CreateFeed
) -> None:
    taken(shop, queued(api, create, 1)[0])
    taken(other_shop, queued(other_api, create, 1)[0])

    assert claim(shop.id, queued(api, create, 1)[0]) is None


def test_another_host_is_not_held_up(
    api: ApiClient, other_api: ApiClient, shop: Tenant, other_shop: Tenant, *, create: CreateFeed, second_feed: Feed
) -> None:
    taken(shop, queued(api, create, 1)[0])
    taken(other_shop, queued(other_api, create, 1)[0])
    elsewhere = {"url": second_feed.url.replace("127.0.0.1", "localhost")}

    taken(shop, queued(api, create, 1, config=elsewhere)[0])


def test_a_tenant_has_sixty_fetches_a_minute(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = create()["id"]
    run_id = runs(api, source_id)[0]["id"]
    now = timezone.now()
    with project_scope(shop.id):
        SyncRun.objects.for_project(shop.id).bulk_create(
            SyncRun(
                project_id=shop.id, source_id=source_id, trigger="manual", status="succeeded", started_at=started_at
            )
            for started_at in [now - timedelta(seconds=50)] * PER_PROJECT_A_MINUTE
        )
    over = claim(shop.id, run_id)
    with project_scope(shop.id):
        SyncRun.objects.for_project(shop.id).exclude(started_at=None).update(started_at=now - timedelta(seconds=61))

    assert over is None
    assert claim(shop.id, run_id) is not None


def test_a_run_over_a_limit_waits_and_does_not_fail(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    *claimed, waiting = queued(api, create, 3)
    for run_id in claimed:
        taken(shop, run_id)
    claim(shop.id, waiting)
    source = shown(api, runs_source(shop, waiting))

    assert (source["sync"]["status"], source["sync"]["error"]) == ("queued", None)


def runs_source(tenant: Tenant, run_id: str) -> str:
    with project_scope(tenant.id):
        return str(SyncRun.objects.for_project(tenant.id).get(id=run_id).source_id)


def test_one_that_ends_calls_for_one_that_waits(
    api: ApiClient, shop: Tenant, create: CreateFeed, calls: list[str], committed: Committed
) -> None:
    first, second, third, fourth = queued(api, create, 4)
    ended = taken(shop, first)
    taken(shop, second)
    claim(shop.id, third)
    claim(shop.id, fourth)
    change_feed(shop, ended.source_id, lease_until=None)
    with committed():
        wake_next(ended)

    assert calls == [third]
    assert called_at(shop, third) is not None
    assert called_at(shop, fourth) is None


def test_one_that_ends_calls_for_another_tenants_that_waits_for_its_host(
    api: ApiClient,
    other_api: ApiClient,
    shop: Tenant,
    other_shop: Tenant,
    create: CreateFeed,
    *,
    calls: list[str],
    committed: Committed,
) -> None:
    ended = taken(shop, queued(api, create, 1)[0])
    taken(shop, queued(api, create, 1)[0])
    waiting = queued(other_api, create, 1)[0]
    claim(other_shop.id, waiting)
    change_feed(shop, ended.source_id, lease_until=None)
    with committed():
        wake_next(ended)

    assert calls == [waiting]


def test_while_there_is_no_room_nobody_is_called(
    api: ApiClient, shop: Tenant, create: CreateFeed, calls: list[str], committed: Committed
) -> None:
    first, second, third = queued(api, create, 3)
    busy = taken(shop, first)
    taken(shop, second)
    claim(shop.id, third)
    with committed():
        wake_next(busy)

    assert calls == []


def test_the_sweep_calls_for_those_that_wait(
    api: ApiClient, shop: Tenant, create: CreateFeed, calls: list[str], committed: Committed
) -> None:
    *claimed, waiting = queued(api, create, 3)
    for run_id in claimed:
        taken(shop, run_id)
    claim(shop.id, waiting)
    with committed():
        due.sync_due()

    assert calls == [waiting]


@pytest.mark.parametrize(("minutes_ago", "is_called"), [(9, False), (11, True), (-5, True)])
def test_a_call_that_nobody_heard_is_made_again_after_ten_minutes(
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    calls: list[str],
    *,
    committed: Committed,
    minutes_ago: int,
    is_called: bool,
) -> None:
    """One that lies in the future was made by a clock that was set back since."""
    (run_id,) = queued(api, create, 1)
    with project_scope(shop.id):
        at = timezone.now() - timedelta(minutes=minutes_ago)
        SyncRun.objects.for_project(shop.id).filter(id=run_id).update(called_at=at)
    with committed():
        due.sync_due()

    assert (run_id in calls) is is_called


def test_all_that_wait_are_done_in_the_end(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    queued(api, create, 5)
    work(shop)

    assert len(feed.asked) == 5
    assert feed.most_at_once == 1


def test_the_limits_are_shown(api: ApiClient) -> None:
    limits = api.get("/v1/project").json()["limits"]

    assert (limits["syncs_at_once"], limits["syncs_per_minute"]) == (claims.PER_PROJECT, PER_PROJECT_A_MINUTE)
