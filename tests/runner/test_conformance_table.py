"""How tests and the table of docs/conformance.md are compared."""

import pytest

from tests.conformance_table import (
    TABLE,
    Family,
    Row,
    Standing,
    complaints,
    read_families,
    read_table,
    shortfalls,
    standing,
)

ROOT = TABLE.parents[1]


def test_rows_are_read_with_promise_and_standing() -> None:
    head = "| id | promise | landed |\n|---|---|---|\n"
    text = head + "| KA-001 | Ids have a prefix | yes |\n| C-1 | One parser | no |\n"

    assert read_table(text) == [
        Row("KA-001", "Ids have a prefix", landed=True),
        Row("C-1", "One parser", landed=False),
    ]


def test_every_line_of_the_real_table_is_read_once() -> None:
    text = TABLE.read_text(encoding="utf-8")
    heads = ("| id |", "| family |")
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(heads)]
    rows = read_table(text)

    assert len(rows) + len(read_families(text)) == len(lines)
    assert len({row.id for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], Standing(0, "none")),
        (["skipped"], Standing(1, "none")),
        (["passed", "skipped"], Standing(2, "passed")),
        (["passed", "failed"], Standing(2, "failed")),
    ],
)
def test_a_row_stands_as_its_tests_do(outcomes: list[str], expected: Standing) -> None:
    assert standing(outcomes) == expected


@pytest.mark.parametrize(
    ("landed", "outcomes", "expected"),
    [
        (True, {"KA-001": ["passed"]}, []),
        (True, {}, ["KA-001 has landed and has no passing test: Ids have a prefix"]),
        (True, {"KA-001": ["failed"]}, ["KA-001 has landed and has no passing test: Ids have a prefix"]),
        (False, {}, []),
        (False, {"KA-999": ["passed"]}, ["KA-999 is named by a test and is not in conformance.md"]),
    ],
)
def test_a_landed_row_needs_a_passing_test(
    landed: bool, outcomes: dict[str, list[str]], expected: list[str]
) -> None:
    assert complaints([Row("KA-001", "Ids have a prefix", landed)], outcomes) == expected


FAMILY = Family("TLS", 2, ("tests/outbound/test_tls.py", "tests/flows/"))


def test_families_are_read_with_their_places() -> None:
    line = "| TLS | 2 | `tests/outbound/test_tls.py` `tests/flows/` |"

    assert read_families(f"x\n{line}\ny") == [FAMILY]


@pytest.mark.parametrize(
    ("outcomes", "sentences"),
    [
        ({"tests/outbound/test_tls.py::a": "passed", "tests/flows/test_x.py::b": "passed"}, []),
        (
            {"tests/outbound/test_tls.py::a": "passed", "tests/flows/test_x.py::b": "skipped"},
            ["TLS: 1 passing tests of the 2 there should be"],
        ),
        ({"tests/outbound/test_tls_other.py::a": "passed"}, ["TLS: 0 passing tests of the 2 there should be"]),
    ],
)
def test_a_family_needs_its_number_of_passing_tests(outcomes: dict[str, str], sentences: list[str]) -> None:
    assert shortfalls([FAMILY], outcomes) == sentences


def test_every_place_of_the_real_families_is_there() -> None:
    families = read_families(TABLE.read_text(encoding="utf-8"))

    assert len(families) > 20
    assert [place for family in families for place in family.places if not (ROOT / place).exists()] == []
