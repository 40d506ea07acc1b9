"""From the bytes of an answer to a JSON value with its numbers as they were written."""

from typing import Any, Final

from apps.kernel.strict_json import InvalidJsonError, loads, place_of
from apps.knowledge.transform.errors import TransformError

# What an answer may declare when it is not UTF-8. US-ASCII is allowed too, and is UTF-8 whenever it is true.
_LEGACY_CHARSETS: Final = {
    "iso-8859-1": "iso8859-1",
    "iso-8859-6": "iso8859-6",
    "windows-1252": "cp1252",
    "windows-1256": "cp1256",
}


def decode_body(raw: bytes, charset: str | None = None) -> Any:
    text = _text(raw, charset)
    try:
        return loads(text, keep_numbers=True)
    except InvalidJsonError as error:
        raise TransformError("invalid_json", place_of(text, error.at)) from None


def _text(raw: bytes, charset: str | None) -> str:
    # UTF-8 first: some servers declare ISO-8859-1 whatever they send, and legacy Arabic text is hardly ever UTF-8.
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _legacy_text(raw, (charset or "").strip().lower())


def _legacy_text(raw: bytes, charset: str) -> str:
    if charset not in _LEGACY_CHARSETS:
        raise TransformError("invalid_json")
    try:
        return raw.decode(_LEGACY_CHARSETS[charset])
    except UnicodeDecodeError:
        raise TransformError("invalid_json") from None
