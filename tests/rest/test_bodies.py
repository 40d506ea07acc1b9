"""Bodies are counted on raw bytes before anything parses them, and must be what they say (A-4)."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from apps.rest import bodies
from apps.rest.views import BODY_LIMIT, KNOWLEDGE_BODY_LIMIT
from tests.api_client import ApiClient
from tests.rest.toys import things_made


def json_of_size(size: int) -> bytes:
    start, end = b'{"name": "n", "sample": "', b'"}'
    return start + b"x" * (size - len(start) - len(end)) + end


def send_chunked(path: str, body: bytes, **environment: Any) -> Any:
    """A request as a server hands it on when the body came in chunks: no length, a stream that ends by itself."""
    client = Client(raise_request_exception=False)
    request = {
        "PATH_INFO": path,
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": "application/json",
        "HTTP_AUTHORIZATION": "Bearer write",
        "HTTP_TRANSFER_ENCODING": "chunked",
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        **environment,
    }
    return client.request(**request)


@pytest.mark.conformance("KA-111")
@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/v1/things", BODY_LIMIT, 201),
        ("/v1/things", BODY_LIMIT + 1, 413),
        ("/v1/echo", KNOWLEDGE_BODY_LIMIT, 200),
        ("/v1/echo", KNOWLEDGE_BODY_LIMIT + 1, 413),
    ],
)
def test_a_body_may_be_as_large_as_the_view_says(api: ApiClient, path: str, size: int, status: int) -> None:
    assert api.post(path, json_of_size(size)).status_code == status


@pytest.mark.conformance("KA-111")
@pytest.mark.parametrize(("size", "status"), [(BODY_LIMIT, 201), (BODY_LIMIT + 1, 413)])
def test_a_chunked_body_is_counted_too(size: int, status: int) -> None:
    assert send_chunked("/v1/things", json_of_size(size)).status_code == status


def test_a_chunked_body_that_lies_about_its_length_is_counted_by_what_arrives() -> None:
    response = send_chunked("/v1/things", json_of_size(BODY_LIMIT + 1), CONTENT_LENGTH="10")

    assert response.status_code == 413


def test_too_large_a_body_says_how_much_is_allowed(api: ApiClient) -> None:
    error = api.post("/v1/things", json_of_size(BODY_LIMIT + 1)).json()["error"]

    assert (error["type"], error["code"]) == ("payload_too_large", "request_too_large")
    assert str(BODY_LIMIT) in error["message"]


def test_a_body_over_the_limit_is_not_taken_in_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_DROPPED_AT_MOST", 0)
    body = BytesIO(json_of_size(20 * BODY_LIMIT))
    send_chunked("/v1/things", b"", **{"wsgi.input": body})

    assert body.tell() == BODY_LIMIT + 1


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/html",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/merge-patch+json",
        "application/json; charset=utf-16",
        "application/jsonp",
        "application",
        "",
        ";",
        "text/json",
    ],
)
def test_a_body_of_another_type_is_415(api: ApiClient, content_type: str) -> None:
    response = api.request("POST", "/v1/things", b'{"name": "n"}', content_type=content_type)

    assert response.status_code == 415
    assert response.json()["error"]["code"] == "unsupported_media_type"
    assert response.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
    ],
)
def test_json_may_be_announced_in_every_common_way(api: ApiClient, content_type: str) -> None:
    assert api.request("POST", "/v1/things", b'{"name": "n"}', content_type=content_type).status_code == 201


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "identity, gzip", "x"])
def test_a_coded_body_is_415(api: ApiClient, coding: str) -> None:
    response = api.post("/v1/things", {"name": "n"}, content_encoding=coding)

    assert response.status_code == 415
    assert response.json()["error"]["code"] == "unsupported_content_encoding"


@pytest.mark.parametrize("coding", ["gzip, chunked", "chunked, chunked", "x, chunked"])
def test_a_body_coded_for_its_transfer_is_415(coding: str) -> None:
    response = send_chunked("/v1/things", b'{"name": "n"}', HTTP_TRANSFER_ENCODING=coding)

    assert response.status_code == 415


def test_the_coding_identity_is_none(api: ApiClient) -> None:
    assert api.post("/v1/things", {"name": "n"}, content_encoding="Identity").status_code == 201


def test_a_body_that_ends_early_is_refused_and_nothing_is_made(api: ApiClient) -> None:
    response = Client().request(
        PATH_INFO="/v1/things",
        REQUEST_METHOD="POST",
        CONTENT_TYPE="application/json",
        CONTENT_LENGTH="100",
        HTTP_AUTHORIZATION="Bearer write",
        **{"wsgi.input": BytesIO(b'{"name": "n"}')},
    )

    assert response.json()["error"]["code"] == "incomplete_body"
    assert things_made == []


@pytest.mark.parametrize("length", ["-1", "+5", "٣", "9" * 19])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    response = Client().request(
        PATH_INFO="/v1/things",
        REQUEST_METHOD="POST",
        CONTENT_TYPE="application/json",
        CONTENT_LENGTH=length,
        HTTP_AUTHORIZATION="Bearer write",
        **{"wsgi.input": BytesIO(b'{"name": "n"}')},
    )

    assert response.status_code == 400


@pytest.mark.parametrize("path", ["/v1/work", "/v1/things"])
def test_no_body_counts_as_an_empty_object(api: ApiClient, path: str) -> None:
    without, empty = api.request("POST", path, content_type="text/plain"), api.post(path, {})

    assert without.status_code == empty.status_code


def test_an_operation_without_fields_takes_none(api: ApiClient) -> None:
    error = api.post("/v1/work", {"force": True}).json()["error"]

    assert (error["code"], error["param"]) == ("unknown_field", "force")


def left_of(size: int, **environment: Any) -> int:
    """How many bytes of a body stay unread when a request is refused before its body is looked at."""
    stream = BytesIO(b"x" * size)
    send_chunked("/v1/nothing/here", b"", **{"wsgi.input": stream, **environment})
    return size - stream.tell()


def test_what_a_refusal_left_unread_is_read_and_dropped() -> None:
    assert left_of(3_000_000) == 0


def test_what_is_dropped_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_DROPPED_AT_MOST", 100_000)
    assert left_of(3_000_000) > 2_000_000
