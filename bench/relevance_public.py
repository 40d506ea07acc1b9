"""Asks the public relevance benchmark, which lies beside the project, of the search and prints the scores.

python -m bench.relevance_public [KIND ...]      with kinds, also every query of these that went wrong
"""

import csv
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from apps.search.chunks import CELL_SEPARATOR, Chunk
from apps.search.engine import Part, search
from apps.search.segment import Segment, compile_segment

SHARED: Final = Path(__file__).resolve().parents[2] / "shared"
QUERIES: Final = SHARED / "bench" / "relevance"
DATA: Final = SHARED / "data"
SCORER: Final = SHARED / "tools" / "score_relevance.py"

# Per cent over all kinds but transliteration.
TARGETS: Final = {"recall@25": 97.5, "MRR@10": 96.0, "full-hit": 95.0, "full-prec": 86.0, "no-answer": 93.0}
LEAST_TRANSLITERATION_RECALL: Final = 60.0
MOST_UNDER_BEST: Final = 5.0
BEST_ENGINE_ROW: Final = re.compile(r"\| (\w+) \| ([\d.]+) \| ([\d.]+) \|")

Scores = dict[str, dict[str, float]]
Corpus = tuple[Segment, list[int]]


def is_here() -> bool:
    return SCORER.exists() and QUERIES.is_dir()


@cache
def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_relevance", SCORER)
    if spec is None or spec.loader is None:
        raise ImportError(f"{SCORER} cannot be read.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbered_chunks(path: Path) -> Iterator[tuple[int, Chunk]]:
    """Yield the lines that are items or paragraphs, with their line numbers in the file."""
    rows = path.read_text(encoding="utf-8").split("\n")
    names = next(csv.reader(rows[:1])) if path.suffix == ".csv" else None
    for number, row in enumerate(rows, 1):
        if not row.strip() or (names and number == 1):
            continue
        if names is None:
            yield number, Chunk(row.strip())
        else:
            cells = next(csv.reader([row]))
            yield (
                number,
                Chunk(CELL_SEPARATOR.join(filter(None, cells)), None, dict(zip(names, cells, strict=True))),
            )


@cache
def corpus(name: str) -> Corpus:
    numbers, chunks = zip(*numbered_chunks(DATA / name), strict=True)
    return Segment(compile_segment(chunks)), list(numbers)


def answer(query: dict[str, Any]) -> dict[str, Any]:
    segment, numbers = corpus(query["corpus"])
    hits = search([Part(segment, (0,))], query["query"]).hits
    return {
        "id": query["id"],
        "hits": [numbers[hit.position - 1] for hit in hits],
        "full": [hit.full_match for hit in hits],
    }


def ask() -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    queries: list[dict[str, Any]] = list(scorer().rows(str(QUERIES)))
    return queries, {query["id"]: answer(query) for query in queries}


def scores(queries: list[dict[str, Any]], answers: dict[str, dict[str, Any]]) -> Scores:
    """Return the measures of every kind, and of all but transliteration, in per cent."""
    kinds = scorer().score(queries, answers)
    core = {
        measure: sum(kind[measure] for name, kind in kinds.items() if name != "transliteration")
        for measure in next(iter(kinds.values()))
    }
    return {name: _per_cent(kind) for name, kind in {**kinds, "all but translit.": core}.items()}


def _per_cent(kind: dict[str, float]) -> dict[str, float]:
    answerable = kind["n"] - kind["none_n"]
    parts = {
        "recall@25": (kind["recall"], answerable),
        "MRR@10": (kind["mrr"], answerable),
        "full-hit": (kind["fullhit"], answerable),
        "full-prec": (kind["prec"], kind["prec_n"]),
        "no-answer": (kind["none_ok"], kind["none_n"]),
    }
    return {measure: 100 * part / whole for measure, (part, whole) in parts.items() if whole}


def shortfalls(found: Scores) -> list[str]:
    """Return what stays under the targets, in plain words."""
    total = found["all but translit."]
    short = [
        f"{measure} {total[measure]:.1f} < {least}" for measure, least in TARGETS.items() if total[measure] < least
    ]
    if found["transliteration"]["recall@25"] < LEAST_TRANSLITERATION_RECALL:
        short.append(f"transliteration recall {found['transliteration']['recall@25']:.1f}")
    for kind, recall, rank in BEST_ENGINE_ROW.findall((QUERIES / "README.md").read_text(encoding="utf-8")):
        for measure, best in (("recall@25", float(recall)), ("MRR@10", float(rank))):
            if found[kind][measure] < best - MOST_UNDER_BEST:
                short.append(f"{kind} {measure} {found[kind][measure]:.1f}, the best engine has {best}")
    return short


def print_failures(queries: list[dict[str, Any]], answers: dict[str, dict[str, Any]], kinds: set[str]) -> None:
    for query in queries:
        given = answers[query["id"]]
        right = {*query["relevant"], *query["acceptable"]}
        wrong = [
            line for line, full in zip(given["hits"], given["full"], strict=True) if full and line not in right
        ]
        missed = set(query["relevant"]) - set(given["hits"])
        if query["kind"] in kinds and (wrong or missed):
            print(json.dumps({**query, "missed": sorted(missed), "wrongly_full": wrong}, ensure_ascii=False))


def main(kinds: set[str]) -> None:
    if not is_here():
        print("Skipped: the public relevance benchmark is not beside the project.")
        return
    queries, answers = ask()
    print(scorer().table(scorer().score(queries, answers)))
    print("\n".join(shortfalls(scores(queries, answers))) or "Every target is reached.")
    print_failures(queries, answers, kinds)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
