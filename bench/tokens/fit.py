"""Fits the table of costs in apps/knowledge/tokens.py to measured counts and prints its error on sources left out.

python -m bench.tokens.fit
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from apps.knowledge.tokens import COSTS

MEASUREMENTS = Path(__file__).parent / "measurements.jsonl"
REFERENCE = "o200k_base"
ROUNDS = 20_000  # Of coordinate descent, at most.
SETTLED = 1e-7  # A round that moves no cost by more is the last.
DEAREST = (
    3.0  # Unbounded, a dash would take four tokens to itself: it stands in price lists, whose words are rare ones.
)
MADE_UP_SAYS = 0.1  # What no business sent us pins down odd characters and decides little else.
PULL = 1e-4  # Towards zero, so that a cost which no sample pins down stays small.

Vector = npt.NDArray[np.float64]
Table = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Measurement:
    kind: str
    source: str
    classes: dict[str, list[int]]
    tokens: dict[str, int]

    def features(self) -> Vector:
        return np.array([self.classes.get(name, [0, 0]) for name in COSTS], dtype=float).ravel()

    def error(self, table: Table, tokenizer: str = REFERENCE) -> float:
        """Relative and signed: above zero when the estimate is too high."""
        costs = np.array(list(table.values())).ravel()
        return math.ceil(float(self.features() @ costs)) / self.tokens[tokenizer] - 1


def load(path: Path = MEASUREMENTS) -> list[Measurement]:
    return [Measurement(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def fit(measurements: list[Measurement]) -> Table:
    """Least squares of the relative error with bounded costs; kinds weigh the same, as do sources of a kind."""
    sources = Counter(kind for kind, _ in {(one.kind, one.source) for one in measurements})
    samples = Counter((one.kind, one.source) for one in measurements)
    shares = [1 / (sources[one.kind] * samples[one.kind, one.source]) for one in measurements]
    says = [MADE_UP_SAYS if one.source.startswith("made up") else 1.0 for one in measurements]
    tokens = np.array([one.tokens[REFERENCE] for one in measurements])
    weights = np.sqrt(np.array(shares) * np.array(says)) / tokens
    matrix = np.array([one.features() for one in measurements]) * weights[:, None]
    goal = tokens * weights
    costs = _bounded_least_squares(matrix, goal).reshape(-1, 2)
    return {name: (round(char, 3), round(run, 3)) for name, (char, run) in zip(COSTS, costs.tolist(), strict=True)}


def _bounded_least_squares(matrix: Vector, goal: Vector) -> Vector:
    squares = matrix.T @ matrix
    squares += PULL * np.diag(np.diagonal(squares)) + 1e-12 * np.eye(len(squares))
    slope = matrix.T @ goal
    costs = np.zeros(len(slope))
    for _ in range(ROUNDS):
        before = costs.copy()
        for index in range(len(costs)):
            rest = slope[index] - squares[index] @ costs + squares[index, index] * costs[index]
            costs[index] = min(max(0.0, rest / squares[index, index]), DEAREST)
        if np.abs(costs - before).max() < SETTLED:
            break
    return costs


def left_out(measurements: list[Measurement]) -> Iterator[tuple[Measurement, Table]]:
    """Each measurement with the table fitted to all other sources."""
    for source in dict.fromkeys(one.source for one in measurements):
        table = fit([one for one in measurements if one.source != source])
        yield from ((one, table) for one in measurements if one.source == source)


def report(measurements: list[Measurement]) -> Iterator[str]:
    judged = list(left_out(measurements))
    yield f"{'source left out':<26}{'n':>5}{'median':>9}{'p90':>7}{'bias':>7}"
    for kind in [*dict.fromkeys(one.kind for one in measurements), "all"]:
        errors = np.array([one.error(table) for one, table in judged if kind in ("all", one.kind)])
        size = np.abs(errors)
        yield (
            f"{kind:<26}{len(errors):>5}{np.median(size):>9.1%}"
            f"{np.quantile(size, 0.9):>7.1%}{np.median(errors):>+7.1%}"
        )
    for tokenizer in measurements[0].tokens:
        for word in ("Arabic", "English"):
            errors = np.array([one.error(table, tokenizer) for one, table in judged if word in one.kind])
            yield f"against {tokenizer}, {word} kinds: median {np.median(errors):+.0%}"


def main() -> None:
    measurements = load()
    for name, (char, run) in fit(measurements).items():
        print(f'    "{name}": ({char}, {run}),')
    print("\n".join(report(measurements)))


if __name__ == "__main__":
    main()
