"""JSON from strangers, read strictly: bounded depth and numbers, no NaN, numbers kept as they were written.

Requests and feeds share these rules. Python's own reader accepts NaN, turns 1e400 into infinity, raises
`RecursionError` on deep nesting and changes 19.90 into 19.9; none of that reaches the rest of the program.
"""

import functools
import json
import math
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

MAX_DEPTH: Final = 100
MAX_NUMBER_LENGTH: Final = 1_000

# An unclosed string runs to the end of the text: were it no match, each escaped quote in it would start a
# new search to the end.
# Possessive, so that half a million escapes leave no trail to go back on.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
# Only from the start of a run: a try at each of its digits would cost a thousand times as much.
_NUMBER_RUN = re.compile(rf"(?<![-+0-9.eE])[-+0-9.eE]{{{MAX_NUMBER_LENGTH + 1}}}")
_BRACKETS = re.compile(r"[\[\]{}]")
# Python's reader does not tell where it met one.
_CONSTANT = re.compile(rf"{_STRING.pattern}|(?P<constant>-?(?:NaN|Infinity))", re.DOTALL)


class Place(NamedTuple):
    """A line of a text and a column of it in code points, both counted from 1."""

    line: int
    column: int


BEGINNING: Final = Place(1, 1)


def place_of(text: str, at: int) -> Place:
    """Return the place of a code point of a text, or of its end."""
    return Place(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


class InvalidJsonError(ValueError):
    """The text is not JSON by these rules.

    `reason` is one of syntax, depth, number, constant; of syntax and constants `at` tells which code point of the
    text was not understood.
    """

    def __init__(self, reason: str, at: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


class Number(str):
    """A JSON number as its sender wrote it, such as ``12.50``; text never has this type."""

    __slots__ = ()


def loads(text: str, *, keep_numbers: bool = False) -> Any:
    """Parse a JSON text; with `keep_numbers` every number becomes a `Number`.

    Raises `InvalidJsonError`. The last of several equal keys wins; lone surrogates pass, they are the
    caller's affair.
    """
    _check_size_of_parts(text)
    decoder = _KEEPING if keep_numbers else _PLAIN
    try:
        return decoder.decode(text)
    except _ConstantError as error:
        raise InvalidJsonError("constant", _first_constant(text)) from error
    except json.JSONDecodeError as error:
        raise InvalidJsonError("syntax", error.pos) from error


def _check_size_of_parts(text: str) -> None:
    """Refuse deep nesting and endless numbers before the parser meets them, in one linear pass each."""
    bare = _STRING.sub('""', text)
    if _NUMBER_RUN.search(bare):
        raise InvalidJsonError("number")
    depth = 0
    for bracket in _BRACKETS.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise InvalidJsonError("depth")


class _ConstantError(Exception):
    """The reader met NaN or an infinity."""


def _refuse_constant(_: str) -> Any:
    raise _ConstantError


def _first_constant(text: str) -> int:
    return next(match.start() for match in _CONSTANT.finditer(text) if match["constant"])


def _float_or_number(text: str) -> float | Number:
    """A number past every float is JSON all the same and stays as it was written; no field takes it for text."""
    value = float(text)
    return value if math.isfinite(value) else Number(text)


def _decoder(parse_int: Callable[[str], Any], parse_float: Callable[[str], Any]) -> json.JSONDecoder:
    return json.JSONDecoder(parse_int=parse_int, parse_float=parse_float, parse_constant=_refuse_constant)


_PLAIN = _decoder(int, _float_or_number)
# A feed of half a million equal numbers must not become half a million objects.
_shared_number = functools.lru_cache(maxsize=4_096)(Number)
_KEEPING = _decoder(_shared_number, _shared_number)
