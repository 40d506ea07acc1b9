"""The last fetches of a feed as a bar chart: where each bar stands and how tall it is, drawn by a template."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.knowledge.models import RunStatus, SyncRun

MOST_BARS: Final = 40
HEIGHT: Final = 60
_STEP: Final = 10
_BAR: Final = 7
_SHORTEST: Final = 3
_TONES: Final = {
    RunStatus.SUCCEEDED: "ok",
    RunStatus.UNCHANGED: "soft",
    RunStatus.FAILED: "bad",
    RunStatus.QUEUED: "open",
    RunStatus.RUNNING: "open",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One fetch; its height says how long it took, its tone how it ended."""

    run: SyncRun
    x: int
    y: int
    width: int
    height: int
    tone: str


@dataclass(frozen=True, slots=True)
class Chart:
    bars: Sequence[Bar]
    width: int
    height: int
    good: int
    failed: int
    longest_ms: int


def chart_of(runs: Sequence[SyncRun], *, direction: str) -> Chart | None:
    """Draws the newest runs, given newest first, in the reading direction; None without any."""
    if not runs:
        return None
    shown = list(runs[:MOST_BARS])
    longest = max((run.duration_ms or 0 for run in shown), default=0)
    in_order = shown if direction == "rtl" else shown[::-1]
    bars = [_bar(run, place, longest) for place, run in enumerate(in_order)]
    failed = sum(run.status == RunStatus.FAILED for run in shown)
    good = sum(run.status in {RunStatus.SUCCEEDED, RunStatus.UNCHANGED} for run in shown)
    return Chart(bars, _STEP * len(bars), HEIGHT, good, failed, longest)


def _bar(run: SyncRun, place: int, longest: int) -> Bar:
    share = (run.duration_ms or 0) / longest if longest else 0
    height = _SHORTEST + round(share * (HEIGHT - _SHORTEST))
    return Bar(run, place * _STEP, HEIGHT - height, _BAR, height, _TONES[RunStatus(run.status)])
