"""No body, query or path gives a 5xx or HTML, and what is refused leaves nothing behind (A-1, A-2)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.kernel.errors import AppError
from apps.rest.parsers import parse_json_object
from tests.api_client import ApiClient
from tests.rest.toys import things_made

DEEP_LIST = b"[" * 100_000 + b"]" * 100_000
DEEP_OBJECT = b'{"a":' * 100_000 + b"1" + b"}" * 100_000

NOT_JSON = [
    b"{",
    b"}",
    b"{]",
    b'{"name"}',
    b"{'name': 'n'}",
    b'{"name": "n",}',
    b'{"name": "n"} {}',
    b'{"name": "n"}\0',
    b'{"name": "a\nb"}',
    b'{"name": "a\0b"}',
    b'{"name": "\\x41"}',
    b'{"name": "\\u12"}',
    b'{"name": "n", "sample": NaN}',
    b'{"name": "n", "sample": Infinity}',
    b'{"name": "n", "sample": -Infinity}',
    b'{"name": "n", "sample": 01}',
    b'{"name": "n", "sample": +1}',
    b'{"name": "n", "sample": .5}',
    b'{"name": "n", "sample": 0x10}',
    b"name=n",
    b"<html></html>",
    b"\xff\xfe{\x00}\x00",
    b'{"name": "\xff"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "\xc0\xaf"}',
    '{"name": "n"}'.encode("utf-16"),
    '{"name": "n"}'.encode("utf-32"),
    "{“name”: “n”}".encode(),
    b"/* */ {}",
    b"\xef\xbb\xbf",
]

NOT_AN_OBJECT = [b"[]", b'[{"name": "n"}]', b'"text"', b"1", b"null", b"true", b"1e2"]

FORBIDDEN_TEXT = [
    (b'{"name": "a\\u0000b"}', "name"),
    (b'{"name": "\\ud800"}', "name"),
    (b'{"name": "\\udc00\\ud800"}', "name"),
    (b'{"name": "n", "sample": "\\uDFFF"}', "sample"),
    (b'{"name": "n", "sample": {"a": [1, {"b": "\\u0000"}]}}', "sample.a[1].b"),
    (b'{"name": "n", "sample": {"a\\u0000": 1}}', "sample.a\ufffd"),
    (b'{"name": "n", "sample": {"\\udead": 1}}', "sample.\ufffd"),
    (b'{"name": "n", "unknown": "\\u0000"}', "unknown"),
    (b'{"name": "n", "tags": ["ok", "\\u0000"]}', "tags[1]"),
]

TOO_MUCH = [
    (DEEP_LIST, "json_too_deep"),
    (DEEP_OBJECT, "json_too_deep"),
    (b'{"sample": ' + b"[" * 100 + b"]" * 100 + b"}", "json_too_deep"),
    (b'{"sample": ' + b"9" * 1_001 + b"}", "number_out_of_range"),
    (b'{"sample": 0.' + b"0" * 5_000 + b"1}", "number_out_of_range"),
]


@pytest.mark.parametrize("value", [b"1e400", b"-1e999", b"[1, 1e400]", b'{"a": {"b": [1E400]}}'])
def test_a_number_past_every_float_is_not_kept(api: ApiClient, value: bytes) -> None:
    response = api.post("/v1/things", b'{"name": "n", "kept": ' + value + b"}")

    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, "number_out_of_range", "kept")


@pytest.mark.parametrize("value", [b"null", b'"1e400"', b"1e308", b'{"a": [12345678901234567890123, null]}'])
def test_all_other_json_is_kept(api: ApiClient, value: bytes) -> None:
    assert api.post("/v1/things", b'{"name": "n", "kept": ' + value + b"}").status_code == 201


@pytest.mark.parametrize("body", NOT_JSON)
def test_what_is_not_json_is_refused(api: ApiClient, body: bytes) -> None:
    response = api.post("/v1/things", body)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid_json"
    assert things_made == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('{"name": "عود",\n "tags": [1,]}'.encode(), "line 2, column 13"),
        (b'{"name":\n NaN}', "line 2, column 2"),
        ('{"name": "عود\n'.encode() + b'\xff"}', "line 2, column 1"),
        (b'\xef\xbb\xbf{"name": }', "line 1, column 10"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(api: ApiClient, body: bytes, place: str) -> None:
    assert place in api.post("/v1/things", body).json()["error"]["message"]


@pytest.mark.parametrize("body", NOT_AN_OBJECT)
def test_a_body_must_be_an_object(api: ApiClient, body: bytes) -> None:
    assert api.post("/v1/things", body).json()["error"]["code"] == "body_not_an_object"


@pytest.mark.parametrize(("body", "param"), FORBIDDEN_TEXT)
def test_nul_and_half_surrogates_are_refused_wherever_they_stand(api: ApiClient, body: bytes, param: str) -> None:
    response = api.post("/v1/things", body)

    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, "forbidden_character", param)


@pytest.mark.parametrize(("body", "code"), TOO_MUCH)
def test_depth_and_numbers_are_bounded(api: ApiClient, body: bytes, code: str) -> None:
    response = api.post("/v1/echo", body)

    assert (response.status_code, response.json()["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "n", "sample": "\\ud83c\\udf6f"}',
        '{"name": "n", "sample": "🍯"}',
        '{"name": "n", "sample": "\\\\u0000"}',
        '{"name": "n", "sample": "\\u0001\\u001f"}',
        '{"name": "n", "name": "m"}',
        '\ufeff{"name": "n"}',
        ' \n\t{"name": "n"}\r\n',
        '{"name": "n", "sample": ' + "[" * 99 + "]" * 99 + "}",
        '{"name": "n", "sample": ' + "9" * 1_000 + "}",
    ],
)
def test_odd_but_sound_json_is_taken(api: ApiClient, body: str) -> None:
    assert api.post("/v1/things", body.encode()).status_code == 201


def test_numbers_can_be_had_as_they_were_written(api: ApiClient) -> None:
    response = api.post("/v1/echo", b'{"name": "n", "sample": [12.50, 1E5, 100000000000000000000000]}')

    assert response.json()["written"] == "['12.50', '1E5', '100000000000000000000000']"


def test_the_faults_that_are_listed_are_bounded(api: ApiClient) -> None:
    body = {f"field {number}": 1 for number in range(5_000)} | {"x" * 100_000: 1}

    response = api.post("/v1/things", body)

    assert len(response.json()["error"]["errors"]) == 100
    assert len(response.content) < 100_000


@pytest.mark.parametrize(
    "path",
    [
        "/v1/things?limit=%00",
        "/v1/things?kind=%00",
        "/v1/things?%00=1",
        "/v1/things?kind=%ff%fe",
        "/v1/things?cursor=%ed%a0%80",
        "/v1/things?" + "&".join(f"a{number}=1" for number in range(2_000)),
        "/v1/things?" + "x" * 60_000,
        "/v1/things?limit[]=1",
        "/v1/things?limit=1&limit=2",
    ],
)
def test_hostile_queries_are_refused(api: ApiClient, path: str) -> None:
    response = api.get(path)

    assert response.status_code == 400
    assert response.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/things/%00",
        "/v1/things/a%00b",
        "/v1/things/" + "x" * 5_000,
        "/v1/things/%ff",
        "/v1/things/..%2f..%2fetc%2fpasswd",
        "/v1/%ff",
        "/v1/things/a/b",
        "/v1//things",
        "//v1/things",
        "/v1/things\\",
    ],
)
def test_hostile_paths_are_not_found_or_harmless(api: ApiClient, path: str) -> None:
    response = api.get(path)

    assert response.status_code in {200, 404}
    assert response["Content-Type"] == "application/json"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


@given(value=JSON_VALUES)
@settings(max_examples=200)
def test_any_value_is_an_object_or_a_refusal_with_a_code(value: object) -> None:
    body = json.dumps(value, allow_nan=True).encode("utf-8", "surrogatepass")

    assert _outcome(body) in {
        "object",
        "body_not_an_object",
        "forbidden_character",
        "invalid_json",
        "number_out_of_range",
    }


@given(body=st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_are_an_object_or_a_refusal_with_a_code(body: bytes) -> None:
    assert _outcome(body)


def _outcome(body: bytes) -> str:
    try:
        parse_json_object(body)
    except AppError as error:
        return error.code
    return "object"


def test_of_many_unknown_fields_the_first_hundred_are_named(api: ApiClient) -> None:
    answer = api.post("/v1/things", {"name": "n", **{f"x{number}": 1 for number in range(5_000)}})

    assert answer.status_code == 400
    assert len(answer.json()["error"]["errors"]) == 100
