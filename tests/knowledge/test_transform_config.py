"""Properties: a transform is read strictly, and all its faults are told at once with their fields."""

from typing import Any, get_args

import pytest

from apps.kernel.strict_json import Number
from apps.knowledge.transform import Transform, TransformConfigError, TransformError
from apps.knowledge.transform.errors import SENTENCES, Code
from apps.knowledge.transform.paths import Path

pytestmark = pytest.mark.conformance("KA-070")


def faults(**config: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(TransformConfigError) as caught:
        Transform.parse(config)
    return [(fault.code, fault.param) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, [("required", "line")]),
        ({"line": None}, [("required", "line")]),
        ({"line": ""}, [("blank", "line")]),
        ({"line": " \n\u2028"}, [("blank", "line")]),
        ({"line": 5}, [("not_a_string", "line")]),
        ({"line": Number("5")}, [("not_a_string", "line")]),
        ({"line": ["{a}"]}, [("not_a_string", "line")]),
        ({"line": "x" * 2_001}, [("too_long", "line")]),
        ({"line": "{a}", "header": "x" * 2_001}, [("too_long", "header")]),
        ({"line": "{a}", "items_path": "x" * 2_001}, [("too_long", "items_path")]),
        ({"line": "{a}", "group_by": "x" * 2_001}, [("too_long", "group_by")]),
        ({"line": "{a}", "sort_by": True}, [("not_a_string", "sort_by")]),
        ({"line": "{a}", "skip_when_zero": {}}, [("not_a_string", "skip_when_zero")]),
        ({"line": "{a}", "template": "x"}, [("unknown_field", "template")]),
        ({"line": "{a}", "Line": "x"}, [("unknown_field", "Line")]),
        (
            {"line": "", "header": 1, "max_items": 0, "extra": 1},
            [("unknown_field", "extra"), ("not_a_string", "header"), ("blank", "line"), ("too_small", "max_items")],
        ),
    ],
)
def test_a_faulty_transform_names_every_faulty_field(
    config: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert faults(**config) == expected


@pytest.mark.conformance("KA-093")
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (0, "too_small"),
        (-1, "too_small"),
        (5_001, "too_large"),
        (10**30, "too_large"),
        ("500", "not_an_integer"),
        (15.5, "not_an_integer"),
        (500.0, "not_an_integer"),
        (True, "not_an_integer"),
        ([], "not_an_integer"),
        (Number("0"), "too_small"),
        (Number("-3"), "too_small"),
        (Number("5001"), "too_large"),
        (Number("1e3"), "not_an_integer"),
        (Number("5.0"), "not_an_integer"),
        (Number("9" * 900), "not_an_integer"),
    ],
)
def test_max_items_is_a_whole_number_from_1_to_5000(value: Any, code: str) -> None:
    assert faults(line="{a}", max_items=value) == [(code, "max_items")]


@pytest.mark.conformance("KA-093")
@pytest.mark.parametrize(("value", "limit"), [(1, 1), (5_000, 5_000), (None, 500), (Number("7"), 7)])
def test_max_items_is_taken_as_given(value: Any, limit: int) -> None:
    assert Transform.parse({"line": "{a}", "max_items": value}).max_items == limit


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_a_blank_path_is_no_path(blank: str | None) -> None:
    transform = Transform.parse(
        {"line": "{a}", "items_path": blank, "group_by": blank, "sort_by": blank, "skip_when_zero": blank}
    )
    assert (transform.items_path, transform.group_by, transform.sort_by) == (Path(()), None, None)
    assert transform.skip_when_zero is None


def test_texts_of_2000_characters_are_accepted() -> None:
    text = "x" * 2_000
    assert Transform.parse({"line": text, "header": text, "items_path": text}).header == text


@pytest.mark.parametrize("code", get_args(Code))
def test_every_failure_has_a_sentence_in_both_languages(code: Code) -> None:
    assert TransformError(code).message() == str(TransformError(code)) == SENTENCES[code].en
    assert "\u0621" <= TransformError(code).message("ar")[0] <= "\u064a"
