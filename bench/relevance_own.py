"""Asks our own relevance set of the search package and of two plain engines, and prints the scores.

python -m bench.relevance_own              scores by kind and by split, then the other engines
python -m bench.relevance_own --failures   also what went wrong, of the open split only
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from bench.relevance.corpora import QUERIES, TEXTS, load_corpora
from bench.relevance.engines import Engine, LineByLine, Mawrid, Tantivy
from bench.relevance.scoring import Answer, Query, load_queries, mark, rows_by, table

Corpora = dict[str, dict[int, str]]
SHOWN = 4  # Hits listed for a failure.


def ask(build: Callable[..., Engine], corpora: Corpora, queries: list[Query]) -> dict[str, Answer]:
    engines = {name: build(lines, text=name in TEXTS) for name, lines in corpora.items()}
    return {query.id: engines[query.corpus].answer(query.query) for query in queries}


def scores(queries: list[Query], answers: dict[str, Answer], key: Callable[[Query], str]) -> str:
    marks = {query.id: mark(query, answers[query.id]) for query in queries}
    return table(rows_by(key, queries, marks, total="all"))


def failures(queries: list[Query], answers: dict[str, Answer], corpora: Corpora) -> Iterator[str]:
    for query in queries:
        answer = answers[query.id]
        flaws = list(_flaws(query, answer))
        if not flaws or query.split != "open":
            continue
        lines = corpora[query.corpus]
        yield f"{query.id}  {query.query}  [{', '.join(flaws)}]" + (f"  ({query.note})" * bool(query.note))
        yield from (f"    wanted    {number:>4}  {lines[number]}" for number in sorted(query.relevant)[:SHOWN])
        for number, full in list(zip(answer.hits, answer.full, strict=True))[:SHOWN]:
            sign = "right" if number in query.right else "WRONG"
            yield f"    {sign:<5}{'full' if full else '':<5}{number:>4}  {lines[number]}"


def _flaws(query: Query, answer: Answer) -> Iterator[str]:
    marks = mark(query, answer)
    if marks.no_answer == 0:
        yield "claims what is not there"
    if marks.recall is not None and marks.recall < 1:
        yield f"recall {marks.recall:.2f}"
    if marks.reciprocal_rank is not None and marks.reciprocal_rank < 1:
        yield f"first right at {1 / marks.reciprocal_rank:.0f}" if marks.reciprocal_rank else "none right"
    if marks.full_hit == 0:
        yield "no full match"
    if marks.full_precision is not None and marks.full_precision < 1:
        yield f"full precision {marks.full_precision:.2f}"


def main(*, with_failures: bool) -> None:
    corpora = load_corpora()
    queries = load_queries(QUERIES)
    answers = ask(Mawrid, corpora, queries)
    for split in ("open", "held_out"):
        print(f"\nMawrid, {split}\n" + scores([q for q in queries if q.split == split], answers, lambda q: q.kind))
    for name, build in (("Mawrid", Mawrid), ("tantivy, fuzzy", Tantivy), ("line by line", LineByLine)):
        theirs = answers if build is Mawrid else ask(build, corpora, queries)
        print(f"\n{name}, every query\n" + scores(queries, theirs, lambda q: q.split))
    if with_failures:
        print("\n" + "\n".join(failures(queries, answers, corpora)))


if __name__ == "__main__":
    main(with_failures="--failures" in sys.argv)
