from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.webhooks.retry import (
    DISABLE_AFTER,
    SCHEDULE,
    Outcome,
    Plan,
    Standing,
    Streak,
    next_wait,
    parse_retry_after,
    plan,
    reason_to_disable,
    streak_after,
)

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
OK = Outcome(None, 200)
FAILED = Outcome("http_status", 500)
LATER = NOW + timedelta(hours=3)


def in_(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


# --- waits --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [
        (1, 5),
        (2, 300),
        (3, 1_800),
        (4, 7_200),
        (5, 18_000),
        (6, 36_000),
        (7, 50_400),
        (8, 72_000),
        (9, 86_400),
        (10, None),
    ],
)
def test_the_schedule(attempts: int, seconds: float | None) -> None:
    assert next_wait(attempts, FAILED, chance=0) == seconds


def test_the_whole_schedule_takes_about_75_hours() -> None:
    assert 75 * 3_600 < sum(SCHEDULE) < 76 * 3_600


@pytest.mark.parametrize(("chance", "seconds"), [(-1, 240), (0, 300), (1, 360), (0.5, 330)])
def test_waits_are_spread_by_a_fifth(chance: float, seconds: float) -> None:
    assert next_wait(2, FAILED, chance=chance) == seconds


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("http_status", 429),
        Outcome("http_status", 502),
        Outcome("http_status", 504),
        Outcome("timeout"),
        Outcome("timeout", 200),
    ],
)
def test_an_overloaded_receiver_is_left_alone_for_a_minute(outcome: Outcome) -> None:
    assert next_wait(1, outcome, chance=0) == 60
    assert next_wait(2, outcome, chance=0) == 300


@pytest.mark.parametrize("outcome", [Outcome("http_status", 503), Outcome("connection_failed"), FAILED])
def test_other_failures_are_tried_again_soon(outcome: Outcome) -> None:
    assert next_wait(1, outcome, chance=0) == 5


@pytest.mark.parametrize(
    ("status", "attempts", "retry_after", "seconds"),
    [
        (503, 2, 100, 300),  # never shorter
        (503, 2, 400, 400),  # longer as asked for
        (503, 2, 600, 600),
        (503, 2, 9_999, 600),  # up to double
        (503, 1, 8, 8),
        (429, 1, 90, 90),
        (429, 1, 600, 120),
        (503, 2, 0, 300),
    ],
)
def test_retry_after_lengthens_a_wait_up_to_double(
    status: int, attempts: int, retry_after: float, seconds: float
) -> None:
    assert next_wait(attempts, Outcome("http_status", status, retry_after=retry_after), chance=0) == seconds


@given(st.integers(1, 9), st.floats(-1, 1), st.none() | st.floats(0, 1e9), st.sampled_from([429, 500, 503, 504]))
def test_a_wait_is_never_shorter_than_four_fifths_nor_longer_than_the_double(
    attempts: int, chance: float, retry_after: float | None, status: int
) -> None:
    wait = next_wait(attempts, Outcome("http_status", status, retry_after=retry_after), chance=chance)

    assert wait is not None
    assert SCHEDULE[attempts - 1] * 0.8 - 1e-6 <= wait <= max(SCHEDULE[attempts - 1] * 1.2, 60) * 2 + 1e-6


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None),
        ("120", 120),
        (" 120 ", 120),
        ("0", 0),
        ("Mon, 30 Nov 2026 08:02:00 GMT", 120),
        ("Mon, 30 Nov 2026 07:00:00 GMT", 0),
        ("Monday, 30-Nov-26 08:02:00 GMT", 120),
        ("-5", None),
        ("1e9", None),
        ("١٢٠", None),
        ("12.5", None),
        ("soon", None),
        ("", None),
        ("9" * 400, None),
        ("Mon, 99 Nov 2026 08:02:00 GMT", None),
    ],
)
def test_retry_after_as_seconds_or_as_date(text: str | None, seconds: float | None) -> None:
    assert parse_retry_after(text, NOW) == seconds


