"""Compares the tests marked `conformance` with the table of docs/conformance.md.

`--conformance=table` prints a line for every row and every family; `--conformance=unmet` prints only what is wrong.
Both fail when a landed row has no passing test, when a test names a row that the table does not have, and when a
family of faults has fewer passing tests than it should.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

TABLE = Path(__file__).resolve().parents[1] / "docs" / "conformance.md"
_ROW = re.compile(r"^\| (?P<id>[A-Z]+-[0-9]+) \| (?P<promise>.+) \| (?P<landed>yes|no) \|$", re.MULTILINE)
_FAMILY = re.compile(r"^\| (?P<name>.+) \| (?P<least>[0-9]+) \| (?P<places>`tests/.+`) \|$", re.MULTILINE)
_PROPERTY = "conformance"
_RAN = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


@dataclass(frozen=True)
class Row:
    """One promise of the table."""

    id: str
    promise: str
    landed: bool


@dataclass(frozen=True)
class Standing:
    """What the tests of one row came to."""

    tests: int
    result: str


def read_table(text: str) -> list[Row]:
    return [Row(found["id"], found["promise"], found["landed"] == "yes") for found in _ROW.finditer(text)]


@dataclass(frozen=True)
class Family:
    """Faults and attacks of one sort, and the files that hold the tests against them."""

    name: str
    least: int
    places: tuple[str, ...]

    def passed(self, outcomes: Mapping[str, str]) -> int:
        return sum(outcome == "passed" for test, outcome in outcomes.items() if test.startswith(tuple(self.places)))


def read_families(text: str) -> list[Family]:
    return [
        Family(found["name"], int(found["least"]), tuple(found["places"].strip("`").split("` `")))
        for found in _FAMILY.finditer(text)
    ]


def shortfalls(families: Iterable[Family], outcomes: Mapping[str, str]) -> list[str]:
    """A sentence for each family with fewer passing tests than it should have."""
    counted = [(family, family.passed(outcomes)) for family in families]
    return [
        f"{family.name}: {passed} passing tests of the {family.least} there should be"
        for family, passed in counted
        if passed < family.least
    ]


def standing(outcomes: Iterable[str]) -> Standing:
    """A row is passed when all its tests that ran passed and at least one did."""
    seen = list(outcomes)
    if "failed" in seen:
        return Standing(len(seen), "failed")
    return Standing(len(seen), "passed" if "passed" in seen else "none")


def complaints(rows: Iterable[Row], outcomes: Mapping[str, Iterable[str]]) -> list[str]:
    """A sentence for each landed row without a passing test and for each row that the table does not have."""
    known = {row.id: row for row in rows}
    unmet = [
        f"{row.id} has landed and has no passing test: {row.promise}"
        for row in known.values()
        if row.landed and standing(outcomes.get(row.id, ())).result != "passed"
    ]
    unknown = [
        f"{row_id} is named by a test and is not in {TABLE.name}" for row_id in sorted(set(outcomes) - set(known))
    ]
    return unmet + unknown


@dataclass(eq=False)  # pytest keeps its plugins in sets
class ConformancePlugin:
    """Gathers outcomes by row; under xdist only the process that was started by hand sees them all."""

    mode: str
    rows: list[Row]
    families: list[Family]
    outcomes: dict[str, dict[str, str]] = field(default_factory=dict)
    tests: dict[str, str] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tests[report.nodeid] = _worse(self.tests.get(report.nodeid), report)
        for name, row_id in report.user_properties:
            if name == _PROPERTY:
                of_row = self.outcomes.setdefault(str(row_id), {})
                of_row[report.nodeid] = _worse(of_row.get(report.nodeid), report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.complaints() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        if exitstatus not in _RAN:  # Of tests that did not run nothing can be said.
            return
        terminalreporter.section("conformance")
        if self.mode == "table":
            for row in self.rows:
                found = standing(self._outcomes_of(row.id))
                terminalreporter.write_line(f"{row.id:<7}{found.tests:>5}  {found.result:<7}{row.promise}")
            for family in self.families:
                passed = family.passed(self.tests)
                terminalreporter.write_line(f"{passed:>5} of at least {family.least:<5}{family.name}")
        for complaint in self.complaints():
            terminalreporter.write_line(complaint, red=True)

    def complaints(self) -> list[str]:
        of_rows = complaints(self.rows, {row_id: of_row.values() for row_id, of_row in self.outcomes.items()})
        return of_rows + shortfalls(self.families, self.tests)

    def _outcomes_of(self, row_id: str) -> Iterable[str]:
        return self.outcomes.get(row_id, {}).values()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--conformance", choices=["table", "unmet"], help="compare the tests with docs/conformance.md")


def pytest_configure(config: pytest.Config) -> None:
    mode = config.getoption("conformance")
    if mode and not hasattr(config, "workerinput"):
        text = TABLE.read_text(encoding="utf-8")
        config.pluginmanager.register(ConformancePlugin(mode, read_table(text), read_families(text)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        rows = dict.fromkeys(row for marker in item.iter_markers("conformance") for row in marker.args)
        item.user_properties.extend((_PROPERTY, row) for row in rows)


def _worse(known: str | None, report: pytest.TestReport) -> str:
    """The outcome of a test from those of its phases: set-up and clean-up can fail or skip it too."""
    outcomes = {known, report.outcome}
    return next(outcome for outcome in ("failed", "skipped", "passed") if outcome in outcomes)
