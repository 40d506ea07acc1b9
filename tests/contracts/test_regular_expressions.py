"""No regular expression of ours can take more than linear time by nested repetition (U-6)."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

# The parser of `re` is the only reader of its own language; it moved in Python 3.11.
from re import _constants as constants
from re import _parser as parser
from typing import Any

import pytest

from apps.knowledge.documents.models import LOCALE_PATTERN

REPOSITORY = Path(__file__).parents[2]
# Each round of the outer repetition begins with a sign that no inner one takes.
LINEAR_ALL_THE_SAME = {r"a+|0+(?:[.,]0+)*", LOCALE_PATTERN}
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT}


# What is not put together of a module's own constants, and where it comes from all the same.
FROM_OUR_OWN_TABLES = {
    "apps/rest/errors.py: paths": "the rooms' own forms of refusals",
    "apps/rest/fields.py: self.regex": "a constant of a serializer",
    "apps/rest/fields.py: f'^(?:{pattern})$'": "a constant of a serializer",
    "apps/kernel/credentials.py: f'{prefix}([0-9A-Za-z]{{{lookup_length}}})"
    "_[0-9A-Za-z]{{{RANDOM_LENGTH}}}([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})'": "the kinds of credentials",
    "apps/kernel/ids.py: f'{prefix}_{_ULID}'": "the prefixes of ids",
    "apps/search/forms.py: fits": "the table of forms of words",
}


def calls_of_re() -> Iterator[tuple[Path, ast.expr]]:
    """What is given to each function of `re`, and by which file."""
    for path in sorted((REPOSITORY / "apps").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                continue
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr != "escape":
                yield path.relative_to(REPOSITORY), node.args[0]


def value_of(path: Path, given: ast.expr) -> str | None:
    """The pattern, as the module's constants make it; None when it is made of anything else."""
    module = importlib.import_module(".".join(path.with_suffix("").parts))
    try:
        return str(eval(ast.unparse(given), vars(module)))
    except (NameError, AttributeError):
        return None


CALLS = [(f"{path}: {ast.unparse(given)}", value_of(path, given)) for path, given in calls_of_re()]
PATTERNS = {place: pattern for place, pattern in CALLS if pattern is not None}


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
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_no_repetition_stands_inside_of_another(pattern: str) -> None:
    assert pattern in LINEAR_ALL_THE_SAME or not has_nested_repeat(parser.parse(pattern))


@pytest.mark.conformance("U-6")
def test_no_pattern_comes_from_a_caller() -> None:
    assert {place for place, pattern in CALLS if pattern is None} == set(FROM_OUR_OWN_TABLES)


@pytest.mark.parametrize("pattern", [r"(a+)+", r"(?:a*b?)*", r"((a|b)+c)*", r"(\w+\s?)*$"])
def test_the_check_sees_what_it_looks_for(pattern: str) -> None:
    assert has_nested_repeat(parser.parse(pattern))


@pytest.mark.parametrize("pattern", [r"a+b*", r"(?:ab)+", r"(a{1,3})+", r'"[^"]*+(?:\\.[^"]*+)*+"'])
def test_it_lets_linear_ones_pass(pattern: str) -> None:
    assert not has_nested_repeat(parser.parse(pattern))
    re.compile(pattern)
