"""Callbacks of jobs: signed, tried three times, and never sent to where a tenant may not reach."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.gateway import tasks
from apps.gateway.jobs import callbacks, work
from apps.gateway.jobs.callbacks import Heard, Plan, heard_from, plan
from apps.gateway.models import AgentClient, CallbackStatus
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.receiver import Receiver, Reply
from tests.gateway.jobs.conftest import Submit, change_row, row_of

Ended = Callable[..., str]


@pytest.fixture
def ended(submit: Submit, shop: Tenant, receiver: Receiver) -> Ended:
    """A job that is done and has its callback before it; its id."""

    def make(**changed: Any) -> str:
        job_id = str(submit(**{"callback_url": receiver.url, **changed}).json()["job_id"])
        work.run_job(shop.id, job_id)
        return job_id

    return make


@pytest.fixture
def secret(api: ApiClient, agent_client: AgentClient) -> str:
    """The client's callback secret."""
    return str(api.post(f"/v1/agent_clients/{agent_client.id}/rotate_token").json()["callback_secret"])


# --- rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "heard"),
    [
        (200, Heard(has_it=True)),
        (204, Heard(has_it=True)),
        (301, Heard(has_it=False)),
        (400, Heard(has_it=False, is_final=True)),
        (404, Heard(has_it=False, is_final=True)),
        (410, Heard(has_it=False, is_final=True)),
        (429, Heard(has_it=False)),
        (500, Heard(has_it=False)),
        (503, Heard(has_it=False)),
    ],
)
def test_what_an_answer_means(status: int, heard: Heard) -> None:
    assert heard_from(status) == heard


@pytest.mark.parametrize(
    ("attempts", "heard", "planned"),
    [
        (1, Heard(has_it=True), Plan(CallbackStatus.DELIVERED)),
        (1, Heard(has_it=False), Plan(CallbackStatus.PENDING, wait=2)),
        (2, Heard(has_it=False), Plan(CallbackStatus.PENDING, wait=10)),
        (3, Heard(has_it=False), Plan(CallbackStatus.FAILED)),
        (3, Heard(has_it=True), Plan(CallbackStatus.DELIVERED)),
        (1, Heard(has_it=False, is_final=True), Plan(CallbackStatus.FAILED)),
    ],
)
def test_how_it_goes_on_after_an_attempt(attempts: int, heard: Heard, planned: Plan) -> None:
    assert plan(attempts, heard) == planned


# --- sending ------------------------------------------------------------------------------------------------


def test_a_callback_brings_the_job_as_it_is_read(ended: Ended, backend: ApiClient, receiver: Receiver) -> None:
    job_id = ended()

    tasks.send_callbacks()

    [request] = receiver.received
    assert json.loads(request.body) == backend.get(f"/jobs/{job_id}").json()
    assert request.headers["content-type"] == "application/json"


def test_a_callback_is_signed_over_time_and_body(secret: str, submit: Submit, shop: Tenant, api: ApiClient) -> None:
    body = '{"status": "تم"}'.encode()

    headers = callbacks.signed_headers(secret, body, timestamp=1_767_225_600)

    expected = hmac.new(secret.encode(), b"1767225600." + body, hashlib.sha256).hexdigest()
    assert headers == {"X-Bailing-Signature": f"sha256={expected}", "X-Bailing-Timestamp": "1767225600"}


def test_the_receiver_can_verify_it(
    shop: Tenant, api: ApiClient, agent_client: AgentClient, ended: Ended, receiver: Receiver
) -> None:
    ended()
    secret = api.post(f"/v1/agent_clients/{agent_client.id}/rotate_token").json()["callback_secret"]

    tasks.send_callbacks()

    [request] = receiver.received
    timestamp = request.headers["x-bailing-timestamp"]
    message = f"{timestamp}.".encode() + request.body
    signature = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    assert request.headers["x-bailing-signature"] == f"sha256={signature}"
    assert abs(time.time() - int(timestamp)) < 60


def test_a_callback_that_arrived_is_not_sent_again(ended: Ended, shop: Tenant, receiver: Receiver) -> None:
    job_id = ended()

    tasks.send_callbacks()
    tasks.send_callbacks()

    job = row_of(shop, job_id)
    assert (job.callback_status, job.callback_attempts, job.next_callback_at) == ("delivered", 1, None)
    assert len(receiver.received) == 1


