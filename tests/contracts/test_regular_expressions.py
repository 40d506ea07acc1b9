"""No regular expression of ours can take more than linear time by nested repetition (U-6)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

# The parser of `re` is the only reader of its own language; it moved in Python 3.11.
from re import _constants as constants
from re import _parser as parser
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
# Each round of the outer repetition begins with a point or comma, which no inner one takes.
LINEAR_ALL_THE_SAME = {r"a+|0+(?:[.,]0+)*"}
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT}


def patterns() -> Iterator[tuple[str, str]]:
    """Every literal that is given to a function of `re`, with where it stands."""
    for path in sorted((REPOSITORY / "apps").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                continue
            owner, literal = node.func.value, node.args[0]
            if isinstance(owner, ast.Name) and owner.id == "re" and isinstance(literal, ast.Constant):
                yield f"{path.relative_to(REPOSITORY)}:{node.lineno}", str(literal.value)


def is_open_ended(repeat: Any) -> bool:
    return bool(repeat[1] is constants.MAXREPEAT)


def has_nested_repeat(parsed: Any, *, inside: bool = False) -> bool:
    """Whether an open-ended repetition that can be given back stands inside of another one."""
    for code, argument in parsed:
        if code in REPEATS:
            open_ended = is_open_ended(argument)
            if inside and open_ended:
                return True
            if has_nested_repeat(argument[2], inside=inside or open_ended):
                return True
        elif code is constants.SUBPATTERN:
            if has_nested_repeat(argument[3], inside=inside):
                return True
        elif code is constants.BRANCH and any(has_nested_repeat(branch, inside=inside) for branch in argument[1]):
            return True
    return False


@pytest.mark.conformance("U-6")
@pytest.mark.parametrize("where_and_pattern", list(patterns()), ids=lambda pair: pair[0])
def test_no_repetition_stands_inside_of_another(where_and_pattern: tuple[str, str]) -> None:
    pattern = where_and_pattern[1]
    assert pattern in LINEAR_ALL_THE_SAME or not has_nested_repeat(parser.parse(pattern))


@pytest.mark.parametrize("pattern", [r"(a+)+", r"(?:a*b?)*", r"((a|b)+c)*", r"(\w+\s?)*$"])
def test_the_check_sees_what_it_looks_for(pattern: str) -> None:
    assert has_nested_repeat(parser.parse(pattern))


@pytest.mark.parametrize("pattern", [r"a+b*", r"(?:ab)+", r"(a{1,3})+", r'"[^"]*+(?:\\.[^"]*+)*+"'])
def test_it_lets_linear_ones_pass(pattern: str) -> None:
    assert not has_nested_repeat(parser.parse(pattern))
    re.compile(pattern)
