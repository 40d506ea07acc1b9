"""The page about the protocol says what the code does."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from apps.agents.runs import MAX_STEPS
from apps.gateway import budget, hints, references, retention
from apps.gateway.errors import WIRE_NAMES
from apps.gateway.runtime import inline, protocol
from apps.gateway.runtime.searching import DISABLED, OK, PARTIAL, UNAVAILABLE
from apps.kernel.errors import CATALOGUE

PAGE: Final = (Path(__file__).resolve().parents[3] / "docs" / "agent-protocol.md").read_text(encoding="utf-8")
FIGURES: Final[Mapping[str, int]] = {
    "hints of a search": hints.MOST_HINTS,
    "bytes of a search's answer": hints.MOST_BYTES,
    "bytes of a page, at least": budget.LEAST_PAGE_BYTES,
    "bytes of a page, at most": budget.MOST_PAGE_BYTES,
    "bytes of a page, unless said otherwise": budget.DEFAULT_PAGE_BYTES,
    "bytes of a text that one chain of pages shows": budget.CHAIN_BYTES,
    "seconds for which a reference is good": references.TTL_SECONDS,
    "bytes of a reference or cursor that is looked at": references.MOST_BYTES,
    "characters of a search's query": protocol.MOST_QUERY,
    "characters of a question, or of an answer": protocol.MOST_INPUT,
    "bytes of `page_context` as JSON": protocol.MOST_PAGE_CONTEXT_BYTES,
    "renderers": protocol.MOST_RENDERERS,
    "bytes of bodies in a turn, as JSON": inline.MOST_BYTES,
    "bytes of the body of a turn or a completion": protocol.MOST_TURN_BODY_BYTES,
    "workspaces that are listed": protocol.MOST_WORKSPACES,
    "searches and the prompt of one run": MAX_STEPS,
    "days for which turns are kept": retention.TURN_KEEPING_TIME // timedelta(days=1),
}


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("|-")
    ]


def codes() -> Iterator[tuple[str, str]]:
    """Each code of the tables of refusals with the status that it stands under."""
    for text in ("Knowledge", "Refusals"):
        for status, named, *_ in rows(section(text)):
            yield from ((code, status) for code in re.findall(r"`(\w+)`", named) if status.isdigit())


def test_every_limit_is_that_of_the_code() -> None:
    assert dict(rows(section("Limits"))[1:]) == {words: f"{figure:,}" for words, figure in FIGURES.items()}


@pytest.mark.parametrize(("code", "status"), sorted(set(codes())))
def test_every_code_stands_under_its_status(code: str, status: str) -> None:
    ours: dict[str, Any] = {name: one for one, name in WIRE_NAMES.items()}

    assert CATALOGUE[ours.get(code, code)].status == int(status)


@pytest.mark.conformance("BH-051")
def test_every_status_of_a_search_is_explained() -> None:
    explained = [row[0].strip("`") for row in rows(section("Knowledge")) if len(row) == 2]

    assert {OK, PARTIAL, UNAVAILABLE, DISABLED} <= set(explained)


@pytest.mark.conformance("BH-054")
def test_a_score_is_said_to_be_no_probability() -> None:
    assert "no\nprobability" in PAGE or "no probability" in PAGE


@pytest.mark.conformance("BH-089")
@pytest.mark.parametrize(
    "duty", ["never made up", "drops answers that come late", "reference only", "404, 405 and 501"]
)
def test_what_hosts_owe_is_said(duty: str) -> None:
    assert duty in section("What is left to hosts").replace("\n  ", " ")
