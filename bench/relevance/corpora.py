"""Reads the corpora of our relevance benchmark as numbered lines."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "corpora"
QUERIES = Path(__file__).parent / "queries.jsonl"
TEXTS = frozenset({"policies.txt"})  # Paragraphs, one a line; the other corpora are catalogs.


def numbered_lines(path: Path) -> dict[int, str]:
    """Number the lines from 1 and leave out blank ones, which are no chunk of any source."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return {number: line for number, line in enumerate(lines, start=1) if line.strip()}


def load_corpora(folder: Path = FOLDER) -> dict[str, dict[int, str]]:
    return {path.name: numbered_lines(path) for path in sorted(folder.glob("*.txt"))}
