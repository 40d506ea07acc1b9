"""Joins samples with their counts into numbers that may be kept: no text of a sample is in the output.

    python -m bench.tokens.measure SAMPLES COUNTS [COUNTS …] > bench/tokens/measurements.jsonl

A further COUNTS file holds the counts of other tokenizers for the same samples, line by line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from apps.knowledge.tokens import COSTS, count_pairs


def classes_of(text: str) -> dict[str, list[int]]:
    """Characters and runs of each class that the text has."""
    pairs = count_pairs(text).reshape(len(COSTS), len(COSTS))
    characters = pairs.sum(axis=0)
    runs = characters - np.diagonal(pairs)
    found = zip(COSTS, characters.tolist(), runs.tolist(), strict=True)
    return {name: [chars, starts] for name, chars, starts in found if chars}


def main(samples: Path, counts: list[Path]) -> None:
    columns = [path.read_text(encoding="utf-8").splitlines() for path in counts]
    for line, *counted in zip(samples.read_text(encoding="utf-8").splitlines(), *columns, strict=True):
        sample = json.loads(line)
        tokens = {name: number for one in counted for name, number in json.loads(one).items()}
        kept = {name: sample[name] for name in ("kind", "source")}
        print(json.dumps({**kept, "classes": classes_of(sample["text"]), "tokens": tokens}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
