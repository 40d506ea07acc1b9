"""Authentication: one answer for every bad key, whatever is wrong with it."""

import pytest

from apps.projects.keys import new_key
from apps.projects.scoping import project_scope
from apps.projects.services import delete_project, revoke_key
from apps.rest import throttles
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key

GOOD = "mwd_live_abcdefgh_"
BAD_HEADERS = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer  ",
    "Bearer x",
    "Basic dXNlcjpwYXNz",
    "bearer mwd_live_",
    "Bearer mwd_live_abcdefgh_" + "0" * 49,
    "Bearer mwd_test_abcdefgh_" + "0" * 49,
    "Bearer " + "a" * 10_000,
    "Bearer مفتاح",
    "Bearer \u0661\u0662",
    "Bearer null",
    "Bearer %00",
    "Bearer {key} {key}",
    "Bearer {key}, Bearer {key}",
    "Bearer {key}x",
    "Bearer x{key}",
    "Token {key}",
    "{key}",
    "Bearer\t{key}",
    "Bearer: {key}",
]


def body_without_request_id(answer: object) -> object:
    error = answer.json()["error"]  # type: ignore[attr-defined] # a Django response
    return {**error, "request_id": None}


@pytest.mark.conformance("KA-012")
def test_a_good_key_is_let_in(shop: Tenant) -> None:
    assert ApiClient(shop.key).get("/v1/project").status_code == 200


def test_the_scheme_may_be_written_in_any_case(shop: Tenant) -> None:
    assert ApiClient(None).get("/v1/project", authorization=f"bearer {shop.key}").status_code == 200


@pytest.mark.conformance("K-2", "KA-012")
@pytest.mark.parametrize("header", BAD_HEADERS)
def test_every_bad_header_gets_the_same_answer(shop: Tenant, stranger: ApiClient, header: str) -> None:
    answer = stranger.get("/v1/project", authorization=header.format(key=shop.key))

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert body_without_request_id(answer) == body_without_request_id(stranger.get("/v1/project"))


@pytest.mark.conformance("K-2")
def test_a_well_formed_key_nobody_made_gets_it_too(db: None) -> None:
    assert ApiClient(new_key().text).get("/v1/project").status_code == 401


@pytest.mark.conformance("K-2")
def test_the_key_of_a_deleted_project_gets_it_too(shop: Tenant) -> None:
    delete_project(shop.id)

    assert ApiClient(shop.key).get("/v1/project").status_code == 401


@pytest.mark.conformance("K-2")
def test_a_revoked_key_gets_it_too(shop: Tenant) -> None:
    key, text = make_key(shop)
    with project_scope(shop.id):
        revoke_key(key, actor="operator")

    assert ApiClient(text).get("/v1/project").status_code == 401


@pytest.mark.conformance("K-10")
def test_a_key_in_the_query_string_does_not_count(shop: Tenant, stranger: ApiClient) -> None:
    assert stranger.get(f"/v1/project?key={shop.key}").status_code == 401
    assert stranger.get(f"/v1/project?api_key={shop.key}&authorization=Bearer {shop.key}").status_code == 401


@pytest.mark.conformance("K-11")
def test_guessing_keys_is_slowed_down(shop: Tenant, stranger: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "MAX_BAD_CREDENTIALS_PER_ADDRESS", 3)

    statuses = [stranger.get("/v1/project").status_code for _ in range(4)]

    assert statuses == [401, 401, 401, 429]
    assert ApiClient(shop.key).get("/v1/project").status_code == 200
