import json
import re
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from apps.projects.scoping import project_scope
from apps.webhooks import events
from apps.webhooks.models import Event
from tests.factories import Tenant
from tests.webhooks.making import SOURCE, deliveries, happens, make_endpoint

URL = "https://hooks.example.com/mawrid"
GUIDE = Path(__file__).parents[2] / "docs" / "webhooks.md"


def payload(event: Event) -> dict[str, object]:
    parsed: dict[str, object] = json.loads(event.body)
    return parsed


@pytest.mark.conformance("W-5")
def test_a_payload_has_the_time_and_what_happened(shop: Tenant) -> None:
    event = happens(shop, consecutive_failures=3)

    assert payload(event) == {
        "id": event.id,
        "type": "knowledge_source.sync_failed",
        "timestamp": event.created_at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "data": {"project_id": shop.id, "source": SOURCE, "consecutive_failures": 3},
    }


def test_every_endpoint_that_wants_an_event_gets_one_delivery(shop: Tenant) -> None:
    wanting = make_endpoint(shop, URL, ["knowledge_source.sync_failed"])
    everything = make_endpoint(shop, URL)
    make_endpoint(shop, URL, ["knowledge_source.created"])
    happens(shop)

    assert {delivery.endpoint_id for delivery in deliveries(shop)} == {wanting.id, everything.id}


def test_endpoints_of_another_project_get_nothing(shop: Tenant, other_shop: Tenant) -> None:
    make_endpoint(other_shop, URL)
    happens(shop)

    assert not deliveries(other_shop)


def test_a_disabled_endpoint_gets_nothing(shop: Tenant) -> None:
    endpoint = make_endpoint(shop, URL)
    endpoint.enabled = False
    with project_scope(shop.id):
        endpoint.save()
    happens(shop)

    assert not deliveries(shop)


def test_an_event_of_a_run_is_recorded_once(shop: Tenant) -> None:
    make_endpoint(shop, URL)
    first = happens(shop, run_id="sync_1")
    again = happens(shop, run_id="sync_1", consecutive_failures=9)

    assert again.id == first.id
    assert len(deliveries(shop)) == 1


def test_another_type_of_the_same_run_is_another_event(shop: Tenant) -> None:
    first = happens(shop, events.SYNC_SUCCEEDED, run_id="sync_1")

    assert happens(shop, events.SYNC_RECOVERED, run_id="sync_1").id != first.id


def test_the_database_itself_refuses_a_second_event_of_a_run(shop: Tenant) -> None:
    happens(shop, run_id="sync_1")

    with project_scope(shop.id), pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.add(project_id=shop.id, type=events.SYNC_FAILED, body="{}", run_id="sync_1")


def test_an_event_goes_with_the_change_that_caused_it(shop: Tenant) -> None:
    make_endpoint(shop, URL)

    def change_that_fails() -> None:
        with transaction.atomic():
            happens(shop)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        change_that_fails()

    assert not deliveries(shop)


def test_a_dispatcher_is_called_when_the_change_is_committed(
    shop: Tenant, calls: list[str], django_capture_on_commit_callbacks: object
) -> None:
    make_endpoint(shop, URL)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]  # a protocol of pytest-django
        happens(shop)
        called_before_commit = list(calls)

    assert (called_before_commit, calls) == ([], ["called"])


def test_nobody_is_called_for_an_event_that_nobody_wants(
    shop: Tenant, calls: list[str], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]  # a protocol of pytest-django
        happens(shop)

    assert not calls


@pytest.mark.conformance("W-7")
@pytest.mark.parametrize("key", ["content", "config"])
def test_content_and_config_of_a_source_never_leave(shop: Tenant, key: str) -> None:
    with pytest.raises(ValueError, match="neither content nor config"):
        happens(shop, source={**SOURCE, key: "x"})


@pytest.mark.conformance("W-7")
def test_a_payload_has_at_most_20_kb(shop: Tenant) -> None:
    with pytest.raises(ValueError, match="longer than 20000 bytes"):
        happens(shop, run={"error": "ط" * 10_001})


def test_an_unknown_type_is_a_mistake(shop: Tenant) -> None:
    with pytest.raises(ValueError, match="unknown event type"):
        happens(shop, "knowledge_source.exploded")


def test_the_types_are_those_of_the_contract() -> None:
    assert set(events.TYPES) == {
        "knowledge_source.created",
        "knowledge_source.updated",
        "knowledge_source.deleted",
        "knowledge_source.sync_failed",
        "knowledge_source.sync_recovered",
        "knowledge_source.sync_succeeded",
        "webhook_endpoint.disabled",
        "webhook_endpoint.test",
    }


def test_the_guide_documents_every_type() -> None:
    rows = re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)

    assert dict(rows) == dict(events.TYPES)
