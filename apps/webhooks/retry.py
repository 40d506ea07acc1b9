"""When a delivery is tried again, and when an endpoint is given up: rules without clock, chance or database."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE

# Seconds from one attempt of the schedule to the next: ten attempts in 75 hours.
SCHEDULE: Final = (5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
JITTER: Final = 0.2
# What an overloaded receiver is left alone for at least.
BREATHER: Final = 60

DISABLE_AFTER: Final = 120 * HOUR
DISABLE_AFTER_FAILURES: Final = 40

# After so many failures in a row an endpoint is ailing: it most likely keeps a sender waiting for nothing, and an
# outage of minutes should not use up its 40 failures in seconds. So it is left alone for a second after a failure,
# twice as long after each further one, and for a minute at most; a success ends that.
AILING_AFTER: Final = 3
LONGEST_PAUSE: Final = 60

GONE: Final = 410
_OVERLOADED: Final = frozenset({429, 502, 504})
_SECONDS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt: `error` is None exactly when it succeeded, `retry_after` is in seconds."""

    error: str | None
    http_status: int | None = None
    duration_ms: int = 0
    response: str = ""
    retry_after: float | None = None

    @property
    def succeeded(self) -> bool:
        return self.error is None

    @property
    def is_gone(self) -> bool:
        """The receiver says that it will never want a delivery again."""
        return self.http_status == GONE

    @property
    def wants_a_breather(self) -> bool:
        return self.http_status in _OVERLOADED or self.error == "timeout"


def parse_retry_after(text: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, given in seconds or as a date; None when it asks for nothing."""
    if text is None:
        return None
    if _SECONDS.fullmatch(text.strip()):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - now).total_seconds(), 0.0)


def next_wait(attempts: int, outcome: Outcome, *, chance: float) -> float | None:
    """Seconds to wait after the failed attempt that was number `attempts`; None when it was the last.

    `chance` from -1 to 1 spreads the waits of many deliveries that failed together.
    """
    if attempts > len(SCHEDULE):
        return None
    wait = SCHEDULE[attempts - 1] * (1 + JITTER * chance)
    if outcome.wants_a_breather:
        wait = max(wait, BREATHER)
    # A receiver may ask for more time, up to double, and never for less.
    return max(wait, min(outcome.retry_after or 0.0, 2 * wait))


# --- one delivery -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """How a delivery stood when an attempt came back.

    `attempts` are those of the schedule before this one. A manual attempt does not count among them: the schedule
    goes on at `resume_at`, or stays ended when that is None.
    """

    attempts: int = 0
    is_manual: bool = False
    resume_at: datetime | None = None
    has_succeeded: bool = False
    is_test: bool = False
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How it stands from now on."""

    status: str
    attempts: int
    next_attempt_at: datetime | None = None


def plan(standing: Standing, outcome: Outcome, *, now: datetime, chance: float, unit: float = 1.0) -> Plan:
    """`unit` is how long a second of the schedule lasts, in seconds."""
    attempts = standing.attempts if standing.is_manual else standing.attempts + 1
    if outcome.succeeded:
        return Plan("succeeded", attempts)
    if standing.is_cancelled:
        return Plan("cancelled", attempts)
    next_attempt_at = standing.resume_at
    if not standing.is_manual and not standing.is_test:
        wait = next_wait(attempts, outcome, chance=chance)
        next_attempt_at = None if wait is None else now + timedelta(seconds=wait * unit)
    if next_attempt_at is not None:
        return Plan("pending", attempts, next_attempt_at)
    return Plan("succeeded" if standing.has_succeeded else "failed", attempts)


# --- an endpoint --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Streak:
    """Failures in a row: how many, since when, and when the last one was."""

    failures: int = 0
    since: datetime | None = None
    last: datetime | None = None


def streak_after(streak: Streak, outcome: Outcome, *, now: datetime, unit: float = 1.0) -> Streak:
    if outcome.succeeded:
        return Streak()
    if streak.since is None or streak.last is None or _is_stale(streak.last, now, unit):
        return Streak(1, now, now)
    return Streak(streak.failures + 1, streak.since, now)


def reason_to_disable(streak: Streak, outcome: Outcome, *, now: datetime, unit: float = 1.0) -> str | None:
    """The code of why an endpoint gets nothing more after this outcome, or None."""
    if outcome.is_gone:
        return "gone"
    if streak.failures >= DISABLE_AFTER_FAILURES:
        return "failures_in_a_row"
    if streak.since is not None and now - streak.since >= timedelta(seconds=DISABLE_AFTER * unit):
        return "no_success"
    return None


def _is_stale(last: datetime, now: datetime, unit: float) -> bool:
    """Nothing was tried for as long as it takes to give up, so an old failure says nothing of today."""
    return now - last >= timedelta(seconds=DISABLE_AFTER * unit)