@given(st.text(max_size=60))
def test_any_retry_after_is_read_or_ignored(text: str) -> None:
    seconds = parse_retry_after(text, NOW)

    assert seconds is None or seconds >= 0


# --- one delivery -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standing", "outcome", "expected"),
    [
        (Standing(), OK, Plan("succeeded", 1)),
        (Standing(), FAILED, Plan("pending", 1, in_(5))),
        (Standing(attempts=8), FAILED, Plan("pending", 9, in_(86_400))),
        (Standing(attempts=9), FAILED, Plan("failed", 10)),
        (Standing(attempts=9), OK, Plan("succeeded", 10)),
        # A manual attempt leaves the schedule where it was.
        (Standing(attempts=2, is_manual=True, resume_at=LATER), FAILED, Plan("pending", 2, LATER)),
        (Standing(attempts=2, is_manual=True, resume_at=LATER), OK, Plan("succeeded", 2)),
        (Standing(attempts=10, is_manual=True), FAILED, Plan("failed", 10)),
        (Standing(attempts=10, is_manual=True), OK, Plan("succeeded", 10)),
        (Standing(attempts=1, is_manual=True, has_succeeded=True), FAILED, Plan("succeeded", 1)),
        # Tests are not retried.
        (Standing(is_test=True), FAILED, Plan("failed", 1)),
        (Standing(is_test=True), OK, Plan("succeeded", 1)),
        (Standing(attempts=1, is_test=True, is_manual=True), FAILED, Plan("failed", 1)),
        # Cancelled while it was under way.
        (Standing(is_cancelled=True), FAILED, Plan("cancelled", 1)),
        (Standing(is_cancelled=True), OK, Plan("succeeded", 1)),
    ],
)
def test_how_a_delivery_moves_on(standing: Standing, outcome: Outcome, expected: Plan) -> None:
    assert plan(standing, outcome, now=NOW, chance=0) == expected


def test_the_unit_of_the_schedule_can_be_made_small() -> None:
    assert plan(Standing(), FAILED, now=NOW, chance=0, unit=0.01).next_attempt_at == in_(0.05)


# --- an endpoint --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("streak", "outcome", "expected"),
    [
        (Streak(), FAILED, Streak(1, NOW, NOW)),
        (Streak(3, in_(-100), in_(-50)), FAILED, Streak(4, in_(-100), NOW)),
        (Streak(3, in_(-100), in_(-50)), OK, Streak()),
        (Streak(), OK, Streak()),
        # A failure of long ago says nothing of today.
        (Streak(3, in_(-2 * DISABLE_AFTER), in_(-DISABLE_AFTER)), FAILED, Streak(1, NOW, NOW)),
        (
            Streak(3, in_(-2 * DISABLE_AFTER), in_(-DISABLE_AFTER + 1)),
            FAILED,
            Streak(4, in_(-2 * DISABLE_AFTER), NOW),
        ),
    ],
)
def test_failures_in_a_row(streak: Streak, outcome: Outcome, expected: Streak) -> None:
    assert streak_after(streak, outcome, now=NOW) == expected


@pytest.mark.parametrize(
    ("streak", "outcome", "reason"),
    [
        (Streak(1, NOW, NOW), FAILED, None),
        (Streak(39, NOW, NOW), FAILED, None),
        (Streak(40, NOW, NOW), FAILED, "failures_in_a_row"),
        (Streak(5, in_(-DISABLE_AFTER + 1), NOW), FAILED, None),
        (Streak(5, in_(-DISABLE_AFTER), NOW), FAILED, "no_success"),
        (Streak(1, NOW, NOW), Outcome("http_status", 410), "gone"),
        (Streak(1, NOW, NOW), Outcome("http_status", 404), None),
        (Streak(), OK, None),
    ],
)
def test_when_an_endpoint_is_given_up(streak: Streak, outcome: Outcome, reason: str | None) -> None:
    assert reason_to_disable(streak, outcome, now=NOW) == reason
