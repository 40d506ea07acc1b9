from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.projects.scoping import project_scope
from apps.webhooks.claims import PER_ENDPOINT, PER_PROJECT, Claim, claim, is_claimable
from apps.webhooks.messages import MAX_LOST_CLAIMS
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.retry import AILING_AFTER, LONGEST_PAUSE, Outcome
from apps.webhooks.services import retry_delivery
from apps.webhooks.settling import settle
from tests.factories import Tenant
from tests.webhooks.making import change, deliveries, dispatch, happens, make_endpoint, only_delivery

LEASE = timedelta(seconds=60)
URL = "https://hooks.example.com"


def claimed(limit: int = 100, *, ailing: int = 100, now: datetime | None = None) -> list[Claim]:
    return claim(limit, ailing=ailing, now=now or timezone.now(), lease=LEASE)


def endpoints_with_work(tenant: Tenant, *, endpoints: int, events: int) -> list[Endpoint]:
    made = [make_endpoint(tenant, URL) for _ in range(endpoints)]
    for _ in range(events):
        happens(tenant)
    return made


def test_a_due_delivery_is_claimed_once(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)

    assert [one.delivery_id for one in claimed()] == [only_delivery(shop).id]
    assert claimed() == []


def test_a_claim_says_which_attempt_it_is(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    (one,) = claimed()

    assert (one.project_id, one.number, one.lost_claims) == (shop.id, 1, 0)


def test_what_is_claimed_is_not_claimable(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    before = is_claimable(timezone.now())
    claimed()

    assert (before, is_claimable(timezone.now())) == (True, False)


def test_what_is_not_due_is_left_alone(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    change(shop, next_attempt_at=timezone.now() + timedelta(seconds=1))

    assert claimed() == []


def test_an_endpoint_has_two_places(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=5)

    assert len(claimed()) == PER_ENDPOINT
    assert claimed() == []


def test_a_settled_delivery_frees_its_place(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=5)
    one, _ = claimed()
    settle((one, Outcome(None, 200)))

    assert len(claimed()) == 1


def test_a_project_has_a_bounded_share(shop: Tenant, other_shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=PER_PROJECT - 1, events=2)
    endpoints_with_work(other_shop, endpoints=1, events=1)

    assert Counter(one.project_id for one in claimed()) == {shop.id: PER_PROJECT, other_shop.id: 1}
    assert claimed() == []


def test_projects_take_turns(shop: Tenant, other_shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=5, events=2)
    endpoints_with_work(other_shop, endpoints=1, events=1)

    assert {one.project_id for one in claimed(2)} == {shop.id, other_shop.id}


def test_endpoints_take_turns(shop: Tenant) -> None:
    first, second = endpoints_with_work(shop, endpoints=2, events=4)

    assert {one.endpoint_id for one in claimed(2)} == {first.id, second.id}


def ail(endpoint: Endpoint, **state: Any) -> None:
    state = {"failures": AILING_AFTER, **state}
    with project_scope(endpoint.project_id):
        Endpoint.objects.for_project(endpoint.project_id).filter(id=endpoint.id).update(**state)


def test_an_ailing_endpoint_has_one_place(shop: Tenant) -> None:
    (endpoint,) = endpoints_with_work(shop, endpoints=1, events=4)
    ail(endpoint)

    assert [one.is_ailing for one in claimed()] == [True]
    assert claimed() == []


@pytest.mark.parametrize(
    ("failures", "seconds", "may_go_on"),
    [
        (AILING_AFTER - 1, 0, True),
        (AILING_AFTER, 0.9, False),
        (AILING_AFTER, 1, True),
        (AILING_AFTER + 1, 1.9, False),
        (AILING_AFTER + 1, 2, True),
        (AILING_AFTER + 9, LONGEST_PAUSE - 0.1, False),
        (AILING_AFTER + 9, LONGEST_PAUSE, True),
        (2_000_000_000, LONGEST_PAUSE, True),
    ],
)
def test_an_ailing_endpoint_is_left_alone_after_a_failure(
    shop: Tenant, *, failures: int, seconds: float, may_go_on: bool
) -> None:
    (endpoint,) = endpoints_with_work(shop, endpoints=1, events=1)
    now = timezone.now()
    ail(endpoint, failures=failures, last_failure_at=now - timedelta(seconds=seconds))

    assert bool(claimed(now=now)) is may_go_on


def test_a_pause_ends_when_a_person_asks(shop: Tenant) -> None:
    (endpoint,) = endpoints_with_work(shop, endpoints=1, events=1)
    ail(endpoint, last_failure_at=timezone.now())
    with project_scope(shop.id):
        retry_delivery(only_delivery(shop))

    assert len(claimed()) == 1


def test_ailing_endpoints_share_a_part_of_the_senders(shop: Tenant) -> None:
    first, second, sound = endpoints_with_work(shop, endpoints=3, events=1)
    ail(first)
    ail(second)

    assert sorted(one.endpoint_id == sound.id for one in claimed(ailing=1)) == [False, True]


def test_sound_endpoints_are_found_behind_ailing_ones(shop: Tenant, other_shop: Tenant) -> None:
    (endpoint,) = endpoints_with_work(shop, endpoints=1, events=6)
    ail(endpoint)
    endpoints_with_work(other_shop, endpoints=1, events=1)

    assert [one.project_id for one in claimed(ailing=0)] == [other_shop.id]


def test_one_endpoint_with_a_flood_does_not_hide_another(shop: Tenant, other_shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=6)
    endpoints_with_work(other_shop, endpoints=1, events=1)

    assert Counter(one.project_id for one in claimed()) == {shop.id: PER_ENDPOINT, other_shop.id: 1}


def test_a_lease_that_ran_out_is_claimed_anew(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    claimed()
    (again,) = claimed(now=timezone.now() + LEASE * 2)

    assert (again.number, again.lost_claims) == (2, 1)


@pytest.mark.conformance("W-6", "R-10")
def test_the_result_of_a_lost_lease_is_dropped(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    (late,) = claimed()
    (current,) = claimed(now=timezone.now() + LEASE * 2)
    lost = REGISTRY.get_sample_value("mawrid_webhook_lost_leases_total") or 0

    assert settle((late, Outcome("timeout"))) == 0
    assert REGISTRY.get_sample_value("mawrid_webhook_lost_leases_total") == lost + 1
    assert settle((current, Outcome(None, 200))) == 1
    assert [attempt["error"] for attempt in only_delivery(shop).attempts] == [None]


@pytest.mark.usefixtures("quick")
def test_a_delivery_that_loses_its_worker_each_time_counts_as_failed(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    change(shop, lost_claims=MAX_LOST_CLAIMS - 1, lease_until=timezone.now() - LEASE)
    dispatch()

    assert [attempt["error"] for attempt in only_delivery(shop).attempts] == ["worker_lost"]
    assert only_delivery(shop).lost_claims == 0


def test_a_result_after_the_deletion_of_the_endpoint_is_dropped(shop: Tenant) -> None:
    (endpoint,) = endpoints_with_work(shop, endpoints=1, events=1)
    (one,) = claimed()
    with project_scope(shop.id):
        endpoint.delete()

    assert settle((one, Outcome(None, 200))) == 0


def test_a_success_after_the_cancelling_is_kept(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    (one,) = claimed()
    change(shop, status="cancelled", next_attempt_at=None)
    settle((one, Outcome(None, 200)))

    assert only_delivery(shop).status == "succeeded"


def test_only_the_last_attempts_are_kept(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=1, events=1)
    change(shop, attempts=[{"error": "old"}] * 50)
    (one,) = claimed()
    settle((one, Outcome(None, 200)))
    attempts = only_delivery(shop).attempts

    assert len(attempts) == 50
    assert attempts[-1]["error"] is None


@pytest.mark.conformance("W-6")
@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_share_the_places(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=3, events=8)

    def work(_: int) -> list[Claim]:
        try:
            return [one for _ in range(4) for one in claimed(4)]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        taken = [one for claims_of_one in workers.map(work, range(4)) for one in claims_of_one]

    assert len({one.delivery_id for one in taken}) == len(taken) == 3 * PER_ENDPOINT


@pytest.mark.django_db(transaction=True)
def test_workers_together_send_everything_once(shop: Tenant) -> None:
    endpoints_with_work(shop, endpoints=3, events=8)

    def work(_: int) -> int:
        try:
            return sum(_settled(claimed(4)) for _ in range(40))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        sent = sum(workers.map(work, range(4)))

    assert sent == 24
    assert {delivery.status for delivery in deliveries(shop)} == {"succeeded"}
    with project_scope(shop.id):
        assert Delivery.objects.for_project(shop.id).filter(claims=1).count() == 24


def _settled(taken: list[Claim]) -> int:
    return settle(*((one, Outcome(None, 200)) for one in taken))