def test_a_callback_that_failed_is_sent_again_when_its_time_has_come(
    ended: Ended, shop: Tenant, receiver: Receiver, callback_calls: list[float]
) -> None:
    receiver.replies(Reply(status=500), Reply(status=503), Reply())
    job_id = ended()
    callback_calls.clear()

    tasks.send_callbacks()
    waiting = row_of(shop, job_id)
    tasks.send_callbacks()

    assert len(receiver.received) == 1
    assert (waiting.callback_status, waiting.callback_attempts) == ("pending", 1)
    assert callback_calls == [2.0]

    change_row(shop, job_id, next_callback_at=timezone.now())
    tasks.send_callbacks()
    change_row(shop, job_id, next_callback_at=timezone.now())
    tasks.send_callbacks()

    assert callback_calls == [2.0, 10.0]
    assert row_of(shop, job_id).callback_status == "delivered"


def test_after_three_attempts_it_is_given_up(
    ended: Ended, shop: Tenant, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_TIME_UNIT_MS = 1
    receiver.replies(Reply(status=500))
    job_id = ended()

    for _ in range(8):
        tasks.send_callbacks()
        time.sleep(0.02)

    job = row_of(shop, job_id)
    assert (job.callback_status, job.callback_attempts) == ("failed", 3)
    assert job.status == "done"
    assert len(receiver.received) == 3


def test_a_receiver_that_refuses_is_not_asked_again(ended: Ended, shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(status=404))
    job_id = ended()

    tasks.send_callbacks()

    assert (row_of(shop, job_id).callback_status, row_of(shop, job_id).callback_attempts) == ("failed", 1)


def test_a_redirect_is_not_followed(ended: Ended, shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(status=307, headers={"Location": f"{receiver.origin}/elsewhere"}))
    job_id = ended()

    tasks.send_callbacks()

    assert [request.path for request in receiver.received] == ["/hooks"]
    assert row_of(shop, job_id).callback_status == "pending"


def test_an_origin_that_is_no_longer_trusted_is_not_called(
    ended: Ended, shop: Tenant, receiver: Receiver, settings: Settings
) -> None:
    job_id = ended()
    settings.OUTBOUND_TRUSTED_ORIGINS = frozenset()

    tasks.send_callbacks()

    assert receiver.received == []
    assert row_of(shop, job_id).callback_attempts == 1


def test_a_job_without_a_callback_tells_nobody(ended: Ended, shop: Tenant, receiver: Receiver) -> None:
    job_id = ended(callback_url=None)

    tasks.send_callbacks()

    assert receiver.received == []
    assert row_of(shop, job_id).callback_status is None


def test_a_job_that_was_rejected_tells_so(
    submit: Submit, shop: Tenant, api: ApiClient, agent_client: AgentClient, receiver: Receiver
) -> None:
    job_id = submit(callback_url=receiver.url).json()["job_id"]
    api.patch(f"/v1/agent_clients/{agent_client.id}", {"allowed_routes": []})
    work.run_job(shop.id, job_id)

    tasks.send_callbacks()

    assert json.loads(receiver.received[0].body)["status"] == "rejected"


def test_a_secret_that_no_longer_opens_sends_nothing(
    ended: Ended, shop: Tenant, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.vault.cipher import BrokenSealError

    def broken(_: Any) -> str:
        raise BrokenSealError

    monkeypatch.setattr(callbacks, "callback_secret_of", broken)
    job_id = ended()

    tasks.send_callbacks()

    assert receiver.received == []
    assert row_of(shop, job_id).callback_status == "failed"


# --- workers ------------------------------------------------------------------------------------------------


def test_a_callback_that_a_worker_has_is_left_to_it(ended: Ended, shop: Tenant) -> None:
    job_id = ended()
    now = timezone.now()

    assert [claim.job_id for claim in callbacks.claim_due(now)] == [job_id]
    assert callbacks.claim_due(now) == []


def test_a_callback_whose_worker_was_lost_is_sent_by_another(ended: Ended, shop: Tenant) -> None:
    job_id = ended()
    now = timezone.now()
    [lost] = callbacks.claim_due(now)
    [taken] = callbacks.claim_due(now + callbacks.LEASE)

    callbacks.settle(lost, Heard(has_it=False, is_final=True), now)

    assert row_of(shop, job_id).callback_status == "pending"
    callbacks.settle(taken, Heard(has_it=True), now)
    assert row_of(shop, job_id).callback_status == "delivered"


def test_one_project_has_so_many_under_way(ended: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "PER_PROJECT", 2)
    for number in range(3):
        ended(request_id=str(number))
    now = timezone.now()

    assert len(callbacks.claim_due(now)) == 2
    assert callbacks.claim_due(now) == []
    assert len(callbacks.claim_due(now + callbacks.LEASE + timedelta(seconds=1))) == 2


@pytest.mark.django_db(transaction=True)
def test_a_job_that_ends_calls_for_its_callback(shop: Tenant, ended: Ended, callback_calls: list[float]) -> None:
    ended()

    assert callback_calls == [0.0]
