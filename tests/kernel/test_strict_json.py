"""Strict JSON: what passes, what is refused and for which reason, and that neither costs more than a pass."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.strict_json import MAX_DEPTH, MAX_NUMBER_LENGTH, InvalidJsonError, Number, loads, place_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        (' [1, 2.5, "x", true, null] ', [1, 2.5, "x", True, None]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('"[[[["', "[[[["),
        ('"' + "9" * 5000 + '"', "9" * 5000),
        (r'"\"{"', '"{'),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
        ("9" * MAX_NUMBER_LENGTH, int("9" * MAX_NUMBER_LENGTH)),
    ],
)
def test_it_reads_json(text: str, value: Any) -> None:
    assert value is None or loads(text) == value
    loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "syntax"),
        ("{", "syntax"),
        ("{'a': 1}", "syntax"),
        ("[1,]", "syntax"),
        ("[1] x", "syntax"),
        ('"\n"', "syntax"),
        ("NaN", "constant"),
        ("[Infinity]", "constant"),
        ("-Infinity", "constant"),
        ("9" * (MAX_NUMBER_LENGTH + 1), "number"),
        ("1." + "0" * MAX_NUMBER_LENGTH, "number"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "depth"),
        ("[" * 100_000, "depth"),
        ('{"a":' * 100_000, "depth"),
        ('"' + '\\"' * 100_000, "syntax"),
    ],
)
def test_it_refuses(text: str, reason: str) -> None:
    with pytest.raises(InvalidJsonError) as refusal:
        loads(text)

    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{"a": 1,\n "b": oud}', 2, 7),
        ('{"عود": 1,}', 1, 11),
        ('{"a": "b" "c"}', 1, 11),
        ('{"a": "NaN",\n\n "b": [1, NaN]}', 3, 11),
        ('{"a": "\\"Infinity", "b": -Infinity}', 1, 26),
    ],
)
def test_it_tells_where_it_stopped_understanding(text: str, line: int, column: int) -> None:
    with pytest.raises(InvalidJsonError) as refusal:
        loads(text)

    assert place_of(text, refusal.value.at) == (line, column)


@pytest.mark.parametrize("text", ["19.90", "1e400", "12345678901234567890123", "-0", "0.00"])
def test_numbers_can_be_kept_as_they_were_written(text: str) -> None:
    value = loads(text, keep_numbers=True)

    assert isinstance(value, Number)
    assert value == text


@pytest.mark.parametrize("text", ["1e400", "-1e999999999"])
def test_a_number_past_every_float_stays_as_it_was_written(text: str) -> None:
    value = loads(text)

    assert isinstance(value, Number)
    assert value == text


def test_text_that_looks_like_a_number_stays_text() -> None:
    assert not isinstance(loads('"12"', keep_numbers=True), Number)


def _outcome(text: str) -> str:
    try:
        loads(text)
    except InvalidJsonError as refusal:
        return refusal.reason
    return "read"


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert _outcome(text) in {"read", "syntax", "depth", "number", "constant"}
