"""Whatever is sent to whichever operation, the answer is the envelope with a stable code, and nothing is written.

A-1 no 5xx and no HTML, A-2 the limits of JSON, A-4 413 before anything is parsed. The tests' client checks the
envelope of every answer; the cases are those of the API description, so a new operation is covered at once.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, Final

import pytest
from django.apps import apps
from django.test import Client

from apps.projects.scoping import across_projects
from apps.rest.views import BODY_LIMIT, KNOWLEDGE_BODY_LIMIT
from tests.api_client import ApiClient
from tests.description import FORM, JSON, Operation, described, fault_of_answer
from tests.factories import Tenant
from tests.isolation.world import World, sound_call, unknown_id

OPERATIONS: Final = list(described().operations.values())
WITH_BODY: Final = [operation for operation in OPERATIONS if operation.method in {"POST", "PUT", "PATCH"}]
TAKING_JSON: Final = [operation for operation in WITH_BODY if list(operation.body_schemas) != [FORM]]
TAKING_FORMS: Final = [operation for operation in WITH_BODY if FORM in operation.body_schemas]
READS_BY_ID: Final = [operation for operation in OPERATIONS if operation.method == "GET" and operation.path_names]
TAKING_ONLY_FORMS: Final = [operation for operation in WITH_BODY if operation not in TAKING_JSON]


def path_of(operation: Operation) -> str:
    """An address of the operation where nothing is; bodies are refused before anything is looked up."""
    return operation.path.format_map({name: unknown_id(name) for name in operation.path_names})


# One operation of each address.
ADDRESSES: Final = list({operation.path: operation for operation in OPERATIONS}.values())


def limit_of(operation: Operation) -> int:
    return KNOWLEDGE_BODY_LIMIT if operation.path.startswith(("/v1/knowledge", "/v1/documents")) else BODY_LIMIT


def outcome(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def outcomes(answers: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    return {kind: outcome(answer) for kind, answer in answers.items()}


def faulty(answer: Any) -> set[tuple[str, str | None]]:
    """Code and place of every fault that the answer names."""
    return {(fault["code"], fault["param"]) for fault in answer.json()["error"]["errors"]}


@pytest.fixture(autouse=True)
def nothing_is_written(shop: Tenant) -> Iterator[None]:
    """Every request of this file is refused, so no table may have gained or lost a row."""
    before = rows_of_tables()
    yield
    assert rows_of_tables() == before


def rows_of_tables() -> Mapping[str, int]:
    ours = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    with across_projects():
        return {model._meta.db_table: model._base_manager.count() for model in ours}


# --- bodies -------------------------------------------------------------------------------------------------

BODIES: Final[Mapping[str, tuple[bytes, str]]] = {
    "an open brace": (b"{", "invalid_json"),
    "a form": (b"name=x&kind=text", "invalid_json"),
    "a page": (b"<html><body>{}</body></html>", "invalid_json"),
    "two objects": (b"{}{}", "invalid_json"),
    "a trailing comma": (b'{"name": "x",}', "invalid_json"),
    "single quotes": (b"{'name': 'x'}", "invalid_json"),
    "a raw line break in text": (b'{"name": "a\nb"}', "invalid_json"),
    "a raw NUL": (b'{"name": "a\0b"}', "invalid_json"),
    "NaN": (b'{"name": NaN}', "invalid_json"),
    "Infinity": (b'{"name": -Infinity}', "invalid_json"),
    "UTF-16": ('{"name": "x"}'.encode("utf-16"), "invalid_json"),
    "UTF-16 without BOM": ('{"name": "x"}'.encode("utf-16-le"), "invalid_json"),
    "UTF-32": ('{"name": "x"}'.encode("utf-32"), "invalid_json"),
    "Windows-1256": ('{"name": "عود"}'.encode("cp1256"), "invalid_json"),
    "overlong UTF-8": (b'{"name": "\xc0\xaf"}', "invalid_json"),
    "a surrogate in UTF-8": (b'{"name": "\xed\xa0\x80"}', "invalid_json"),
    "only a BOM": (b"\xef\xbb\xbf", "invalid_json"),
    "an unclosed string": (b'{"name": "' + b'\\"' * 50_000, "invalid_json"),
    "a list": (b'[{"name": "x"}]', "body_not_an_object"),
    "an empty list": (b"[]", "body_not_an_object"),
    "a text": (b'"name"', "body_not_an_object"),
    "a number": (b"1e2", "body_not_an_object"),
    "null": (b"null", "body_not_an_object"),
    "true": (b"true", "body_not_an_object"),
    "100,000 lists": (b"[" * 100_000 + b"]" * 100_000, "json_too_deep"),
    "100,000 objects, cut off": (b'{"a":' * 40_000, "json_too_deep"),
    "101 levels": (b'{"a":' + b"[" * 100 + b"]" * 100 + b"}", "json_too_deep"),
    "a number of 1,001 digits": (b'{"limit": ' + b"9" * 1_001 + b"}", "number_out_of_range"),
    "NUL in a value": (b'{"name": "a\\u0000"}', "forbidden_character"),
    "NUL in a key": (b'{"na\\u0000me": "a"}', "forbidden_character"),
    "half a pair in a value": (b'{"name": "\\ud83d"}', "forbidden_character"),
    "half a pair in a key": (b'{"\\udc00": 1}', "forbidden_character"),
    "a pair the wrong way round": (b'{"name": "\\udc00\\ud800"}', "forbidden_character"),
    "half a pair deep inside": (b'{"config": {"a": [{"b": "\\udfff"}]}}', "forbidden_character"),
}


@pytest.mark.conformance("A-1", "A-2")
@pytest.mark.parametrize("operation", TAKING_JSON, ids=str)
def test_a_body_that_is_no_sound_json_object_is_refused(api: ApiClient, operation: Operation) -> None:
    answers = {kind: api.request(operation.method, path_of(operation), body) for kind, (body, _) in BODIES.items()}

    assert outcomes(answers) == {kind: (400, code) for kind, (_, code) in BODIES.items()}


@pytest.mark.conformance("A-1", "A-2")
@pytest.mark.parametrize("operation", TAKING_JSON, ids=str)
def test_a_number_past_every_float_is_no_text_and_no_number_of_ours(api: ApiClient, operation: Operation) -> None:
    fields = operation.description.shape(operation.body_schemas.get(JSON, {})).get("properties", {"x": {}})
    body = ", ".join(f'"{name}": {number}' for name in fields for number in ("1e400", "-1e999999999"))

    assert api.request(operation.method, path_of(operation), f"{{{body}}}".encode()).status_code == 400


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", TAKING_ONLY_FORMS, ids=str)
def test_where_only_forms_are_taken_json_is_not(api: ApiClient, operation: Operation) -> None:
    assert outcome(api.request(operation.method, path_of(operation), b"{}")) == (415, "unsupported_media_type")


UNKNOWN_FIELDS: Final = ["no_such_field", "project_id", "_connector", "name__startswith", "اسم", "x" * 5_000]


@pytest.mark.conformance("A-1", "A-3")
@pytest.mark.parametrize("operation", TAKING_JSON, ids=str)
def test_unknown_fields_are_refused_by_name(api: ApiClient, operation: Operation) -> None:
    answer = api.request(operation.method, path_of(operation), dict.fromkeys(UNKNOWN_FIELDS, 1))

    assert answer.status_code == 400
    assert {("unknown_field", shortened(field)) for field in UNKNOWN_FIELDS} <= faulty(answer)


def shortened(field: str) -> str:
    return field if len(field) <= 200 else field[:200] + "…"


@pytest.mark.conformance("A-1")
def test_a_bom_before_an_object_is_dropped(api: ApiClient) -> None:
    answer = api.patch("/v1/project", b'\xef\xbb\xbf{"no_such_field": 1}')

    assert faulty(answer) == {("unknown_field", "no_such_field")}


WRONG_VALUES: Final[Mapping[str, Any]] = {
    "null": None,
    "true": True,
    "a whole number": 7,
    "a negative number": -1,
    "a fraction": 1.5,
    "an empty text": "",
    "a text": "x",
    "a very long text": "ع" * 20_000,
    "an empty list": [],
    "a list of lists": [[[]]],
    "a list of nulls": [None],
    "an empty object": {},
    "an object of objects": {"a": {"b": {}}},
}


class Nowhere(World):
    """A project in which nothing is made: every id is one that nothing has."""

    def id_of(self, name: str) -> str:
        return unknown_id(name)


def described_fields() -> Iterator[tuple[Operation, str]]:
    for operation in TAKING_JSON:
        for field in operation.description.shape(operation.body_schemas.get(JSON, {})).get("properties", {}):
            yield operation, field


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize(("operation", "field"), list(described_fields()), ids=str)
def test_a_value_that_is_not_described_is_refused_by_its_place(
    shop: Tenant, api: ApiClient, operation: Operation, field: str
) -> None:
    schema = operation.description.shape(operation.body_schemas[JSON])["properties"][field]
    sound = sound_call(operation, Nowhere(shop)).body or {}
    wrong = {kind: value for kind, value in WRONG_VALUES.items() if operation.description.faults(value, schema)}

    answers = {
        kind: api.request(operation.method, path_of(operation), {**sound, field: value})
        for kind, value in wrong.items()
    }

    refused_there = {kind: (answer.status_code, names(answer, field)) for kind, answer in answers.items()}
    assert refused_there == dict.fromkeys(wrong, (400, True))


def names(answer: Any, field: str) -> bool:
    return any((param or "").startswith(field) for _, param in faulty(answer))


# --- sizes, types and codings of bodies ---------------------------------------------------------------------


@pytest.mark.conformance("A-4", "KA-111")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_byte_too_many_is_413(api: ApiClient, operation: Operation) -> None:
    answer = api.request(operation.method, path_of(operation), b" " * (limit_of(operation) + 1))

    assert outcome(answer) == (413, "request_too_large")


@pytest.mark.conformance("A-4")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_byte_too_many_is_413_in_chunks_of_unknown_number_too(shop: Tenant, operation: Operation) -> None:
    body = b" " * (limit_of(operation) + 1)

    answer = raw(shop, operation, body, CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked")

    assert outcome(answer) == (413, "request_too_large")


@pytest.mark.conformance("A-4")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_length_is_believed_before_anything_is_read(shop: Tenant, operation: Operation) -> None:
    answer = raw(shop, operation, b"", CONTENT_LENGTH=str(10**12))

    assert outcome(answer) == (413, "request_too_large")


LENGTHS: Final = ["-1", "1e3", "0x10", "٣", "9" * 30, "5, 5", "abc"]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_length_that_is_no_number_is_refused(shop: Tenant, operation: Operation) -> None:
    answers = {length: raw(shop, operation, b"{}", CONTENT_LENGTH=length) for length in LENGTHS}

    assert outcomes(answers) == dict.fromkeys(LENGTHS, (400, "malformed_request"))


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_body_that_ends_early_is_refused(shop: Tenant, operation: Operation) -> None:
    assert outcome(raw(shop, operation, b"{}", CONTENT_LENGTH="100")) == (400, "incomplete_body")


MEDIA_TYPES: Final = [
    "text/plain",
    "text/html",
    "text/csv",
    "application/xml",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "application/jsonp",
    "application/json-seq",
    "application/json; charset=utf-16",
    "application/json; charset=windows-1256",
    "json",
    "*/*",
    ";",
    "application/json, text/plain",
    "application/" + "x" * 10_000,
    "نص",
]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_foreign_media_type_is_415(shop: Tenant, operation: Operation) -> None:
    answers = {media_type: raw(shop, operation, b"{}", CONTENT_TYPE=media_type) for media_type in MEDIA_TYPES}

    assert outcomes(answers) == dict.fromkeys(MEDIA_TYPES, (415, "unsupported_media_type"))


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize(
    "operation", [operation for operation in WITH_BODY if operation not in TAKING_FORMS], ids=str
)
def test_a_form_is_415_where_none_is_taken(api: ApiClient, operation: Operation) -> None:
    answer = api.upload(operation.method, path_of(operation), {"name": "x"})

    assert outcome(answer) == (415, "unsupported_media_type")


CODINGS: Final = ["gzip", "br", "zstd", "deflate", "gzip, gzip", "identity, gzip", "x"]


@pytest.mark.conformance("A-4")
@pytest.mark.parametrize("operation", WITH_BODY, ids=str)
def test_a_compressed_body_is_415(shop: Tenant, operation: Operation) -> None:
    answers = {coding: raw(shop, operation, b"\x1f\x8b", HTTP_CONTENT_ENCODING=coding) for coding in CODINGS}

    assert outcomes(answers) == dict.fromkeys(CODINGS, (415, "unsupported_content_encoding"))


def part(headers: bytes, content: bytes = b"1") -> bytes:
    return b"--x\r\n" + headers + b"\r\n\r\n" + content + b"\r\n"


END: Final = b"--x--\r\n"
NAMED: Final = b'Content-Disposition: form-data; name="name"'
BASE64: Final = NAMED + b"\r\nContent-Transfer-Encoding: base64"
FORMS: Final[Mapping[str, tuple[bytes, str]]] = {
    "no boundary": (END, ""),
    "an empty boundary": (END, "; boundary="),
    "a boundary of 10,000 characters": (END, "; boundary=" + "x" * 10_000),
    "a boundary that is never there": (b"{}", "; boundary=x"),
    "no end": (part(NAMED), "; boundary=x"),
    "a part without a name": (part(b"Content-Disposition: form-data") + END, "; boundary=x"),
    "a part without headers": (part(b"") + END, "; boundary=x"),
    "headers without end": (b"--x\r\n" + b"A: b\r\n" * 20_000 + END, "; boundary=x"),
    "a name with NUL": (part(NAMED.replace(b"na", b"n\0")) + END, "; boundary=x"),
    "a text that is not UTF-8": (part(NAMED, b"\xff") + END, "; boundary=x"),
    "5,000 parts": (part(NAMED) * 5_000 + END, "; boundary=x"),
    "broken base64": (part(BASE64, b"!") + END, "; boundary=x"),
}


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", TAKING_FORMS, ids=str)
def test_a_form_that_cannot_be_read_is_refused(shop: Tenant, operation: Operation) -> None:
    answers = {
        kind: raw(shop, operation, body, CONTENT_TYPE=FORM + boundary) for kind, (body, boundary) in FORMS.items()
    }

    assert {kind: answer.status_code for kind, answer in answers.items()} == dict.fromkeys(FORMS, 400)


def raw(shop: Tenant, operation: Operation, body: bytes, *, path: str | None = None, **environ: Any) -> Any:
    """Send a request whose CGI variables are set as they are, past what a client would correct."""
    path = path_of(operation) if path is None else path
    environ = {
        "REQUEST_METHOD": operation.method,
        "PATH_INFO": path.encode().decode("latin-1"),
        "CONTENT_TYPE": JSON if operation in TAKING_JSON else f"{FORM}; boundary=x",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_AUTHORIZATION": f"Bearer {shop.key}",
        "wsgi.input": BytesIO(body),
        **{name: latin(value) for name, value in environ.items()},
    }
    answer = Client(raise_request_exception=False).request(**environ)
    fault = fault_of_answer(operation.method, path, answer)
    assert fault is None, fault
    return answer


def latin(value: str) -> str:
    """Text as it arrives in CGI variables: its UTF-8 bytes, each as one character."""
    return value.encode().decode("latin-1")


# --- paths, queries, methods, headers -----------------------------------------------------------------------

PATHS: Final = [
    "{path}/",
    "{path}//",
    "{path}/x/y/z",
    "{path}%00",
    "{path}.json",
    "{path};a=b",
    "/{path}",
    "/v1/../v1{path}",
    "/V1{path}",
    "{path}/%2e%2e/",
    "{path}/" + "x" * 10_000,
    "{path}/%ff%fe",
    "{path}/%ed%a0%80",
    "{path}/عود",
    "{path}\\",
    "{path}%0d%0aX: 1",
]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", ADDRESSES, ids=lambda operation: operation.path)
def test_a_path_that_is_not_there_is_404_without_a_redirect(shop: Tenant, operation: Operation) -> None:
    path = path_of(operation)
    client = Client(raise_request_exception=False, headers={"authorization": f"Bearer {shop.key}"})

    answers: dict[str, Any] = {form: client.generic("GET", form.format(path=path)) for form in PATHS}

    met = {form: (answer.status_code, answer["Content-Type"]) for form, answer in answers.items()}
    assert met == dict.fromkeys(PATHS, (404, JSON))


HOSTILE_IDS: Final = [
    "%00",
    "a%00b",
    "%ff",
    "%ed%a0%80",
    "%F0%9F%8D%AF",
    "..%2f..%2fetc%2fpasswd",
    "' OR 1=1 --",
    "%d9%a1%d9%a2",
    "null",
    "0",
    "x" * 201,
    "x" * 60_000,
    "ks_" + "0" * 26,
    "KEY_01K6RZ2N5Q8T1W4Z7C0F3H6K9M",
    "%E2%80%AE",
    "a%0d%0ab",
]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", READS_BY_ID, ids=str)
def test_an_id_in_any_form_is_not_found(api: ApiClient, operation: Operation) -> None:
    paths = {value: operation.path.format_map(dict.fromkeys(operation.path_names, value)) for value in HOSTILE_IDS}

    answers = {value: api.get(path) for value, path in paths.items()}

    assert {value: answer.status_code for value, answer in answers.items()} == dict.fromkeys(HOSTILE_IDS, 404)


QUERIES: Final[Mapping[str, str]] = {
    "no_such_parameter=1": "unknown_parameter",
    "project_id=x": "unknown_parameter",
    "name__startswith=x": "unknown_parameter",
    "_connector=OR": "unknown_parameter",
    "key=mwd_live_x": "unknown_parameter",
    "a=%ed%a0%80": "unknown_parameter",
    "=": "unknown_parameter",
    "&".join(f"a{number}=1" for number in range(500)): "unknown_parameter",
    "a=1&a=2": "repeated_parameter",
    "a=%00": "forbidden_character",
    "%00=a": "forbidden_character",
}


@pytest.mark.conformance("A-1", "A-3")
@pytest.mark.parametrize(
    "operation", [operation for operation in OPERATIONS if operation not in TAKING_ONLY_FORMS], ids=str
)
def test_a_query_that_is_not_described_is_refused(api: ApiClient, operation: Operation) -> None:
    answers = {query: api.request(operation.method, f"{path_of(operation)}?{query}") for query in QUERIES}

    assert outcomes(answers) == {query: (400, code) for query, code in QUERIES.items()}


METHODS: Final = ["TRACE", "CONNECT", "BREW", "PROPFIND", "GE T", "DELETE\r\n", "عود"]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("operation", ADDRESSES, ids=lambda operation: operation.path)
def test_a_method_that_is_not_there_is_405(shop: Tenant, operation: Operation) -> None:
    path = path_of(operation)
    client: Any = Client(raise_request_exception=False, headers={"authorization": f"Bearer {shop.key}"})

    answers = {method: client.request(PATH_INFO=path, REQUEST_METHOD=method) for method in METHODS}

    assert outcomes(answers) == dict.fromkeys(METHODS, (405, "method_not_allowed"))
    assert {"OPTIONS" in answer["Allow"] for answer in answers.values()} == {True}


HEADERS: Final[Mapping[str, list[str]]] = {
    "HTTP_ACCEPT": ["text/html", "nonsense", "*/*;q=0", "application/xml," * 5_000],
    "HTTP_ACCEPT_LANGUAGE": ["ar" * 10_000, "*", ",,,;q=", "en;q=\0", "عربي", "en;q=1e999"],
    "HTTP_X_REQUEST_ID": ["a\r\nX-Evil: 1", "a\nb", "x" * 10_000, "معرف", "\0", "<script>"],
    "HTTP_COOKIE": ["sessionid=x", "sessionid=" + "x" * 10_000, "=;=;", "\0"],
    "HTTP_X_FORWARDED_HOST": ["evil.example"],
    "HTTP_X_HTTP_METHOD_OVERRIDE": ["DELETE"],
    "HTTP_IF_NONE_MATCH": ["x", '"', "W/", '"a' * 10_000, "\0", "عود"],
    "HTTP_RANGE": ["bytes=0-1", "bytes=-" + "9" * 1_000],
    "HTTP_EXPECT": ["100-continue", "x"],
}


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize(
    ("header", "value"),
    [(header, value) for header, values in HEADERS.items() for value in values],
    ids=lambda value: value[:40],
)
def test_headers_that_mean_nothing_change_nothing(shop: Tenant, header: str, value: str) -> None:
    answer = raw(shop, described().operations["GET", "/v1/project"], b"", **{header: value})

    assert answer.status_code == 200
    assert "\n" not in answer["X-Request-Id"]


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("HTTP_HOST", "evil.example", 400),
        ("HTTP_HOST", "127.0.0.1:x", 400),
        ("HTTP_HOST", "a\0b", 400),
        ("HTTP_HOST", "x" * 10_000, 400),
        ("HTTP_AUTHORIZATION", "Bearer \0", 401),
        ("HTTP_AUTHORIZATION", "Bearer عود", 401),
        ("HTTP_IDEMPOTENCY_KEY", "a b", 400),
        ("HTTP_IDEMPOTENCY_KEY", "", 400),
        ("HTTP_IDEMPOTENCY_KEY", "x" * 256, 400),
        ("HTTP_IDEMPOTENCY_KEY", "مفتاح", 400),
        ("HTTP_IDEMPOTENCY_KEY", "a\r\nb", 400),
        ("HTTP_IDEMPOTENCY_KEY", "\0", 400),
    ],
    ids=lambda value: str(value)[:40],
)
def test_headers_that_mean_something_wrong_are_refused(shop: Tenant, header: str, value: str, status: int) -> None:
    answer = raw(shop, described().operations["POST", "/v1/api_keys"], b"{}", **{header: value})

    assert answer.status_code == status


@pytest.mark.conformance("A-1")
@pytest.mark.parametrize("etag", ["x", '"', "W/", '"a', "\0", "عود", '"' * 10_000], ids=lambda etag: etag[:10])
def test_an_etag_in_any_form_is_another_state(shop: Tenant, etag: str) -> None:
    answer = raw(shop, described().operations["PATCH", "/v1/project"], b"{}", HTTP_IF_MATCH=etag)

    assert outcome(answer) == (412, "precondition_failed")
