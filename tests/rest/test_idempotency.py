"""A POST with an Idempotency-Key has one effect and one answer, however often it is sent."""

import dataclasses
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test.client import encode_multipart

from apps.rest.idempotency import Attempt, hash_of_body
from tests.api_client import ApiClient
from tests.rest.toys import ToyCaller, ToyStore, scopes_ended, things_made

BODY = {"name": "صندوق بخور"}


def test_the_same_request_again_gets_the_stored_answer(api: ApiClient) -> None:
    first = api.post("/v1/things", BODY, idempotency_key="order-1")
    second = api.post("/v1/things", BODY, idempotency_key="order-1")

    assert len(things_made) == 1
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert [second[name] for name in ("Location", "ETag", "Content-Type")] == [
        first[name] for name in ("Location", "ETag", "Content-Type")
    ]
    assert second["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first


def test_a_replayed_answer_has_an_id_and_a_rate_limit_of_its_own(api: ApiClient) -> None:
    first = api.post("/v1/things", BODY, idempotency_key="k")
    second = api.post("/v1/things", BODY, idempotency_key="k")

    assert first["X-Request-Id"] != second["X-Request-Id"]
    assert first["RateLimit"] != second["RateLimit"]


def test_requests_without_a_key_are_each_their_own(api: ApiClient) -> None:
    api.post("/v1/things", BODY)
    api.post("/v1/things", BODY)

    assert len(things_made) == 2


@pytest.mark.parametrize("other", [{"name": "n"}, {"name": "صندوق بخور "}, {}, b'{"name": "\\u0635"}', b"{"])
def test_the_same_key_with_another_body_is_refused(api: ApiClient, other: Any) -> None:
    api.post("/v1/things", BODY, idempotency_key="k")

    response = api.post("/v1/things", other, idempotency_key="k")

    error = response.json()["error"]
    assert (response.status_code, error["type"], error["code"]) == (
        422,
        "idempotency_error",
        "idempotency_key_reused",
    )
    assert len(things_made) == 1


def test_the_query_belongs_to_the_request(api: ApiClient) -> None:
    api.post("/v1/work", idempotency_key="k")

    assert api.post("/v1/work?strict=true", idempotency_key="k").status_code == 422


@pytest.mark.parametrize(("key", "path"), [("read+write", "/v1/things"), ("read+write+search", "/v1/uploads")])
def test_a_key_belongs_to_caller_and_path(api: ApiClient, key: str, path: str) -> None:
    api.post("/v1/things", BODY, idempotency_key="k")

    response = ApiClient(key).post(path, BODY, idempotency_key="k")

    assert response.status_code == 201
    assert "Idempotent-Replayed" not in response


@pytest.mark.parametrize("path", ["/v1/fail/bug", "/v1/fail/app_error", "/v1/fail/database_down"])
def test_a_failed_request_may_be_sent_again(api: ApiClient, path: str) -> None:
    first = api.post(path, idempotency_key="k")
    second = api.post(path, idempotency_key="k")

    assert first.status_code == second.status_code
    assert "Idempotent-Replayed" not in second
    assert ToyStore.records == {}


def test_a_refused_body_may_be_corrected_under_the_same_key(api: ApiClient) -> None:
    assert api.post("/v1/things", {"name": ""}, idempotency_key="k").status_code == 400

    assert api.post("/v1/things", BODY, idempotency_key="k").status_code == 201


def test_a_request_whose_twin_still_runs_is_told_to_wait(api: ApiClient) -> None:
    api.post("/v1/things", BODY, idempotency_key="k")
    next(iter(ToyStore.records.values())).sealed_answer = None

    response = api.post("/v1/things", BODY, idempotency_key="k")

    assert response.status_code == 409
    assert response["Retry-After"] == "1"
    assert response.json()["error"]["code"] == "idempotency_request_running"


def test_an_attempt_that_lost_its_claim_has_no_effect(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyStore, "complete", lambda *_: False)

    response = api.post("/v1/things", BODY, idempotency_key="k")

    assert response.status_code == 409
    assert scopes_ended == ["prj_toy rolled back"]


def test_a_failure_to_free_the_key_does_not_hide_the_first_failure(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(ToyStore, "abandon", fail)

    assert api.post("/v1/things", {"name": ""}, idempotency_key="k").status_code == 400


@pytest.mark.parametrize("key", ["", " ", "a b", "مفتاح", "x" * 256, "a\tb", "a\x7f"])
def test_a_key_must_be_visible_ascii(api: ApiClient, key: str) -> None:
    response = api.post("/v1/things", BODY, idempotency_key=key)

    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_idempotency_key")
    assert things_made == []


@pytest.mark.parametrize("key", ["x", "x" * 255, "!~#,;=\"'", "0f8fad5b-d9cb-469f-a165-70867728950e"])
def test_any_visible_ascii_is_a_key(api: ApiClient, key: str) -> None:
    assert api.post("/v1/things", BODY, idempotency_key=key).status_code == 201


def test_other_methods_ignore_the_header(api: ApiClient) -> None:
    assert api.get("/v1/things", idempotency_key="").status_code == 200


# --- forms --------------------------------------------------------------------------------------------------


def send_form(api: ApiClient, boundary: str, content: bytes = b"a\nb") -> Any:
    form = {"name": "n", "file": SimpleUploadedFile("list.txt", content, "text/plain")}
    body = encode_multipart(boundary, form)
    content_type = f"multipart/form-data; boundary={boundary}"
    return api.request("POST", "/v1/uploads", body, content_type=content_type, idempotency_key="k")


def test_a_form_is_the_same_whatever_its_boundary(api: ApiClient) -> None:
    send_form(api, "first")

    assert send_form(api, "second")["Idempotent-Replayed"] == "true"


def test_a_form_with_another_file_is_another_request(api: ApiClient) -> None:
    send_form(api, "first")

    assert send_form(api, "first", b"other").status_code == 422


# --- sealing ------------------------------------------------------------------------------------------------

ATTEMPT = Attempt(ToyCaller("prj_1", "key_1", frozenset()), "POST", "/v1/api_keys", "order-1", b"h" * 32)


@pytest.fixture
def sealed() -> bytes:
    return ATTEMPT.seal(HttpResponse(b"mwd_live_secret", status=201, headers={"Location": "/v1/api_keys/1"}))


def test_what_is_stored_holds_neither_the_answer_nor_the_key(sealed: bytes) -> None:
    assert b"mwd_live_secret" not in sealed
    assert b"order-1" not in sealed + ATTEMPT.key_hash


def test_a_sealed_answer_opens_to_the_same_answer(sealed: bytes) -> None:
    opened = ATTEMPT.unseal(sealed)

    assert (opened.status_code, opened.content, opened["Location"]) == (
        201,
        b"mwd_live_secret",
        "/v1/api_keys/1",
    )


@pytest.mark.parametrize(
    "change",
    [
        {"caller": ToyCaller("prj_2", "key_1", frozenset())},
        {"caller": ToyCaller("prj_1", "key_2", frozenset())},
        {"path": "/v1/secrets"},
        {"key": "order-2"},
        {"body_hash": b"i" * 32},
    ],
)
def test_a_sealed_answer_opens_nowhere_else(sealed: bytes, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidTag):
        dataclasses.replace(ATTEMPT, **change).unseal(sealed)


@pytest.mark.parametrize("position", [0, 11, 12, 40, -1])
def test_an_edited_answer_does_not_open(sealed: bytes, position: int) -> None:
    edited = bytearray(sealed)
    edited[position] ^= 1

    with pytest.raises(InvalidTag):
        ATTEMPT.unseal(bytes(edited))


def test_the_same_answer_is_sealed_differently_each_time(sealed: bytes) -> None:
    assert ATTEMPT.seal(HttpResponse(b"x")) != ATTEMPT.seal(HttpResponse(b"x"))


def test_neighbouring_parts_do_not_run_into_each_other() -> None:
    assert hash_of_body("a", "bc", b"") != hash_of_body("ab", "c", b"")
