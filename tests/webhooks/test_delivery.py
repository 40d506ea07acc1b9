"""The dispatcher against real receivers on loopback."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import standardwebhooks
import svix.webhooks
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings

from apps.outbound import parse_trusted_origins
from apps.projects.scoping import project_scope
from apps.webhooks import events, services
from apps.webhooks.delivery import PATIENCE_SECONDS
from apps.webhooks.models import Endpoint, SigningSecret
from apps.webhooks.retry import SCHEDULE
from apps.webhooks.sending import send
from tests.factories import Tenant
from tests.fakes.receiver import Receiver, Reply
from tests.webhooks.conftest import StartReceiver
from tests.webhooks.making import (
    change,
    deliveries,
    dispatch,
    dispatch_by_itself,
    dispatch_until_settled,
    endpoint_now,
    happens,
    make_due,
    make_endpoint,
    make_endpoint_with_secret,
    only_delivery,
    wait_for,
)

pytestmark = pytest.mark.usefixtures("quick")

FAILING = Reply(500, b"broken")


def seconds_until_next(shop: Tenant) -> float:
    next_attempt_at = only_delivery(shop).next_attempt_at
    assert next_attempt_at is not None
    return (next_attempt_at - timezone.now()).total_seconds()


# --- one attempt --------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-105", "KA-114", "W-1")
def test_a_failed_sync_arrives_signed(shop: Tenant, receiver: Receiver) -> None:
    _, secret = make_endpoint_with_secret(shop, receiver.url, ["knowledge_source.sync_failed"])
    event = happens(shop, consecutive_failures=2)
    dispatch()
    (request,) = receiver.received

    assert request.headers["content-type"] == "application/json"
    assert request.headers["webhook-id"] == event.id
    assert (
        standardwebhooks.Webhook(secret).verify(request.body, request.headers)["data"]["consecutive_failures"] == 2
    )
    svix.webhooks.Webhook(secret).verify(request.body, request.headers)


def test_a_success_is_written_down(shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    delivery = only_delivery(shop)

    assert (delivery.status, delivery.next_attempt_at, delivery.lease_until) == ("succeeded", None, None)
    assert [(a["http_status"], a["error"], a["response"]) for a in delivery.attempts] == [(200, None, "ok")]


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_every_status_of_the_200s_is_a_success(shop: Tenant, receiver: Receiver, status: int) -> None:
    receiver.replies(Reply(status, b""))
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert only_delivery(shop).status == "succeeded"


@pytest.mark.parametrize(
    ("reply", "error", "http_status"),
    [
        (Reply(500), "http_status", 500),
        (Reply(404), "http_status", 404),
        (Reply(304, b""), "redirect_refused", 304),
        (Reply(None), "connection_failed", None),
    ],
)
def test_everything_else_is_a_failure_that_is_tried_again(
    shop: Tenant, receiver: Receiver, reply: Reply, error: str, http_status: int | None
) -> None:
    receiver.replies(reply)
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    delivery = only_delivery(shop)

    assert (delivery.status, len(delivery.attempts)) == ("pending", 1)
    assert (delivery.attempts[0]["error"], delivery.attempts[0]["http_status"]) == (error, http_status)
    assert 3 < seconds_until_next(shop) < 7


def test_a_silent_receiver_times_out_and_gets_a_breather(
    shop: Tenant, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 0.3
    receiver.replies(Reply(after=2))
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["error"] == "timeout"
    assert 50 < seconds_until_next(shop) < 61


def test_retry_after_is_heard(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(503, headers={"Retry-After": "3600"}))
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert 7 < seconds_until_next(shop) < 13


@pytest.mark.conformance("W-4")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_its_target_is_not_visited(
    shop: Tenant, start_receiver: StartReceiver, status: int
) -> None:
    receiver, target = start_receiver(), start_receiver()
    receiver.replies(Reply(status, headers={"Location": target.url}))
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["error"] == "redirect_refused"
    assert not target.received


@pytest.mark.conformance("W-4", "C-2")
def test_an_address_is_judged_again_when_it_is_sent_to(
    shop: Tenant, receiver: Receiver, settings: Settings
) -> None:
    make_endpoint(shop, receiver.url)
    settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins("")
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["error"] == "url_refused"
    assert not receiver.received


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b"x" * 5_000, "x" * 1_024),
        (b"a\0b\x07c\nd", "a\ufffdb\ufffdc\nd"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        ("تم".encode(), "تم"),
        (b"", ""),
    ],
)
def test_the_beginning_of_an_answer_is_kept_as_text(
    shop: Tenant, receiver: Receiver, body: bytes, shown: str
) -> None:
    receiver.replies(Reply(body=body))
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["response"] == shown


def test_an_unreachable_receiver_is_tried_again(shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    receiver.close()
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["error"] == "connection_failed"


def test_a_broken_signing_secret_sends_nothing(shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    with project_scope(shop.id):
        SigningSecret.objects.for_project(shop.id).update(sealed=b"garbage")
    happens(shop)
    dispatch()

    assert only_delivery(shop).attempts[0]["error"] == "signing_secret_unusable"
    assert not receiver.received


# --- several attempts ---------------------------------------------------------------------------------------


@pytest.mark.conformance("W-2", "W-6")
def test_all_attempts_send_the_same_bytes_under_the_same_id(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING, FAILING, Reply())
    _, secret = make_endpoint_with_secret(shop, receiver.url)
    event = happens(shop, consecutive_failures=1)
    dispatch_until_settled(shop, rounds=3)

    assert [request.body for request in receiver.received] == [event.body.encode()] * 3
    assert receiver.ids == [event.id] * 3
    assert [json.loads(request.body)["id"] for request in receiver.received] == [event.id] * 3
    for request in receiver.received:
        standardwebhooks.Webhook(secret).verify(request.body, request.headers)
    assert only_delivery(shop).status == "succeeded"


def test_the_schedule_ends_after_ten_attempts(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING)
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch_until_settled(shop, rounds=len(SCHEDULE) + 3)
    delivery = only_delivery(shop)

    assert (delivery.status, delivery.next_attempt_at) == ("failed", None)
    assert len(receiver.received) == len(SCHEDULE) + 1


def test_a_short_wait_is_waited_for(shop: Tenant, receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 3
    settings.WEBHOOK_TIME_UNIT_MS = 20
    receiver.replies(FAILING, Reply())
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()

    assert only_delivery(shop).status == "succeeded"


def test_one_worker_alone_waits_for_a_retry(shop: Tenant, receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 3
    settings.WEBHOOK_TIME_UNIT_MS = 20
    receiver.replies(FAILING, Reply())
    make_endpoint(shop, receiver.url)
    happens(shop)
    cache.set("webhooks:lingering", "", timeout=10)
    dispatch()

    assert only_delivery(shop).status == "pending"


# --- endpoints that are given up ----------------------------------------------------------------------------


@pytest.mark.conformance("W-3")
def test_410_disables_at_once(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(410))
    endpoint = make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    endpoint = endpoint_now(endpoint)

    assert (endpoint.enabled, endpoint.disabled_reason) == (False, "gone")
    assert only_delivery(shop).status == "cancelled"


def test_40_failures_in_a_row_disable(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING)
    endpoint = make_endpoint(shop, receiver.url)
    with project_scope(shop.id):
        Endpoint.objects.for_project(shop.id).update(
            failures=39, failing_since=timezone.now(), last_failure_at=timezone.now() - timedelta(minutes=1)
        )
    happens(shop)
    happens(shop)
    dispatch()
    endpoint = endpoint_now(endpoint)

    assert (endpoint.enabled, endpoint.disabled_reason) == (False, "failures_in_a_row")
    assert {delivery.status for delivery in deliveries(shop)} == {"cancelled"}


def test_5_days_without_a_success_disable(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING)
    endpoint = make_endpoint(shop, receiver.url)
    with project_scope(shop.id):
        Endpoint.objects.for_project(shop.id).update(
            failures=5,
            failing_since=timezone.now() - timedelta(days=5),
            last_failure_at=timezone.now() - timedelta(days=1),
        )
    happens(shop)
    dispatch()

    assert endpoint_now(endpoint).disabled_reason == "no_success"


def test_a_success_ends_the_count_of_failures(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING, Reply())
    endpoint = make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    failures = endpoint_now(endpoint).failures
    make_due(shop)
    dispatch()

    assert (failures, endpoint_now(endpoint).failures) == (1, 0)


def test_a_disabling_is_told_to_the_other_endpoints(shop: Tenant, start_receiver: StartReceiver) -> None:
    gone, other = start_receiver(), start_receiver()
    gone.replies(Reply(410))
    endpoint = make_endpoint(shop, gone.url, ["knowledge_source.sync_failed"])
    make_endpoint(shop, other.url, ["webhook_endpoint.disabled"])
    happens(shop)
    dispatch()
    (request,) = other.received

    assert json.loads(request.body)["type"] == "webhook_endpoint.disabled"
    assert json.loads(request.body)["data"]["endpoint"] == {
        "id": endpoint.id,
        "object": "webhook_endpoint",
        "enabled": False,
        "disabled_reason": "gone",
        "failures_in_a_row": 1,
    }


@pytest.mark.conformance("W-3")
def test_pending_deliveries_of_a_disabled_endpoint_are_never_sent(shop: Tenant, receiver: Receiver) -> None:
    endpoint = make_endpoint(shop, receiver.url)
    happens(shop)
    with project_scope(shop.id):
        services.disable_endpoint(endpoint, "manual", actor="operator")
    dispatch()

    assert only_delivery(shop).status == "cancelled"
    assert not receiver.received


@pytest.mark.conformance("W-3")
def test_a_delivery_that_slipped_past_the_disabling_is_cancelled(shop: Tenant, receiver: Receiver) -> None:
    endpoint = make_endpoint(shop, receiver.url)
    happens(shop)
    endpoint.enabled = False
    with project_scope(shop.id):
        endpoint.save(update_fields=["enabled"])
    dispatch()

    assert only_delivery(shop).status == "cancelled"
    assert not receiver.received


@pytest.mark.conformance("W-3")
def test_deliveries_of_a_deleted_endpoint_are_never_sent(shop: Tenant, receiver: Receiver) -> None:
    endpoint = make_endpoint(shop, receiver.url)
    happens(shop)
    with project_scope(shop.id):
        services.delete_endpoint(endpoint, actor="operator")
    dispatch()

    assert not deliveries(shop)
    assert not receiver.received


# --- tests, manual attempts and rotated secrets -------------------------------------------------------------


@pytest.mark.conformance("W-9")
def test_a_test_event_is_marked_and_not_retried(shop: Tenant, start_receiver: StartReceiver) -> None:
    receiver, other = start_receiver(), start_receiver()
    receiver.replies(FAILING)
    endpoint = make_endpoint(shop, receiver.url, ["knowledge_source.created"])
    make_endpoint(shop, other.url)
    with project_scope(shop.id):
        services.send_test(endpoint)
    dispatch_until_settled(shop, rounds=2)
    (request,) = receiver.received

    assert json.loads(request.body)["type"] == "webhook_endpoint.test"
    assert json.loads(request.body)["data"]["test"] is True
    assert only_delivery(shop).status == "failed"
    assert endpoint_now(endpoint).failures == 0
    assert not other.received


def manually_retried(shop: Tenant) -> None:
    with project_scope(shop.id):
        services.retry_delivery(only_delivery(shop))
    dispatch()


@pytest.mark.conformance("W-2")
def test_a_manual_attempt_sends_the_stored_body_signed_anew(shop: Tenant, receiver: Receiver) -> None:
    _, secret = make_endpoint_with_secret(shop, receiver.url)
    happens(shop)
    dispatch()
    manually_retried(shop)
    first, second = receiver.received

    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    standardwebhooks.Webhook(secret).verify(second.body, second.headers)
    assert len(only_delivery(shop).attempts) == 2


def test_a_manual_attempt_does_not_use_up_the_schedule(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING)
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    before = only_delivery(shop)
    manually_retried(shop)
    after = only_delivery(shop)

    assert len(receiver.received) == 2
    assert (after.status, after.scheduled_attempts) == ("pending", 1)
    assert after.next_attempt_at == before.next_attempt_at


def test_a_failed_delivery_can_be_sent_again(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(FAILING, Reply())
    make_endpoint(shop, receiver.url)
    happens(shop)
    change(shop, scheduled_attempts=len(SCHEDULE))
    dispatch()
    failed = only_delivery(shop).status
    manually_retried(shop)

    assert (failed, only_delivery(shop).status) == ("failed", "succeeded")


def test_a_failed_repetition_does_not_undo_a_success(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(), FAILING)
    make_endpoint(shop, receiver.url)
    happens(shop)
    dispatch()
    manually_retried(shop)

    assert only_delivery(shop).status == "succeeded"


def test_a_delivery_under_way_needs_no_second_attempt(shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    happens(shop)
    change(shop, lease_until=timezone.now() + timedelta(minutes=1))
    with project_scope(shop.id):
        services.retry_delivery(only_delivery(shop))

    assert not only_delivery(shop).is_manual


def test_the_old_secret_signs_along_for_24_hours(shop: Tenant, receiver: Receiver) -> None:
    endpoint, old = make_endpoint_with_secret(shop, receiver.url)
    with project_scope(shop.id):
        new = services.rotate_secret(endpoint, actor="operator")
    happens(shop)
    dispatch()
    (request,) = receiver.received

    for secret in (old, new):
        standardwebhooks.Webhook(secret).verify(request.body, request.headers)


def test_the_old_secret_ends(shop: Tenant, receiver: Receiver) -> None:
    endpoint, old = make_endpoint_with_secret(shop, receiver.url)
    with project_scope(shop.id):
        services.rotate_secret(endpoint, actor="operator")
        SigningSecret.objects.for_project(shop.id).exclude(valid_until=None).update(valid_until=timezone.now())
    happens(shop)
    dispatch()
    (request,) = receiver.received

    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(old).verify(request.body, request.headers)


def test_at_most_ten_old_secrets_are_kept(shop: Tenant) -> None:
    endpoint = make_endpoint(shop, "https://hooks.example.com")
    with project_scope(shop.id):
        for _ in range(14):
            services.rotate_secret(endpoint, actor="operator")

        assert SigningSecret.objects.for_project(shop.id).count() == services.MAX_OLD_SECRETS + 1


# --- among each other ---------------------------------------------------------------------------------------


def test_a_slow_receiver_does_not_delay_others(
    shop: Tenant, other_shop: Tenant, start_receiver: StartReceiver, settings: Settings
) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 2
    slow, fast = start_receiver(), start_receiver()
    slow.replies(Reply(after=1.5))
    make_endpoint(shop, slow.url)
    make_endpoint(other_shop, fast.url)
    for _ in range(6):
        happens(shop)
    for _ in range(6):
        happens(other_shop)
    dispatch()

    assert len(fast.received) == 6
    assert max(request.at for request in fast.received) - slow.received[0].at < 1.5


def test_silent_receivers_give_their_places_back(
    shop: Tenant, other_shop: Tenant, start_receiver: StartReceiver, settings: Settings
) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 2
    settings.WEBHOOK_CONCURRENCY = 2
    silent, fast = start_receiver(), start_receiver()
    silent.replies(Reply(after=8 * PATIENCE_SECONDS))
    make_endpoint(shop, silent.url)
    for _ in range(2):
        happens(shop)
    make_endpoint(other_shop, fast.url)
    later = happens(other_shop)
    change(other_shop, next_attempt_at=timezone.now())
    dispatch()

    assert len(silent.received) == 2
    assert fast.ids == [later.id]
    assert fast.received[0].at - silent.received[0].at < 8 * PATIENCE_SECONDS


@pytest.mark.django_db(transaction=True)
def test_a_call_reaches_the_thread_that_claims(shop: Tenant, receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 5
    make_endpoint(shop, receiver.url)
    happens(shop)
    change(shop, next_attempt_at=timezone.now() + timedelta(seconds=4))
    with ThreadPoolExecutor(1) as worker:
        lingering = worker.submit(dispatch_by_itself)
        wait_for(lambda: cache.get("webhooks:lingering") is not None)
        at_once = happens(shop)
        dispatch()
        wait_for(lambda: receiver.received)
        ids = list(receiver.ids)

    assert ids == [at_once.id]
    assert lingering.exception() is None
    assert {delivery.status for delivery in deliveries(shop)} == {"succeeded"}


def test_an_endpoint_gets_at_most_two_at_once(shop: Tenant, receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_DRAIN_SECONDS = 3
    receiver.replies(Reply(after=0.1))
    make_endpoint(shop, receiver.url)
    for _ in range(8):
        happens(shop)
    dispatch()

    assert len(receiver.received) == 8
    assert receiver.most_at_once == 2


@pytest.mark.parametrize("seconds", [0.2, 0.8])
def test_another_worker_is_called_once_time_is_up_and_places_are_free(
    shop: Tenant, receiver: Receiver, seconds: float
) -> None:
    receiver.replies(Reply(after=seconds))
    make_endpoint(shop, receiver.url)
    for _ in range(12):
        happens(shop)

    assert dispatch() == ["called"]


def test_nobody_is_called_when_all_is_done(shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    happens(shop)

    assert dispatch() == []


def test_an_error_of_ours_does_not_stop_the_others(
    shop: Tenant, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = happens_for(shop, receiver)

    def send_all_but_one(message: object, *rest: object) -> object:
        if getattr(message, "id", None) == broken:
            raise ZeroDivisionError
        return send(message, *rest)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr("apps.webhooks.delivery.send", send_all_but_one)
    happens(shop)
    dispatch()

    assert sorted(delivery.attempts[0]["error"] or "" for delivery in deliveries(shop)) == ["", "internal_error"]


def happens_for(shop: Tenant, receiver: Receiver) -> str:
    make_endpoint(shop, receiver.url)
    return happens(shop, events.SOURCE_CREATED).id


@pytest.mark.conformance("W-7", "S-1")
def test_the_signing_secret_is_in_no_message(shop: Tenant, receiver: Receiver) -> None:
    _, secret = make_endpoint_with_secret(shop, receiver.url)
    happens(shop)
    dispatch()
    (request,) = receiver.received

    assert secret.removeprefix("whsec_") not in f"{request}"
