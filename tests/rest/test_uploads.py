"""Documented uploads: one file and text fields, read strictly and in memory."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.rest.views import KNOWLEDGE_BODY_LIMIT
from tests.api_client import ApiClient
from tests.rest.toys import things_made

TYPE = "multipart/form-data; boundary=X"


def part(name: str, content: bytes, extra: str = "", headers: str = "") -> bytes:
    disposition = f'Content-Disposition: form-data; name="{name}"{extra}\r\n{headers}\r\n'
    return b"--X\r\n" + disposition.encode() + content + b"\r\n"


def file_part(content: bytes = b"a\nb", name: str = "file", headers: str = "Content-Type: text/plain\r\n") -> bytes:
    return part(name, content, '; filename="list.txt"', headers)


END = b"--X--\r\n"
NAME = part("name", "قائمة".encode())


def send(api: ApiClient, body: bytes, method: str = "POST", content_type: str = TYPE) -> Any:
    return api.request(method, "/v1/uploads", body, content_type=content_type)


def test_a_form_brings_its_file_and_its_text(api: ApiClient) -> None:
    response = send(api, NAME + file_part() + END)

    assert response.json() == {
        "id": "1",
        "name": "قائمة",
        "file_name": "list.txt",
        "media_type": "text/plain",
        "size": 3,
    }


def test_a_form_made_by_a_client_library_is_taken(api: ApiClient) -> None:
    form = {"name": "n", "file": SimpleUploadedFile("قائمة.csv", b"a;b", "text/csv")}

    assert api.upload("PUT", "/v1/uploads", form).json()["file_name"] == "قائمة.csv"


@pytest.mark.parametrize("content", [b"", b"\0\xff\xfe", b"-X--", b"\r\n\r\n", "ع".encode("utf-16")])
def test_the_bytes_of_a_file_arrive_untouched(api: ApiClient, content: bytes) -> None:
    send(api, NAME + file_part(content) + END)

    assert things_made[0]["file"].content == content


def test_the_charset_of_a_file_is_kept(api: ApiClient) -> None:
    send(api, NAME + file_part(headers="Content-Type: text/plain; charset=windows-1256\r\n") + END)

    assert things_made[0]["file"].charset == "windows-1256"


REFUSED = [
    (NAME + END, "required", "file"),
    (file_part() + END, "required", "name"),
    (NAME + part("file", b"text") + END, "not_a_file", "file"),
    (NAME + NAME + file_part() + END, "repeated_field", "name"),
    (NAME + file_part() + file_part() + END, "repeated_field", "file"),
    (NAME + file_part() + file_part(name="other") + END, "unknown_field", "other"),
    (NAME + file_part() + part("colour", b"red") + END, "unknown_field", "colour"),
    (file_part(name="name") + file_part() + END, "not_a_string", "name"),
    (part("name", b"\xff") + file_part() + END, "not_utf8", "name"),
    (part("name", b"a\0b") + file_part() + END, "forbidden_character", "name"),
    (part("name", b"\xed\xa0\x80") + file_part() + END, "not_utf8", "name"),
    (part("name", b"   ") + file_part() + END, "blank", "name"),
]


@pytest.mark.parametrize(("body", "code", "param"), REFUSED)
def test_a_faulty_form_is_refused_by_field(api: ApiClient, body: bytes, code: str, param: str) -> None:
    response = send(api, body)

    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, code, param)
    assert things_made == []


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (NAME + file_part(), TYPE),
        (NAME + file_part() + b"--X", TYPE),
        (b"--Y--", TYPE),
        (b"garbage", TYPE),
        (NAME + file_part() + END, "multipart/form-data"),
        (NAME + file_part() + END, "multipart/form-data; boundary="),
        (NAME + file_part() + END, "multipart/form-data; boundary=" + "x" * 300),
        (NAME + file_part() + END, 'multipart/form-data; boundary="\u00e9"'),
        (NAME + file_part(b"%%%", headers="Content-Transfer-Encoding: base64\r\n") + END, TYPE),
        (b"--X\r\n" + b"A" * 5_000 + b"\r\n\r\nx\r\n" + END, TYPE),
        (b"".join(part(f"f{number}", b"x") for number in range(1_500)) + END, TYPE),
        (b"".join(file_part(name=f"f{number}") for number in range(200)) + END, TYPE),
    ],
)
def test_a_form_that_cannot_be_read_is_400(api: ApiClient, body: bytes, content_type: str) -> None:
    response = send(api, body, content_type=content_type)

    assert response.status_code == 400
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert things_made == []


@pytest.mark.conformance("KA-111")
@pytest.mark.parametrize(("spare", "status"), [(0, 201), (-1, 413)])
def test_a_form_may_be_as_large_as_the_view_says(api: ApiClient, spare: int, status: int) -> None:
    room = KNOWLEDGE_BODY_LIMIT - len(NAME + file_part(b"") + END) - spare

    assert send(api, NAME + file_part(b"x" * room) + END).status_code == status


@pytest.mark.parametrize(
    ("method", "content_type", "status"),
    [("POST", "application/json", 201), ("PUT", "application/json", 415), ("PUT", "text/plain", 415)],
)
def test_json_is_taken_only_where_it_is_documented(
    api: ApiClient, method: str, content_type: str, status: int
) -> None:
    assert send(api, b'{"name": "n"}', method, content_type).status_code == status


def test_an_empty_upload_misses_its_fields(api: ApiClient) -> None:
    error = send(api, b"", "PUT").json()["error"]

    assert {fault["param"] for fault in error["errors"]} == {"name", "file"}
