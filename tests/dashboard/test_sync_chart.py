"""The last fetches as bars."""

import pytest

from apps.dashboard.sources.chart import HEIGHT, MOST_BARS, chart_of
from apps.knowledge.models import RunStatus, SyncRun


def run(status: str = "succeeded", duration_ms: int | None = 100) -> SyncRun:
    return SyncRun(status=status, duration_ms=duration_ms)


def test_without_runs_there_is_no_chart() -> None:
    assert chart_of([], direction="ltr") is None


def test_the_longest_fetch_fills_the_chart_and_the_others_their_share() -> None:
    chart = chart_of([run(duration_ms=0), run(duration_ms=50), run(duration_ms=100)], direction="ltr")

    assert chart is not None
    assert [bar.height for bar in chart.bars] == [HEIGHT, 3 + round((HEIGHT - 3) / 2), 3]
    assert [bar.y + bar.height for bar in chart.bars] == [HEIGHT] * 3


@pytest.mark.parametrize(
    ("direction", "statuses"), [("ltr", ["failed", "succeeded"]), ("rtl", ["succeeded", "failed"])]
)
def test_the_newest_stands_where_reading_ends(direction: str, statuses: list[str]) -> None:
    chart = chart_of([run("succeeded"), run("failed")], direction=direction)

    assert chart is not None
    assert [bar.run.status for bar in chart.bars] == statuses
    assert [bar.x for bar in chart.bars] == [0, 10]


@pytest.mark.parametrize("status", RunStatus.values)
def test_every_outcome_has_a_tone(status: str) -> None:
    chart = chart_of([run(status, duration_ms=None)], direction="ltr")

    assert chart is not None
    assert chart.bars[0].tone in {"ok", "soft", "bad", "open"}


def test_it_counts_good_and_failed_ones() -> None:
    chart = chart_of([run("failed"), run("unchanged"), run("succeeded"), run("running")], direction="ltr")

    assert chart is not None
    assert (chart.good, chart.failed, chart.longest_ms) == (2, 1, 100)


def test_only_the_newest_are_drawn() -> None:
    chart = chart_of([run("failed"), *[run()] * MOST_BARS], direction="rtl")

    assert chart is not None
    assert len(chart.bars) == MOST_BARS
    assert chart.failed == 1
