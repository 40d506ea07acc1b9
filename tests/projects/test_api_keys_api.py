"""`/v1/api_keys`: keys are shown once, give no more than the asking key has, and end when they are told to."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from apps.kernel import hooks
from apps.projects.models import ApiKey, AuditEntry
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key


def create(client: ApiClient, **fields: Any) -> Any:
    return client.post("/v1/api_keys", {"name": "agent", "scopes": ["search"], **fields})


def test_a_created_key_works(api: ApiClient) -> None:
    answer = create(api, scopes=["read"])

    assert answer.status_code == 201
    assert answer["Location"] == f"/v1/api_keys/{answer.json()['id']}"
    assert ApiClient(answer.json()["key"]).get("/v1/project").status_code == 200


@pytest.mark.conformance("K-1")
def test_a_key_is_shown_only_when_it_is_made(api: ApiClient) -> None:
    key = create(api).json()

    assert "key" not in api.get(f"/v1/api_keys/{key['id']}").json()
    assert key["key"] not in api.get("/v1/api_keys").content.decode()


@pytest.mark.conformance("K-1")
def test_the_database_holds_no_usable_key(api: ApiClient, shop: Tenant) -> None:
    text = create(api, name="hidden").json()["key"]

    with project_scope(shop.id):
        stored = str(list(ApiKey.objects.for_project(shop.id).values())) + str(
            list(AuditEntry.objects.for_project(shop.id).values())
        )
    assert text not in stored
    assert text[-20:] not in stored


def test_keys_are_listed_newest_first(api: ApiClient) -> None:
    first, second = create(api, name="first").json(), create(api, name="second").json()

    listed = [key["id"] for key in api.get("/v1/api_keys").json()["data"]]
    assert listed[:2] == [second["id"], first["id"]]


@pytest.mark.conformance("K-4")
def test_a_revoked_key_ends_at_once(api: ApiClient) -> None:
    key = create(api, scopes=["read"]).json()

    assert api.delete(f"/v1/api_keys/{key['id']}").status_code == 204
    assert ApiClient(key["key"]).get("/v1/project").status_code == 401
    assert api.get(f"/v1/api_keys/{key['id']}").status_code == 404


def test_an_expired_key_ends(api: ApiClient) -> None:
    expiry = timezone.now() + timedelta(hours=1)
    key = create(api, scopes=["read"], expires_at=expiry.isoformat()).json()

    with time_machine.travel(expiry + timedelta(seconds=1), tick=False):
        assert ApiClient(key["key"]).get("/v1/project").status_code == 401


def test_an_expiry_in_the_past_is_refused(api: ApiClient) -> None:
    answer = create(api, expires_at="2020-01-01T00:00:00Z")

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "expiry_in_the_past"


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"name": ""}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes[0]"),
        ({"scopes": ["read", "read"]}, "scopes[1]"),
        ({"scopes": "read"}, "scopes"),
        ({"source_ids": []}, "source_ids"),
        ({"source_ids": [7]}, "source_ids[0]"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"expires_at": "2030-01-01T00:00:00"}, "expires_at"),
        ({"expires_at": 1}, "expires_at"),
        ({"key": "mwd_live_x"}, "key"),
    ],
)
def test_a_faulty_key_is_refused(api: ApiClient, fields: dict[str, Any], param: str) -> None:
    answer = create(api, **fields)

    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == param


@pytest.mark.conformance("KA-002", "I-5")
def test_an_unknown_source_is_refused_like_one_of_another_project(api: ApiClient) -> None:
    answer = create(api, source_ids=["ks_01k6rz2n5q8t1w4z7c0f3h6k9m"])

    assert answer.status_code == 404
    error = answer.json()["error"]
    assert (error["code"], error["param"]) == ("knowledge_source_not_found", "source_ids[0]")


@pytest.mark.conformance("K-9")
@pytest.mark.parametrize("scopes", [["read"], ["search", "write"], ["search", "read", "write"]])
def test_a_key_cannot_make_one_with_more_scopes(shop: Tenant, scopes: list[str]) -> None:
    _, text = make_key(shop, scopes=("write",))

    answer = create(ApiClient(text), scopes=scopes)

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "key_stronger_than_own"


@pytest.mark.conformance("K-9")
def test_a_key_that_ends_cannot_make_one_that_does_not(shop: Tenant) -> None:
    _, text = make_key(shop, expires_at=timezone.now() + timedelta(days=1))

    assert create(ApiClient(text)).status_code == 403


@pytest.mark.conformance("K-9")
def test_a_key_cannot_rotate_a_stronger_one(shop: Tenant) -> None:
    strong, _ = make_key(shop)
    _, weak = make_key(shop, scopes=("write",))

    assert ApiClient(weak).post(f"/v1/api_keys/{strong.id}/rotate").status_code == 403


@pytest.mark.conformance("K-8")
def test_after_a_rotation_both_keys_work_for_a_day(api: ApiClient) -> None:
    old = create(api, scopes=["read"]).json()

    new = api.post(f"/v1/api_keys/{old['id']}/rotate").json()

    assert new["rotated_from"] == old["id"]
    assert ApiClient(new["key"]).get("/v1/project").status_code == 200
    assert ApiClient(old["key"]).get("/v1/project").status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=24, seconds=1), tick=False):
        assert ApiClient(old["key"]).get("/v1/project").status_code == 401
        assert ApiClient(new["key"]).get("/v1/project").status_code == 200


@pytest.mark.conformance("K-8")
def test_a_rotation_does_not_lengthen_a_life(api: ApiClient) -> None:
    expiry = timezone.now() + timedelta(hours=1)
    old = create(api, expires_at=expiry.isoformat()).json()

    api.post(f"/v1/api_keys/{old['id']}/rotate")

    assert api.get(f"/v1/api_keys/{old['id']}").json()["expires_at"] == old["expires_at"]


@pytest.mark.conformance("K-5")
def test_last_use_is_written_at_most_once_a_minute(api: ApiClient) -> None:
    key = create(api, scopes=["read"]).json()
    client = ApiClient(key["key"])
    start = timezone.now()

    def use(seconds: int) -> Any:
        """What is shown of the last use after one so many seconds from the start."""
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            client.get("/v1/project")
            return api.get(f"/v1/api_keys/{key['id']}").json()["last_used_at"]

    first, within_the_minute, after_it = use(0), use(59), use(61)

    assert first == within_the_minute < after_it


@pytest.mark.conformance("K-5")
def test_a_request_does_not_wait_for_whoever_holds_its_key(shop: Tenant, transactional_db: None) -> None:
    with ThreadPoolExecutor(1) as pool, project_scope(shop.id):
        ApiKey.objects.for_project(shop.id).select_for_update().get()
        # The patience is only there so that a request that waits does not hang the suite.
        answer = pool.submit(answered, ApiClient(shop.key)).result(timeout=30)

    assert answer == (200, None)


def answered(client: ApiClient) -> tuple[int, Any]:
    """The status of a request in a thread of its own, and the last use of the only key as it shows it."""
    try:
        status = client.get("/v1/project").status_code
        [key] = client.get("/v1/api_keys").json()["data"]
        return status, key["last_used_at"]
    finally:
        connection.close()


@pytest.mark.conformance("K-7")
def test_a_key_limited_to_sources_is_of_no_use_elsewhere(shop: Tenant) -> None:
    known = hooks.known_sources.add(lambda _, ids: set(ids))
    _, text = make_key(shop, source_ids=["ks_01k6rz2n5q8t1w4z7c0f3h6k9m"])
    hooks.known_sources.remove(known)
    client = ApiClient(text)

    assert [client.get("/v1/project").status_code, client.get("/v1/api_keys").status_code] == [403, 403]
    assert create(client).status_code == 403


@pytest.mark.conformance("A-9")
def test_making_and_revoking_keys_is_audited(api: ApiClient, shop: Tenant) -> None:
    key = create(api).json()
    api.delete(f"/v1/api_keys/{key['id']}")

    with project_scope(shop.id):
        deeds = AuditEntry.objects.for_project(shop.id).filter(target=key["id"]).order_by("at")
        assert [deed.action for deed in deeds] == ["api_key.created", "api_key.revoked"]


def test_the_etag_of_a_key_does_not_move_with_its_use(api: ApiClient) -> None:
    key = create(api, scopes=["read"]).json()
    seen = api.get(f"/v1/api_keys/{key['id']}")["ETag"]

    ApiClient(key["key"]).get("/v1/project")

    assert api.delete(f"/v1/api_keys/{key['id']}", if_match=seen).status_code == 204
