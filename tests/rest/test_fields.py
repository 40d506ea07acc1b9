"""Fields take exactly what is documented, coerce nothing, and report every fault at once."""

from typing import Any

import pytest

from tests.api_client import ApiClient
from tests.rest.toys import things_made

REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({}, "name", "required"),
    ({"name": None}, "name", "null"),
    ({"name": ""}, "name", "blank"),
    ({"name": "   "}, "name", "blank"),
    ({"name": 5}, "name", "not_a_string"),
    ({"name": True}, "name", "not_a_string"),
    ({"name": ["n"]}, "name", "not_a_string"),
    ({"name": {"a": 1}}, "name", "not_a_string"),
    ({"name": "ع" * 21}, "name", "too_long"),
    ({"name": "a\u202eb"}, "name", "control_character"),
    ({"name": "a\u0007b"}, "name", "control_character"),
    ({"name": "\u200b"}, "name", "invisible_text"),
    ({"kind": "url"}, "kind", "invalid_choice"),
    ({"kind": "Text"}, "kind", "invalid_choice"),
    ({"kind": ""}, "kind", "invalid_choice"),
    ({"kind": 1}, "kind", "invalid_choice"),
    ({"kind": ["text"]}, "kind", "invalid_choice"),
    ({"kind": {}}, "kind", "invalid_choice"),
    ({"minutes": "60"}, "minutes", "not_an_integer"),
    ({"minutes": "٦٠"}, "minutes", "not_an_integer"),
    ({"minutes": 60.0}, "minutes", "not_an_integer"),
    ({"minutes": 15.5}, "minutes", "not_an_integer"),
    ({"minutes": True}, "minutes", "not_an_integer"),
    ({"minutes": [60]}, "minutes", "not_an_integer"),
    ({"minutes": None}, "minutes", "null"),
    ({"minutes": 14}, "minutes", "too_small"),
    ({"minutes": 1441}, "minutes", "too_large"),
    ({"minutes": 10**300}, "minutes", "too_large"),
    ({"complete": "true"}, "complete", "not_a_boolean"),
    ({"complete": 1}, "complete", "not_a_boolean"),
    ({"complete": "on"}, "complete", "not_a_boolean"),
    ({"complete": None}, "complete", "null"),
    ({"until": "tomorrow"}, "until", "not_a_time"),
    ({"until": 1_700_000_000}, "until", "not_a_time"),
    ({"until": "2026-01-31"}, "until", "not_a_time"),
    ({"until": "2026-01-31T08:00:00"}, "until", "not_a_time"),
    ({"until": "2026-02-31T08:00:00Z"}, "until", "not_a_time"),
    ({"until": "0001-01-01T00:00:00+14:00"}, "until", "not_a_time"),
    ({"note": "x"}, "note", "too_short"),
    ({"code": "lower"}, "code", "invalid_format"),
    ({"code": "GOOD\n"}, "code", "invalid_format"),
    ({"tags": "a"}, "tags", "not_a_list"),
    ({"tags": {"0": "a"}}, "tags", "not_a_list"),
    ({"tags": []}, "tags", "empty_list"),
    ({"tags": ["a", "b", "c", "d"]}, "tags", "too_many_items"),
    ({"tags": ["a", "b", "a"]}, "tags[2]", "repeated_item"),
    ({"tags": ["a", 5]}, "tags[1]", "not_a_string"),
    ({"tags": ["toolong"]}, "tags[0]", "too_long"),
    ({"tags": [None]}, "tags[0]", "null"),
    ({"headers": []}, "headers", "not_an_object"),
    ({"headers": {"Accept": 5}}, "headers.Accept", "not_a_string"),
    ({"part": 5}, "part", "not_an_object"),
    ({"part": []}, "part", "not_an_object"),
    ({"part": None}, "part", "null"),
    ({"part": {}}, "part.word", "required"),
    ({"part": {"word": "x", "colour": 1}}, "part.colour", "unknown_field"),
    ({"parts": [{"word": "x"}, {"word": "far too long"}]}, "parts[1].word", "too_long"),
    ({"parts": [5]}, "parts[0]", "not_an_object"),
    ({"part": {"word": "x", "weight": "1"}}, "part.weight", "not_a_number"),
    ({"part": {"word": "x", "weight": False}}, "part.weight", "not_a_number"),
    ({"part": {"word": "x", "weight": -0.5}}, "part.weight", "too_small"),
    ({"colour": "red"}, "colour", "unknown_field"),
    ({"id": "thing_1"}, "id", "unknown_field"),
    ({"_connector": "OR"}, "_connector", "unknown_field"),
    ({"": 1}, "", "unknown_field"),
]


