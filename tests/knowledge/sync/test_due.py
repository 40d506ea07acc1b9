"""The look of every minute: due sources, clocks that were set back, and what is kept of runs."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.knowledge import services, tasks
from apps.knowledge.models import Feed as FeedRow
from apps.knowledge.models import SyncRun
from apps.knowledge.sync import due
from apps.knowledge.sync.claims import claim
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import Feed
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import change_feed, feed_row, runs, time_comes, work


def synced(create: CreateFeed, tenant: Tenant, **fields: Any) -> str:
    source_id = str(create(**fields)["id"])
    work(tenant)
    return source_id


@pytest.mark.conformance("KA-077", "R-4")
def test_looking_twice_queues_once(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    time_comes(shop, source_id)

    assert (due.sync_due(), due.sync_due()) == (1, 0)
    assert len(runs(api, source_id)) == 2


def test_a_source_with_an_open_run_is_not_due(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = create()["id"]
    time_comes(shop, source_id)

    assert due.sync_due() == 0


def test_sources_of_all_projects_are_queued(
    api: ApiClient, other_api: ApiClient, shop: Tenant, other_shop: Tenant, create: CreateFeed
) -> None:
    for tenant, client in ((shop, api), (other_shop, other_api)):
        time_comes(tenant, synced(create, tenant, client=client))

    assert due.sync_due() == 2


def test_projects_take_turns(
    shop: Tenant,
    other_shop: Tenant,
    api: ApiClient,
    other_api: ApiClient,
    create: CreateFeed,
    *,
    calls: list[str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    for tenant, client in ((shop, api), (shop, api), (shop, api), (other_shop, other_api)):
        time_comes(tenant, synced(create, tenant, client=client))
    with django_capture_on_commit_callbacks(execute=True):
        due.sync_due()
    with project_scope(other_shop.id):
        (others,) = SyncRun.objects.for_project(other_shop.id).filter(status="queued").values_list("id", flat=True)

    assert calls.index(others) < 2
    assert len(calls) == 4


def test_the_command_does_what_beat_does(
    shop: Tenant, create: CreateFeed, capsys: pytest.CaptureFixture[str]
) -> None:
    time_comes(shop, synced(create, shop))
    call_command("sync_due")

    assert capsys.readouterr().out == "Queued 1 source(s).\n"


@pytest.mark.conformance("KA-077", "R-7")
def test_an_hour_without_a_look_costs_one_sync_a_source(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop, config={"refresh_minutes": 15})
    change_feed(shop, source_id, next_sync_at=timezone.now() - timedelta(hours=1))
    due.sync_due()
    work(shop)

    assert due.sync_due() == 0
    assert len(runs(api, source_id)) == 2


@pytest.mark.conformance("R-7", "W-8")
@pytest.mark.parametrize(("minutes", "again"), [(9, 0), (11, 1)])
def test_a_run_whose_call_nobody_heard_is_called_for_again(
    minutes: int,
    again: int,
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    *,
    calls: list[str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    run_id = runs(api, create()["id"])[0]["id"]
    with project_scope(shop.id):
        called_at = timezone.now() - timedelta(minutes=minutes)
        SyncRun.objects.for_project(shop.id).filter(id=run_id).update(called_at=called_at)
    with django_capture_on_commit_callbacks(execute=True):
        due.sync_due()

    assert calls == [run_id] * again


# --- a clock that was set back ------------------------------------------------------------------------------


@pytest.mark.conformance("R-7")
def test_a_clock_set_back_by_an_hour_delays_no_sync_by_more_than_its_interval(
    shop: Tenant, create: CreateFeed
) -> None:
    source_id = synced(create, shop, config={"refresh_minutes": 15})
    later = timezone.now() + timedelta(hours=1)
    change_feed(shop, source_id, last_attempt_at=later, next_sync_at=later + timedelta(minutes=15))
    due.sync_due()
    row = feed_row(shop, source_id)

    assert row.next_sync_at is not None
    assert row.next_sync_at - timezone.now() <= timedelta(minutes=15)


@pytest.mark.conformance("R-7")
def test_a_clock_set_back_does_not_keep_a_dead_workers_lease(
    api: ApiClient, shop: Tenant, create: CreateFeed, settings: Any
) -> None:
    source_id = create()["id"]
    claim(shop.id, runs(api, source_id)[0]["id"])
    change_feed(shop, source_id, lease_until=timezone.now() + timedelta(hours=1))
    due.sync_due()
    row = feed_row(shop, source_id)

    assert row.lease_until is not None
    assert row.lease_until - timezone.now() <= timedelta(seconds=settings.SYNC_LEASE_SECONDS)


@pytest.mark.conformance("R-7")
def test_starts_of_a_later_clock_do_not_use_up_the_minute(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = create()["id"]
    with project_scope(shop.id):
        SyncRun.objects.for_project(shop.id).bulk_create(
            SyncRun(
                project_id=shop.id,
                source_id=source_id,
                trigger="manual",
                status="succeeded",
                started_at=timezone.now() + timedelta(minutes=30),
            )
            for _ in range(90)
        )

    assert claim(shop.id, next(one["id"] for one in runs(api, source_id) if one["status"] == "queued"))


# --- what is kept, and what is measured ---------------------------------------------------------------------


def age(tenant: Tenant, source_id: str, days: int) -> None:
    then = timezone.now() - timedelta(days=days)
    with project_scope(tenant.id):
        SyncRun.objects.for_project(tenant.id).filter(source_id=source_id).update(created_at=then, finished_at=then)


@pytest.mark.parametrize(("days", "kept"), [(29, 2), (31, 1)])
def test_runs_are_kept_for_thirty_days_and_the_last_one_for_good(
    api: ApiClient, shop: Tenant, create: CreateFeed, days: int, kept: int
) -> None:
    source_id = synced(create, shop)
    time_comes(shop, source_id)
    due.sync_due()
    work(shop)
    newest = runs(api, source_id)[0]["id"]
    age(shop, source_id, days)
    services.forget_old_runs()
    left = runs(api, source_id)

    assert len(left) == kept
    assert newest in {one["id"] for one in left}


@pytest.mark.conformance("R-10")
def test_it_is_measured_how_late_sources_are_queued(shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    change_feed(shop, source_id, next_sync_at=timezone.now() - timedelta(seconds=90))
    before = REGISTRY.get_sample_value("mawrid_sync_lateness_seconds_sum") or 0
    due.sync_due()

    assert 90 <= (REGISTRY.get_sample_value("mawrid_sync_lateness_seconds_sum") or 0) - before < 120


@pytest.mark.conformance("R-10")
def test_the_queue_and_lost_workers_are_measured(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = create()["id"]
    with project_scope(shop.id):
        SyncRun.objects.for_project(shop.id).update(created_at=timezone.now() - timedelta(minutes=5))
    due.sync_due()
    age_of_queue = REGISTRY.get_sample_value("mawrid_sync_queue_age_seconds")
    lost = REGISTRY.get_sample_value("mawrid_sync_lost_workers_total") or 0
    claim(shop.id, runs(api, source_id)[0]["id"])
    change_feed(shop, source_id, lease_until=timezone.now())
    due.sync_due()

    assert 299 < (age_of_queue or 0) < 400
    assert REGISTRY.get_sample_value("mawrid_sync_lost_workers_total") == lost + 1


def test_a_deleted_source_takes_its_feed_and_runs_along(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    api.delete(f"/v1/knowledge_sources/{source_id}")
    with project_scope(shop.id):
        left = [model.objects.for_project(shop.id).count() for model in (FeedRow, SyncRun)]

    assert left == [0, 0]


# --- the tasks ----------------------------------------------------------------------------------------------


@pytest.mark.conformance("R-1")
def test_a_lost_message_is_not_run_again_by_the_broker() -> None:
    task = tasks.sync_source

    assert (task.acks_late, task.reject_on_worker_lost, task.max_retries) == (True, False, 0)
    assert (task.soft_time_limit, task.time_limit) == (45, 60)


def test_a_task_does_its_run(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = create()["id"]
    tasks.sync_source(shop.id, runs(api, source_id)[0]["id"])

    assert len(feed.asked) == 1
