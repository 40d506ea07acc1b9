from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.sync.decide import (
    Brought,
    Failed,
    NotModified,
    Outcome,
    Plan,
    Standing,
    next_sync_at,
    plan,
)

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
OLD, NEW = "a" * 64, "b" * 64
FAILED = Failed("http_status")


def standing(**fields: object) -> Standing:
    return Standing(**{"interval": HOUR, "attempted_at": NOW, "synced": OLD, **fields})  # type: ignore[arg-type]


def wait(failures: int, minutes: int = 60, *, chance: float = 0) -> timedelta:
    return next_sync_at(NOW, timedelta(minutes=minutes), failures, chance=chance) - NOW


@pytest.mark.parametrize(
    ("before", "outcome", "expected"),
    [
        (standing(), Brought(NEW), Plan("succeeded", 0, 0, NOW + HOUR, ("sync_succeeded",))),
        (standing(synced=None), Brought(NEW), Plan("succeeded", 0, 0, NOW + HOUR, ("sync_succeeded",))),
        (standing(), Brought(OLD), Plan("unchanged", 0, 0, NOW + HOUR, ())),
        (standing(), NotModified(), Plan("unchanged", 0, 0, NOW + HOUR, ())),
        (standing(failures=2), NotModified(), Plan("unchanged", 0, 0, NOW + HOUR, ("sync_recovered",))),
        (
            standing(failures=2),
            Brought(NEW),
            Plan("succeeded", 0, 0, NOW + HOUR, ("sync_succeeded", "sync_recovered")),
        ),
        (standing(lost_claims=2), Brought(NEW), Plan("succeeded", 0, 0, NOW + HOUR, ("sync_succeeded",))),
        (standing(), FAILED, Plan("failed", 1, 0, NOW + HOUR, ("sync_failed",))),
        (standing(failures=1), FAILED, Plan("failed", 2, 0, NOW + 2 * HOUR, ("sync_failed",))),
        (standing(lost_claims=2), FAILED, Plan("failed", 1, 0, NOW + HOUR, ("sync_failed",))),
    ],
)
def test_what_follows_from_an_outcome(before: Standing, outcome: Outcome, expected: Plan) -> None:
    assert plan(before, outcome, chance=0) == expected


@pytest.mark.parametrize(
    ("lost_before", "expected"),
    [
        (0, Plan("failed", 0, 1, None, ("sync_failed",))),
        (1, Plan("failed", 0, 2, None, ("sync_failed",))),
        (2, Plan("failed", 1, 3, NOW + HOUR, ("sync_failed",))),
        (3, Plan("failed", 1, 4, NOW + HOUR, ("sync_failed",))),
    ],
)
def test_only_the_third_lost_worker_in_a_row_counts_as_a_failure(lost_before: int, expected: Plan) -> None:
    assert plan(standing(lost_claims=lost_before), Failed("worker_lost"), chance=0) == expected


@pytest.mark.conformance("R-8", "KA-077")
@pytest.mark.parametrize(("chance", "minutes"), [(-1, 54), (0, 60), (0.5, 63), (1, 66)])
def test_the_next_sync_is_an_interval_after_the_last_attempt_and_a_tenth_around_it(
    chance: float, minutes: float
) -> None:
    assert wait(0, chance=chance) == timedelta(minutes=minutes)


@pytest.mark.conformance("R-8")
@pytest.mark.parametrize(
    ("minutes", "failures", "waited"),
    [
        (60, 1, 60),
        (60, 2, 120),
        (60, 3, 240),
        (60, 4, 240),
        (60, 10_000, 240),
        (15, 3, 60),
        (1_440, 1, 1_440),
        (1_440, 3, 1_440),
        (720, 2, 1_440),
        (720, 3, 1_440),
    ],
)
def test_failures_back_off_to_four_intervals_and_a_day_at_most(minutes: int, failures: int, waited: int) -> None:
    assert wait(failures, minutes) == timedelta(minutes=waited)


@pytest.mark.conformance("R-8")
@given(st.integers(15, 1_440), st.integers(0, 1_000_000), st.floats(-1, 1))
def test_no_wait_is_out_of_bounds(minutes: int, failures: int, chance: float) -> None:
    interval = timedelta(minutes=minutes)
    longest = min(4 * interval, timedelta(hours=24)) if failures else 1.1 * interval

    assert 0.9 * interval <= wait(failures, minutes, chance=chance) <= longest + timedelta(microseconds=1)
