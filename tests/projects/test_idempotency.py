"""Idempotency keys on real rows: one effect, one answer, and no secret stored in clear."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from apps.projects.models import ApiKey, IdempotencyRecord
from apps.projects.scoping import project_scope
from apps.projects.services import forget_old_idempotency_records
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key

BODY = {"name": "agent", "scopes": ["search"]}


def create(client: ApiClient, key: str = "once", body: Any = BODY) -> Any:
    return client.post("/v1/api_keys", body, idempotency_key=key)


def keys_named(tenant: Tenant, name: str = "agent") -> int:
    with project_scope(tenant.id):
        return ApiKey.objects.for_project(tenant.id).filter(name=name).count()


@pytest.mark.conformance("A-5")
def test_the_same_request_twice_has_one_effect_and_one_answer(api: ApiClient, shop: Tenant) -> None:
    first, second = create(api), create(api)

    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert second["Location"] == first["Location"]
    assert second["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first
    assert keys_named(shop) == 1


def test_another_body_under_the_same_key_is_refused(api: ApiClient, shop: Tenant) -> None:
    create(api)

    answer = create(api, body={**BODY, "name": "other"})

    assert answer.status_code == 422
    assert answer.json()["error"]["type"] == "idempotency_error"
    assert keys_named(shop, "other") == 0


def test_a_refused_request_may_be_sent_again_corrected(api: ApiClient) -> None:
    assert create(api, body={**BODY, "scopes": []}).status_code == 400
    assert create(api).status_code == 201


@pytest.mark.conformance("I-6")
def test_the_same_key_of_another_api_key_is_another_request(api: ApiClient, shop: Tenant) -> None:
    _, text = make_key(shop, name="second")
    create(api)

    assert create(ApiClient(text)).status_code == 201
    assert keys_named(shop) == 2


@pytest.mark.conformance("I-6")
def test_the_same_key_of_another_project_is_another_request(api: ApiClient, other_api: ApiClient) -> None:
    assert create(api).json()["id"] != create(other_api).json()["id"]


def test_after_a_day_the_key_is_free(api: ApiClient, shop: Tenant) -> None:
    create(api)

    with time_machine.travel(timezone.now() + timedelta(hours=24, seconds=1), tick=False):
        assert "Idempotent-Replayed" not in create(api)
    assert keys_named(shop) == 2


def test_a_request_that_still_runs_is_not_started_again(api: ApiClient, shop: Tenant) -> None:
    create(api)
    _make_unfinished(shop)

    answer = create(api)

    assert answer.status_code == 409
    assert int(answer["Retry-After"]) > 0


def test_a_request_whose_process_died_can_be_sent_again(api: ApiClient, shop: Tenant) -> None:
    create(api)
    _make_unfinished(shop)

    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False):
        assert create(api).status_code == 201


def _make_unfinished(tenant: Tenant) -> None:
    with project_scope(tenant.id):
        IdempotencyRecord.objects.for_project(tenant.id).update(sealed_answer=None)


@pytest.mark.conformance("K-1")
def test_the_stored_answer_cannot_be_read_from_the_database(api: ApiClient, shop: Tenant) -> None:
    text = create(api, key="my-order-17").json()["key"]

    with project_scope(shop.id):
        record = IdempotencyRecord.objects.for_project(shop.id).get()
        stored = b"".join(
            bytes(value or b"") for value in (record.sealed_answer, record.key_hash, record.body_hash)
        )
    assert text.encode() not in stored
    assert b"my-order-17" not in stored


def test_old_records_are_forgotten(api: ApiClient, shop: Tenant) -> None:
    create(api)

    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        assert forget_old_idempotency_records() == 1


@pytest.fixture
def crowd() -> Iterator[list[threading.Thread]]:
    threads: list[threading.Thread] = []
    yield threads
    for thread in threads:
        thread.join(10)


@pytest.mark.conformance("A-5")
@pytest.mark.django_db(transaction=True)
def test_the_same_request_at_the_same_time_has_one_effect(
    api: ApiClient, shop: Tenant, crowd: list[threading.Thread]
) -> None:
    answers: list[Any] = []
    start = threading.Barrier(6)

    def send() -> None:
        start.wait()
        answers.append(create(api))
        connection.close()

    crowd.extend(threading.Thread(target=send) for _ in range(6))
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join(20)

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert keys_named(shop) == 1