@pytest.mark.conformance("KA-005", "KA-013")
@pytest.mark.parametrize(("body", "param", "code"), REFUSED)
def test_a_faulty_field_is_refused_by_name(api: ApiClient, body: dict[str, Any], param: str, code: str) -> None:
    response = api.post("/v1/things", body if param == "name" else {"name": "n", **body})

    error = response.json()["error"]
    assert response.status_code == 400
    assert (error["code"], error["param"] or "") == (code, param)
    assert things_made == []


TAKEN: list[tuple[dict[str, Any], str, Any]] = [
    ({"name": "  صندوق بخور  "}, "name", "صندوق بخور"),
    ({"name": "🍯" * 20}, "name", "🍯" * 20),
    ({"name": "می‌خواهم"}, "name", "می‌خواهم"),
    ({"name": "عود\u200f"}, "name", "عود\u200f"),
    ({"minutes": 15}, "minutes", 15),
    ({"minutes": 1440}, "minutes", 1440),
    ({"complete": False}, "complete", False),
    ({"note": "  kept as sent "}, "note", "  kept as sent "),
    ({"note": ""}, "note", ""),
    ({"until": None}, "until", None),
    ({"tags": ["a", "b"]}, "tags", ["a", "b"]),
    ({"headers": {}}, "headers", {}),
    ({"part": {"word": "x", "weight": 1}}, "part", {"word": "x", "weight": 1}),
    ({"parts": []}, "parts", []),
    ({"sample": {"any": [1, None]}}, "sample", {"any": [1, None]}),
    ({"sample": None}, "sample", None),
]


@pytest.mark.parametrize(("body", "field", "value"), TAKEN)
def test_a_sound_field_arrives_as_it_was_sent(api: ApiClient, body: dict[str, Any], field: str, value: Any) -> None:
    api.post("/v1/things", {"name": "n", **body})

    assert things_made[0][field] == value


def test_all_faulty_fields_are_reported_at_once(api: ApiClient) -> None:
    body = {
        "name": 5,
        "minutes": "60",
        "colour": "red",
        "part": {"weight": "1"},
        "parts": [{"word": "x"}, {"word": 5, "shape": 1}],
    }

    error = api.post("/v1/things", body).json()["error"]

    assert {fault["param"]: fault["code"] for fault in error["errors"]} == {
        "name": "not_a_string",
        "minutes": "not_an_integer",
        "colour": "unknown_field",
        "part.word": "required",
        "part.weight": "not_a_number",
        "parts[1].word": "not_a_string",
        "parts[1].shape": "unknown_field",
    }


def test_what_is_left_out_of_a_change_stays_out(api: ApiClient) -> None:
    assert api.patch("/v1/things/1", {"note": "hi"}).json()["name"] == "صندوق بخور"


QUERIES = [
    ("limit=0", "limit", "too_small"),
    ("limit=101", "limit", "too_large"),
    ("limit=", "limit", "not_an_integer"),
    ("limit=1.0", "limit", "not_an_integer"),
    ("limit=%2B5", "limit", "not_an_integer"),
    ("limit=5_0", "limit", "not_an_integer"),
    ("limit=٥", "limit", "not_an_integer"),
    ("limit=007", "limit", "not_an_integer"),
    ("limit=" + "9" * 400, "limit", "not_an_integer"),
    ("even=1", "even", "not_a_boolean"),
    ("even=True", "even", "not_a_boolean"),
    ("even=", "even", "not_a_boolean"),
    ("kind=url", "kind", "invalid_choice"),
    ("since=yesterday", "since", "not_a_time"),
    ("page=2", "page", "unknown_parameter"),
    ("limit=1&limit=2", "limit", "repeated_parameter"),
    ("cursor=", "cursor", "blank"),
    ("cursor=" + "x" * 501, "cursor", "too_long"),
]


@pytest.mark.parametrize(("query", "param", "code"), QUERIES)
def test_a_faulty_parameter_is_refused_by_name(api: ApiClient, query: str, param: str, code: str) -> None:
    response = api.get(f"/v1/things?{query}")

    error = response.json()["error"]
    assert (response.status_code, error["param"], error["code"]) == (400, param, code)


def test_an_operation_without_parameters_takes_none(api: ApiClient) -> None:
    assert api.get("/v1/things/1?expand=all").json()["error"]["code"] == "unknown_parameter"
