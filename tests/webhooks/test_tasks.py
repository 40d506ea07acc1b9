from datetime import timedelta

import pytest
import redis
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client import REGISTRY
from pytest_django import Settings

from apps.projects.scoping import project_scope
from apps.projects.services import delete_project
from apps.webhooks import tasks
from apps.webhooks.models import Delivery, Event
from config.celery import app
from tests.factories import Tenant
from tests.fakes.receiver import Receiver
from tests.webhooks.making import change, deliveries, happens, make_endpoint, only_delivery

URL = "https://hooks.example.com"


def test_the_schedule_names_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values() if ".webhooks." in entry["task"]}

    assert scheduled == {"apps.webhooks.tasks.sweep_deliveries", "apps.webhooks.tasks.forget_old_records"}
    assert scheduled <= set(app.tasks)


@pytest.mark.conformance("S-2")
def test_a_call_is_a_message_without_arguments(valkey: "redis.Redis") -> None:
    tasks.call_worker()

    assert valkey.llen("webhooks") == 1
    assert b"dispatch_deliveries" in valkey.lrange("webhooks", 0, 0)[0]


def test_without_a_broker_a_call_fails_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.dispatch_deliveries, "apply_async", refuse)

    tasks.call_worker()


@pytest.mark.conformance("W-8")
@pytest.mark.usefixtures("quick")
def test_no_event_is_lost_when_redis_is_wiped(shop: Tenant, receiver: Receiver, valkey: "redis.Redis") -> None:
    make_endpoint(shop, receiver.url)
    event = happens(shop)
    tasks.call_worker()
    valkey.flushall()
    tasks.sweep_deliveries()

    assert receiver.ids == [event.id]


@pytest.mark.conformance("R-10")
def test_the_sweep_measures_what_waits(shop: Tenant, settings: Settings) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 0
    make_endpoint(shop, URL)
    happens(shop)
    happens(shop)
    change(shop, next_attempt_at=timezone.now() - timedelta(seconds=90))
    tasks.sweep_deliveries()

    assert REGISTRY.get_sample_value("mawrid_webhook_deliveries_pending") == 2
    assert 90 <= (REGISTRY.get_sample_value("mawrid_webhook_outbox_age_seconds") or 0) < 120


def test_old_events_and_deliveries_are_forgotten(shop: Tenant) -> None:
    make_endpoint(shop, URL)
    old = happens(shop)
    recent = happens(shop)
    long_ago = timezone.now() - timedelta(days=30, minutes=1)
    with project_scope(shop.id):
        Event.objects.for_project(shop.id).filter(id=old.id).update(created_at=long_ago)
        Delivery.objects.for_project(shop.id).filter(event=old).update(created_at=long_ago)
    tasks.forget_old_records()

    with project_scope(shop.id):
        assert [event.id for event in Event.objects.for_project(shop.id)] == [recent.id]
    assert [delivery.event_id for delivery in deliveries(shop)] == [recent.id]


def test_forgetting_goes_on_until_nothing_old_is_left(shop: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.webhooks.services._FORGET_AT_ONCE", 2)
    for _ in range(5):
        happens(shop)
    with project_scope(shop.id):
        Event.objects.for_project(shop.id).update(created_at=timezone.now() - timedelta(days=31))
    tasks.forget_old_records()

    with project_scope(shop.id):
        assert Event.objects.for_project(shop.id).count() == 0


def test_the_deletion_of_a_project_takes_its_deliveries_along(shop: Tenant) -> None:
    make_endpoint(shop, URL)
    happens(shop)
    delivery = only_delivery(shop)
    delete_project(shop.id)

    with project_scope(shop.id):
        assert not Delivery.objects.for_project(shop.id).filter(id=delivery.id).exists()
