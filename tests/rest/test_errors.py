"""Every refusal leaves in one envelope, in two languages, and nothing of our inside leaves with it."""

import re
import string
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from apps.kernel.errors import CATALOGUE
from apps.rest.errors import as_refusal, invalid, type_of
from tests.api_client import ApiClient

FAILURES = [
    ("app_error", 400, "invalid_choice"),
    ("not_found", 404, "not_found"),
    ("drf_not_found", 404, "not_found"),
    ("permission", 403, "forbidden"),
    ("suspicious", 400, "malformed_request"),
    ("bad_request", 400, "malformed_request"),
    ("too_big", 413, "request_too_large"),
    ("too_many_fields", 400, "malformed_request"),
    ("multipart", 400, "malformed_request"),
    ("unreadable", 400, "incomplete_body"),
    ("data_error", 400, "unstorable_value"),
    ("database_down", 503, "service_unavailable"),
    ("not_unique", 500, "internal_error"),
    ("deleted_meanwhile", 503, "service_unavailable"),
    ("bug", 500, "internal_error"),
    ("recursion", 500, "internal_error"),
    ("plain_drf", 400, "invalid"),
]


@pytest.mark.parametrize(("failure", "status", "code"), FAILURES)
def test_any_exception_becomes_the_envelope(api: ApiClient, failure: str, status: int, code: str) -> None:
    response = api.get(f"/v1/fail/{failure}")

    error = response.json()["error"]
    assert response.status_code == status
    assert set(error) == {"type", "code", "message", "param", "request_id", "errors"}
    assert (error["code"], error["type"]) == (code, type_of(status))
    assert error["request_id"] == response["X-Request-Id"]
    assert isinstance(error["errors"], list)


@pytest.mark.parametrize("failure", [failure for failure, _, _ in FAILURES])
def test_what_went_wrong_inside_is_not_told(api: ApiClient, failure: str) -> None:
    assert "secret detail" not in api.get(f"/v1/fail/{failure}").content.decode()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (405, "invalid_request_error"),
        (409, "conflict_error"),
        (412, "precondition_failed"),
        (413, "payload_too_large"),
        (415, "invalid_request_error"),
        (422, "idempotency_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (503, "unavailable_error"),
    ],
)
def test_each_status_has_its_type(status: int, kind: str) -> None:
    assert type_of(status) == kind


def test_a_faulty_field_stands_at_the_top_and_in_the_list(api: ApiClient) -> None:
    error = api.get("/v1/fail/app_error").json()["error"]

    assert (error["param"], error["message"]) == ("kind", "This must be one of: text.")
    assert error["errors"] == [{"code": "invalid_choice", "message": "This must be one of: text.", "param": "kind"}]


def test_a_refusal_without_a_field_lists_none(api: ApiClient) -> None:
    error = api.get("/v1/fail/not_found").json()["error"]

    assert (error["param"], error["errors"]) == (None, [])


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/things/",
        "/v1/openapi.json/",
        "/healthz/",
        "/favicon.ico",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_unknown_paths_are_404_in_json_without_a_redirect(api: ApiClient, method: str, path: str) -> None:
    response = api.request(method, path)

    assert (response.status_code, response["Content-Type"]) == (404, "application/json")
    assert response.json()["error"]["code"] == "not_found"


def test_an_unknown_host_is_refused_in_json() -> None:
    response = Client().get("/v1/open", headers={"host": "evil.example"})

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "unknown_host"


def test_a_failure_outside_of_any_view_is_a_500_in_json(settings: Settings) -> None:
    settings.MIDDLEWARE = [settings.MIDDLEWARE[1], "tests.rest.test_errors.failing_middleware"]

    response = Client(raise_request_exception=False).get("/v1/open")

    assert response.status_code == 500
    assert response.json()["error"]["request_id"] == response["X-Request-Id"]


def failing_middleware(get_response: Any) -> Any:
    def fail(request: Any) -> Any:
        raise RuntimeError("secret detail")

    return fail


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("ar", "ar"),
        ("AR-sa", "ar"),
        ("ar-EG,ar;q=0.9,en;q=0.8", "ar"),
        ("en;q=0.8, ar;q=0.9", "ar"),
        ("ar;q=0.5, en", "en"),
        ("fr, ar;q=0.5", "ar"),
        ("ar;q=0", "en"),
        ("en;q=0.5, ar;q=0", "en"),
        ("fr", "en"),
        ("*", "en"),
        ("ar;q=x", "en"),
        ("\u00e9", "en"),
        ("ar," * 2_000, "ar"),
    ],
)
def test_messages_follow_accept_language(anyone: ApiClient, header: str | None, language: str) -> None:
    headers = {} if header is None else {"accept_language": header}

    response = anyone.get("/v1/things", **headers)

    message = CATALOGUE["authentication_required"].message(language, {})
    assert response.json()["error"]["message"] == message
    assert response["Content-Language"] == language


def test_messages_of_fields_follow_accept_language_too(api: ApiClient) -> None:
    error = api.post("/v1/things", {"name": "n" * 21, "colour": 1}, accept_language="ar").json()["error"]

    assert [fault["message"] for fault in error["errors"]] == [
        "النص أطول من 20 محرفًا.",
        "لا يوجد حقل بهذا الاسم هنا.",
    ]


ARABIC = re.compile("[\u0600-\u06ff]")


# Codes of outgoing requests carry the sentences of the guarded client, which has its own test of them.
OWN_SENTENCES = sorted(code for code, entry in CATALOGUE.items() if entry.en != "{en}")


@pytest.mark.parametrize("code", OWN_SENTENCES)
def test_every_code_has_one_sentence_in_each_language_with_the_same_values(code: str) -> None:
    entry = CATALOGUE[code]

    assert re.fullmatch(r"[a-z][a-z0-9_]*", code)
    assert not ARABIC.search(entry.en)
    assert ARABIC.search(entry.ar)
    assert entry.en.endswith(".")
    assert entry.ar.endswith(".")
    assert _names(entry.en) == _names(entry.ar)


def _names(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


class Child(serializers.Serializer[Any]):
    amount = serializers.IntegerField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        raise invalid("invalid_format", example="5")


class Parent(serializers.Serializer[Any]):
    children = Child(many=True)
    rows = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    choice = serializers.ChoiceField(choices=["a"])


def test_plain_fields_of_the_framework_are_flattened_and_translated_too() -> None:
    serializer = Parent(data={"children": [{"amount": 1}, {}, 5], "rows": [[1], [2, "x"]], "choice": "b"})
    serializer.is_valid()

    refusal = as_refusal(ValidationError(serializer.errors))

    assert refusal is not None
    assert {fault.param: fault.code for fault in refusal.errors} == {
        "children[0]": "invalid_format",
        "children[1].amount": "required",
        "children[2]": "invalid",
        "rows[1][1]": "invalid",
        "choice": "invalid",
    }


def test_a_bare_validation_error_names_no_field() -> None:
    refusal = as_refusal(ValidationError([ErrorDetail("x", code="required")]))

    assert refusal is not None
    assert (refusal.code, refusal.param) == ("required", None)
