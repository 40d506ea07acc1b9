"""Scores the answers of a search engine against hand-judged queries: the measures of our relevance benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEPTH = 25  # Hits past this place are not read: the lookup never returns more.
FIRST_SCREEN = 10  # A first right hit beyond this place is worth nothing to the reciprocal rank.


@dataclass(frozen=True)
class Query:
    """What a customer typed, and the lines of the corpus that answer it."""

    id: str
    corpus: str
    query: str
    kind: str
    relevant: frozenset[int]
    acceptable: frozenset[int] = frozenset()
    note: str = ""
    split: str = "open"
    full: bool = True  # Whether a line has every word that counts, so that a full match is owed.

    @property
    def right(self) -> frozenset[int]:
        return self.relevant | self.acceptable


@dataclass(frozen=True)
class Answer:
    """Line numbers, best first, and for each whether the engine says it has every word that counts."""

    hits: tuple[int, ...] = ()
    full: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Marks:
    """The marks of one query; a measure that does not apply to it is None."""

    recall: float | None = None
    reciprocal_rank: float | None = None
    full_hit: float | None = None
    full_precision: float | None = None
    no_answer: float | None = None


@dataclass(frozen=True)
class Row:
    """One line of the printed table: the means over a group of queries."""

    name: str
    count: int
    means: Mapping[str, float | None] = field(default_factory=dict)


MEASURES = ("recall", "reciprocal_rank", "full_hit", "full_precision", "no_answer")
HEADINGS = ("recall@25", "MRR@10", "full-hit", "full-prec", "no-answer")
NO_ANSWER = "no_answer"


def load_queries(path: Path) -> list[Query]:
    """Read queries from JSON lines, one a line, with the field names of `Query`."""
    with path.open(encoding="utf-8") as lines:
        return [_query(json.loads(line)) for line in lines if line.strip()]


def _query(row: dict[str, object]) -> Query:
    def text(name: str, default: str = "") -> str:
        return str(row.get(name, default))

    def numbers(name: str) -> frozenset[int]:
        value = row.get(name, [])
        return frozenset(value) if isinstance(value, list) else frozenset()

    return Query(
        id=text("id"),
        corpus=text("corpus"),
        query=text("query"),
        kind=text("kind"),
        relevant=numbers("relevant"),
        acceptable=numbers("acceptable"),
        note=text("note"),
        split=text("split", "open"),
        full=bool(row.get("full", True)),
    )


def mark(query: Query, answer: Answer) -> Marks:
    """Judge one answer; a line named twice counts at its first place only."""
    hits = _first_places(answer)
    claimed = [line for line, full in hits if full]
    if query.kind == NO_ANSWER:
        return Marks(no_answer=float(not claimed))
    found = query.relevant & {line for line, _ in hits}
    right_claims = sum(line in query.right for line in claimed)
    return Marks(
        recall=len(found) / min(DEPTH, len(query.relevant)),
        reciprocal_rank=_reciprocal_rank([line for line, _ in hits], query.right),
        full_hit=float(right_claims > 0) if query.full else None,
        full_precision=right_claims / len(claimed) if claimed else None,
    )


def _first_places(answer: Answer) -> list[tuple[int, bool]]:
    places: dict[int, bool] = {}
    for line, full in zip(answer.hits, answer.full, strict=True):
        places.setdefault(line, full)
    return list(places.items())[:DEPTH]


def _reciprocal_rank(lines: Sequence[int], right: frozenset[int]) -> float:
    for place, line in enumerate(lines[:FIRST_SCREEN], start=1):
        if line in right:
            return 1 / place
    return 0.0


def row(name: str, marks: Sequence[Marks]) -> Row:
    """Average each measure over the queries it applies to."""
    means: dict[str, float | None] = {}
    for measure in MEASURES:
        values = [value for one in marks if (value := getattr(one, measure)) is not None]
        means[measure] = sum(values) / len(values) if values else None
    return Row(name=name, count=len(marks), means=means)


def rows_by(
    key: Callable[[Query], str], queries: Iterable[Query], marks: Mapping[str, Marks], *, total: str
) -> list[Row]:
    """One row for each group in order of first appearance, and a last row over all of them."""
    groups: dict[str, list[Marks]] = {}
    for query in queries:
        groups.setdefault(key(query), []).append(marks[query.id])
    everything = [one for group in groups.values() for one in group]
    return [*(row(name, group) for name, group in groups.items()), row(total, everything)]


def table(rows: Iterable[Row]) -> str:
    """Lay rows out as text, in per cent."""
    lines = [f"{'':<22}{'n':>5}" + "".join(f"{heading:>11}" for heading in HEADINGS)]
    for one in rows:
        cells = "".join(f"{_percent(one.means.get(measure)):>11}" for measure in MEASURES)
        lines.append(f"{one.name:<22}{one.count:>5}{cells}")
    return "\n".join(lines)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
