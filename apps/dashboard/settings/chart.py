"""Questions a day as a bar chart: where each bar stands and how tall it is, drawn by a template."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.knowledge.queries import DayOfQuestions

HEIGHT: Final = 80
_STEP: Final = 8
_BAR: Final = 6
_SHORTEST: Final = 1


@dataclass(frozen=True, slots=True)
class Bar:
    """One day: all questions as one bar, those without a hit as its foot."""

    day: DayOfQuestions
    x: int
    y: int
    height: int
    missed_y: int
    missed_height: int


@dataclass(frozen=True, slots=True)
class Chart:
    bars: Sequence[Bar]
    width: int
    height: int
    bar_width: int
    asked: int
    missed: int


def chart_of(days: Sequence[DayOfQuestions], *, direction: str) -> Chart:
    """Draws the days, given from the first to the last, in the reading direction."""
    most = max((day.asked for day in days), default=0)
    in_order = list(reversed(days)) if direction == "rtl" else list(days)
    return Chart(
        bars=[_bar(day, place, most) for place, day in enumerate(in_order)],
        width=_STEP * len(days),
        height=HEIGHT,
        bar_width=_BAR,
        asked=sum(day.asked for day in days),
        missed=sum(day.missed for day in days),
    )


def _bar(day: DayOfQuestions, place: int, most: int) -> Bar:
    height = _scaled(day.asked, most) or _SHORTEST
    missed_height = _scaled(day.missed, most)
    return Bar(day, place * _STEP, HEIGHT - height, height, HEIGHT - missed_height, missed_height)


def _scaled(count: int, most: int) -> int:
    """A bar for whatever happened at all is seen, however many happened on other days."""
    return max(round(count / most * HEIGHT), 2) if count else 0
