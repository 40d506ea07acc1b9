"""Uploads: the type of a file, and its text in whichever of three encodings it comes."""

import contextlib
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.errors import AppError
from apps.knowledge import uploads
from apps.rest.fields import Upload

ARABIC: Final = "صندوق بخور — 95 ريال\nدهن عود، 450 ريال\n"
FRENCH: Final = "Café glacé à la crème — 12 €\nThé à la menthe\n"


def upload(
    content: bytes, *, file_name: str = "list.txt", media_type: str = "text/plain", charset: str | None = None
) -> Upload:
    return Upload(file_name=file_name, media_type=media_type, charset=charset, content=content)


def text_of(content: bytes, *, charset: str | None = None) -> str:
    return uploads.read(upload(content, charset=charset)).text


@pytest.mark.conformance("KA-008")
@pytest.mark.parametrize(
    ("media_type", "file_name", "is_csv"),
    [
        ("text/plain", "list.txt", False),
        ("text/plain", "list.csv", False),
        ("text/csv", "list.csv", True),
        ("text/csv", "list.txt", True),
        ("application/vnd.ms-excel", "list.csv", True),
        ("application/octet-stream", "LIST.CSV", True),
        ("", "list.csv", True),
        ("application/octet-stream", "list.txt", False),
    ],
)
def test_a_file_is_csv_by_its_type_or_else_by_its_name(media_type: str, file_name: str, is_csv: bool) -> None:
    assert uploads.read(upload(b"a,b\nx,y", file_name=file_name, media_type=media_type)).is_csv is is_csv


@pytest.mark.parametrize(
    ("media_type", "file_name"),
    [
        ("application/pdf", "list.pdf"),
        ("application/octet-stream", "list"),
        ("image/png", "a.csv.png"),
    ],
)
def test_a_file_of_another_type_is_refused(media_type: str, file_name: str) -> None:
    with pytest.raises(AppError) as refusal:
        uploads.read(upload(b"x", file_name=file_name, media_type=media_type))
    assert (refusal.value.code, refusal.value.param) == ("unsupported_file_type", "file")


@pytest.mark.parametrize("text", [ARABIC, FRENCH, "plain"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1256"])
def test_each_encoding_is_recognised_by_itself(encoding: str, text: str) -> None:
    assert text_of(text.encode(encoding)) == text


def test_utf16_with_a_big_endian_mark_is_recognised() -> None:
    assert text_of(b"\xfe\xff" + ARABIC.encode("utf-16-be")) == ARABIC


@pytest.mark.parametrize("charset", ["windows-1256", "UTF-8", "utf-16", "latin-1", ""])
def test_a_wrong_charset_does_no_harm(charset: str) -> None:
    assert text_of(ARABIC.encode("cp1256"), charset=charset) == ARABIC


def test_a_stated_charset_is_believed() -> None:
    assert text_of("سعر".encode("utf-16-le"), charset="utf-16le") == "سعر"


@pytest.mark.parametrize(
    "content",
    [
        ARABIC.encode("iso8859_6", "ignore"),
        ARABIC.encode("mac_arabic", "ignore"),
        "Größe: straße".encode("latin-1"),
    ],
)
def test_another_encoding_is_refused_rather_than_garbled(content: bytes) -> None:
    with pytest.raises(AppError) as refusal:
        text_of(content)
    assert refusal.value.code == "unknown_encoding"


@pytest.mark.parametrize("content", [b"PK\x03\x04\x14\x00\x06\x00", b"a\x00b", b"text\x07more", b"%PDF-1.7\x01"])
def test_bytes_that_are_no_text_are_refused(content: bytes) -> None:
    with pytest.raises(AppError) as refusal:
        text_of(content)
    assert refusal.value.code in {"file_not_text", "unknown_encoding"}


@given(st.binary(max_size=200))
def test_any_bytes_are_read_as_storable_text_or_refused(content: bytes) -> None:
    with contextlib.suppress(AppError):
        assert b"\0" not in text_of(content).encode()


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs")), max_size=100))
def test_any_utf8_text_comes_back_as_it_was(text: str) -> None:
    assert text_of(text.encode()) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(("file_name", "is_csv"), [("file", False), ("csv", False), ("list.csv", True)])
def test_a_part_that_says_nothing_is_text_unless_its_name_tells_more(file_name: str, is_csv: bool) -> None:
    assert uploads.read(upload(b"a,b", file_name=file_name, media_type="")).is_csv is is_csv
