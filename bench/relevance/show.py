"""Prints each query with the lines judged to answer it, for re-reading the judgements.

python -m bench.relevance.show [kind or id prefix]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bench.relevance.corpora import QUERIES, load_corpora
from bench.relevance.scoring import Query, load_queries


def judgement(query: Query, lines: dict[int, str]) -> Iterator[str]:
    yield f"{query.id} [{query.corpus}, {query.split}]  {query.query}" + (f"  ({query.note})" * bool(query.note))
    for name, numbers in (("relevant", query.relevant), ("acceptable", query.acceptable)):
        for number in sorted(numbers):
            yield f"    {name:<11}{number:>4}  {lines[number]}"


def main(wanted: str) -> None:
    corpora = load_corpora()
    for query in load_queries(QUERIES):
        if query.kind == wanted or query.id.startswith(wanted):
            print("\n".join(judgement(query, corpora[query.corpus])))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
