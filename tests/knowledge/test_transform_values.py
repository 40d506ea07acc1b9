"""Properties: a value has one reading as text, as a number and as nothing; numbers compare exactly."""

from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.strict_json import Number, loads
from apps.knowledge.transform.values import has_text, is_zero_or_missing, number_of, text_of

pytestmark = pytest.mark.conformance("KA-085")


def value(json_text: str) -> Any:
    return loads(json_text, keep_numbers=True)


@pytest.mark.conformance("T-4")
@pytest.mark.parametrize(
    ("json_text", "text"),
    [
        ("null", ""),
        ("true", "true"),
        ("false", "false"),
        ("12.50", "12.50"),
        ("-0", "-0"),
        ("1E+3", "1E+3"),
        ("1e400", "1e400"),
        ("12345678901234567890123", "12345678901234567890123"),
        ('"عود"', "عود"),
        ('"  a   b  "', "a   b"),
        (r'"a\nb"', "a b"),
        (r'"a \r\n\t b"', "a b"),
        (r'"\na\n"', "a"),
        (r'"a\u0000b"', "a b"),
        (r'"a\u007fb\u0085c\u2028d\u2029e"', "a b c d e"),
        (r'"a\u000bb\u001fc"', "a b c"),
        (r'"\ud800"', "\ufffd"),
        (r'"a\udc00b"', "a\ufffdb"),
        (r'"\ud83d\udc8e"', "💎"),
        (r'"a\u200bb\u202ec"', "a\u200bb\u202ec"),
        ('"عُـود ﻻ"', "عُـود ﻻ"),
        ('""', ""),
        ('"   "', ""),
        (r'"\n\u0000"', ""),
        ("[]", ""),
        ("{}", ""),
        ("[null]", ""),
        ('[1, "b", true]', "1, b, true"),
        ('["a", null, "b"]', "a, b"),
        ('[" a ", "b\\nc"]', "a, b c"),
        ('[["a", "b"], "c"]', "a, b, c"),
        ('[{"a": 1}, "b"]', '{"a":1}, b'),
        ('{"a": 12.50, "b": [true, null, "x"]}', '{"a":12.50,"b":[true,null,"x"]}'),
        ('{"السعر": "٥"}', '{"السعر":"٥"}'),
        (r'{"a": "b\nc", "d": "\u2028"}', r'{"a":"b\nc","d":" "}'),
        (r'{"a": "\ud800", "b": "\""}', '{"a":"\ufffd","b":"\\""}'),
        ('{"a": {}, "b": []}', '{"a":{},"b":[]}'),
    ],
)
def test_a_value_is_shown_on_one_line_as_json_wrote_it(json_text: str, text: str) -> None:
    assert text_of(value(json_text)) == text


@pytest.mark.conformance("KA-091", "T-6")
@pytest.mark.parametrize(
    "json_text",
    [
        *("0", "-0", "0.0", "0e9", "0.00E-5", '"0"', '"0.00"', '" 0 "', '"-0"', '"+0.0"', '"٠"', '"٠٫٠"', '"۰"'),
        *('"0,000"', "false", "null", '""', '"  "', r'"\n"', "[]", "{}", "[null]"),
    ],
)
def test_zero_and_missing_are_recognised_in_every_spelling(json_text: str) -> None:
    assert is_zero_or_missing(value(json_text))


@pytest.mark.conformance("KA-091", "T-6")
@pytest.mark.parametrize(
    "json_text",
    [
        *("1", "-5", "0.01", "1e-999999", "true", '"0 SAR"', '"N/A"', '"zero"', '"00x"', '"0."', '".0"', '"0-"'),
        *("[0]", '{"a": 0}', '"false"', '"null"', '"صفر"', '"0;0"'),
    ],
)
def test_what_is_not_wholly_zero_is_kept(json_text: str) -> None:
    assert not is_zero_or_missing(value(json_text))


@pytest.mark.conformance("KA-089", "T-5")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("+5", 5),
        ("-5", -5),
        ("007", 7),
        ("3.50", Decimal("3.5")),
        ("1e3", 1000),
        ("2.5E-2", Decimal("0.025")),
        ("1,200", 1200),
        ("1,234,567.8", Decimal("1234567.8")),
        ("٣٫٥", Decimal("3.5")),
        ("۱٬۲۰۰", 1200),
        ("١٢۳", 123),
        (" 5 ", 5),
        ("\u00a05", 5),
        ("-1,000", -1000),
    ],
)
def test_a_text_that_is_wholly_a_number_is_one(text: str, number: Decimal) -> None:
    assert number_of(text) == number_of(str(number))


@pytest.mark.conformance("KA-089", "T-5")
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "+", ".", "5.", ".5", "1e", "e5", "1,20", "12,00", "1,2000", "1234,567", ",100", "1,,000"),
        *("5 SAR", "$5", "0x10", "1_000", "½", "५", "٥x", "1.2.3", "--5", "5-", "5%", "NaN", "Infinity", "1 000"),
        "1" * 1_001,
    ],
)
def test_any_other_text_is_text(text: str) -> None:
    assert number_of(text) is None


ASCENDING = [
    "-1e99999999999999999999",
    "-1",
    "-1e-99999999999999999999",
    "0e9",
    "1e-9",
    "2",
    "1e99999999999999999999",
]


@pytest.mark.conformance("KA-089")
@pytest.mark.parametrize(("less", "more"), list(pairwise(ASCENDING)))
def test_numbers_beyond_every_range_still_compare(less: str, more: str) -> None:
    assert (number_of(less) or ()) < (number_of(more) or ())


@pytest.mark.conformance("T-5")
@given(st.decimals(allow_nan=False, allow_infinity=False), st.decimals(allow_nan=False, allow_infinity=False))
def test_numbers_compare_as_exact_decimals_do(first: Decimal, second: Decimal) -> None:
    left, right = number_of(Number(first)), number_of(Number(second))
    assert left is not None
    assert right is not None
    assert (left < right, left == right) == (first < second, first == second)


JSON_TEXTS = st.recursive(
    st.none() | st.booleans() | st.integers().map(str).map(Number) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.conformance("T-4")
@given(JSON_TEXTS)
def test_any_value_is_one_line_that_can_be_stored(any_value: Any) -> None:
    text = text_of(any_value)
    assert text.splitlines() in ([], [text])
    assert "\x00" not in text
    text.encode()


@given(JSON_TEXTS)
def test_a_value_has_text_exactly_when_its_text_is_not_empty(any_value: Any) -> None:
    assert has_text(any_value) == (text_of(any_value) != "")
