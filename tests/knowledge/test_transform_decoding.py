"""Properties: UTF-8 first, then one of few declared charsets; JSON as strict as everywhere; no other exception."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.transform import TransformError, apply, decode_body

pytestmark = pytest.mark.conformance("KA-101")

ARABIC = '{"n": "بخور"}'


def failure(raw: bytes, charset: str | None = None) -> str:
    with pytest.raises(TransformError) as caught:
        decode_body(raw, charset)
    return caught.value.code


@pytest.mark.conformance("T-8")
@pytest.mark.parametrize(
    ("raw", "charset"),
    [
        (ARABIC.encode(), None),
        (ARABIC.encode(), "utf-8"),
        (ARABIC.encode("utf-8-sig"), None),
        (ARABIC.encode(), "iso-8859-1"),
        (ARABIC.encode(), "us-ascii"),
        (ARABIC.encode(), "unknown"),
        (ARABIC.encode("cp1256"), "windows-1256"),
        (ARABIC.encode("cp1256"), " Windows-1256 "),
        (ARABIC.encode("iso8859-6"), "iso-8859-6"),
    ],
)
def test_text_is_read_as_utf_8_or_as_declared(raw: bytes, charset: str | None) -> None:
    assert decode_body(raw, charset) == {"n": "بخور"}


@pytest.mark.parametrize(
    ("raw", "charset"), [("é".encode("latin-1"), "iso-8859-1"), ("é".encode("cp1252"), "windows-1252")]
)
def test_western_charsets_are_read_when_declared(raw: bytes, charset: str) -> None:
    assert decode_body(b'"' + raw + b'"', charset) == "é"


@pytest.mark.conformance("T-8")
@pytest.mark.parametrize(
    ("raw", "charset"),
    [
        (ARABIC.encode("cp1256"), None),
        (ARABIC.encode("cp1256"), "utf-8"),
        (ARABIC.encode("cp1256"), "us-ascii"),
        (ARABIC.encode("cp1256"), "cp1256"),
        (ARABIC.encode("cp1256"), "utf-7"),
        (ARABIC.encode("utf-16"), None),
        (ARABIC.encode("utf-16"), "utf-16"),
        (ARABIC.encode("utf-16-le"), "utf-16-le"),
        (ARABIC.encode("utf-32"), "utf-32"),
        (b'"\x81\x8d"', "windows-1252"),
        (b'"\xa1"', "iso-8859-6"),
        (b"\xef\xbb\xbf\xef\xbb\xbf[]", None),
        (b'"\xed\xa0\x80"', None),
        (b'"\xc0\xaf"', None),
    ],
)
def test_any_other_text_is_invalid(raw: bytes, charset: str | None) -> None:
    assert failure(raw, charset) == "invalid_json"


@pytest.mark.conformance("T-9")
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"<!doctype html>",
        b"[1,]",
        b"[1] done",
        b"{'a': 1}",
        b"[NaN]",
        b"[-Infinity]",
        b"[01]",
        b"[1.]",
        b"[+1]",
        b'["a\nb"]',
        b'["\\x"]',
        b"[" + b"1" * 1_001 + b"]",
        b"[" * 101 + b"]" * 101,
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_what_is_not_strict_json_is_invalid(raw: bytes) -> None:
    assert failure(raw) == "invalid_json"


@pytest.mark.conformance("T-9")
@pytest.mark.parametrize(
    "raw", [b"[" * 100 + b"]" * 100, b"[" + b"1" * 1_000 + b"]", b" \r\n[1e400] \t", b'"\\ud800"']
)
def test_what_is_odd_but_within_the_limits_is_read(raw: bytes) -> None:
    decode_body(raw)


@given(st.binary(max_size=200), st.sampled_from([None, "windows-1256", "iso-8859-6", "utf-16", "x"]))
@pytest.mark.conformance("T-10")
def test_any_bytes_give_lines_or_a_code(raw: bytes, charset: str | None) -> None:
    assert outcome(raw, charset) in {"text", "invalid_json", "empty_result"}


def outcome(raw: bytes, charset: str | None) -> Any:
    try:
        return "text" if apply(decode_body(raw, charset)).text else "nothing"
    except TransformError as error:
        return error.code
