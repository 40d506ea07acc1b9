"""What a JSON value is in a line, in an order and to `skip_when_zero`.

Every function here is linear in its value, whatever the value: feeds are hostile until proven otherwise.
"""

import json
import re
from typing import Any, Final, NamedTuple

from apps.kernel.strict_json import MAX_NUMBER_LENGTH, Number

_CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029"
# Starts at a control character, not at the spaces before it: those would make long runs of spaces quadratic.
_BREAKS: Final = re.compile(f"[{_CONTROL}][{_CONTROL} ]*")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")

_DIGITS: Final = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫٬", "01234567890123456789.,")
_NUMBER: Final = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<part>[0-9]+))?(?:[eE](?P<power>[+-]?[0-9]+))?"
)
_COMPLEMENT: Final = str.maketrans("0123456789", "9876543210")


class NumberKey(NamedTuple):
    """Orders numbers exactly, with any exponent, where Decimal gives up on large ones.

    `magnitude` is the power of ten of the first digit, and `digits` are all digits from there on. Below zero both
    are turned round.
    """

    sign: int
    magnitude: int
    digits: str


def on_one_line(text: str) -> str:
    """Each run of control characters with the spaces around it becomes one space; lone surrogates become U+FFFD."""
    text = _SURROGATES.sub("\ufffd", text)
    *before, last = _BREAKS.split(text)
    return " ".join([*(piece.rstrip(" ") for piece in before), last])


def text_of(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Number():
            return str(value)
        case str():
            return on_one_line(value).strip()
        case list():
            return (
                ", ".join(text_of(element) for element in value if element is not None) if has_text(value) else ""
            )
        case _:
            return on_one_line(_compact(value)) if value else ""


def has_text(value: Any) -> bool:
    """Whether `text_of` is not empty, without making the text."""
    match value:
        case None:
            return False
        case bool() | Number():
            return True
        case str():
            return text_of(value) != ""
        case list():
            return any(map(has_text, value))
        case _:
            return bool(value)


def is_zero_or_missing(value: Any) -> bool:
    if value is False or not has_text(value):
        return True
    number = number_of(value)
    return number is not None and number.sign == 0


def number_of(value: Any) -> NumberKey | None:
    """The order of a number, or of a text that is wholly a number."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    match = _NUMBER.fullmatch(text.translate(_DIGITS)) if len(text) <= MAX_NUMBER_LENGTH else None
    return _number_key(match) if match else None


def _number_key(match: re.Match[str]) -> NumberKey:
    whole = match["whole"].replace(",", "")
    digits = (whole + (match["part"] or "")).lstrip("0")
    if not digits:
        return NumberKey(0, 0, "")
    leading_zeros = len(whole) + len(match["part"] or "") - len(digits)
    magnitude = int(match["power"] or 0) + len(whole) - leading_zeros
    significant = digits.rstrip("0")
    if match["sign"] == "-":
        # The mark at the end, greater than any digit, puts -4.51 before -4.5.
        return NumberKey(-1, -magnitude, significant.translate(_COMPLEMENT) + ":")
    return NumberKey(1, magnitude, significant)


def _compact(value: Any) -> str:
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts)


def _write(value: Any, parts: list[str]) -> None:
    match value:
        case list():
            _write_list(value, parts)
        case dict():
            _write_object(value, parts)
        case Number():
            parts.append(str(value))
        case _:
            parts.append(json.dumps(value, ensure_ascii=False))


def _write_list(elements: list[Any], parts: list[str]) -> None:
    parts.append("[")
    for position, element in enumerate(elements):
        if position:
            parts.append(",")
        _write(element, parts)
    parts.append("]")


def _write_object(members: dict[str, Any], parts: list[str]) -> None:
    parts.append("{")
    for position, (key, element) in enumerate(members.items()):
        parts.append(f"{',' if position else ''}{json.dumps(key, ensure_ascii=False)}:")
        _write(element, parts)
    parts.append("}")
