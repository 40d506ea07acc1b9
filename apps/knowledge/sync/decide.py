"""What came of a sync and what follows for its source: rules without clock, chance or database."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

WORKER_LOST: Final = "worker_lost"
# So many workers in a row may die of a source before it counts as one that fails.
MAX_LOST_CLAIMS: Final = 3

JITTER: Final = 0.1
LONGEST_BACKOFF: Final = 4
_DOUBLED: Final = 2  # Doubled so often, the wait is the longest.
LONGEST_WAIT: Final = timedelta(hours=24)

RunStatus = Literal["succeeded", "unchanged", "failed"]
Happening = Literal["sync_succeeded", "sync_recovered", "sync_failed"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a source stood when its sync came back; `synced` is the hash of the last content that a sync brought."""

    interval: timedelta
    attempted_at: datetime
    synced: str | None = None
    failures: int = 0
    lost_claims: int = 0


@dataclass(frozen=True, slots=True)
class Brought:
    """The feed answered with this content."""

    sha256: str


@dataclass(frozen=True, slots=True)
class NotModified:
    """The feed says that its last answer still holds."""


@dataclass(frozen=True, slots=True)
class Failed:
    code: str


Outcome = Brought | NotModified | Failed


@dataclass(frozen=True, slots=True)
class Plan:
    """How the run ends and how the source stands from now on; without `next_sync_at` another run follows now."""

    status: RunStatus
    failures: int
    lost_claims: int
    next_sync_at: datetime | None
    happenings: tuple[Happening, ...]

    @property
    def counts(self) -> bool:
        """False for a lost worker that is not held against the source yet."""
        return self.next_sync_at is not None

    @property
    def is_good(self) -> bool:
        return self.status != "failed"

    @property
    def takes_content(self) -> bool:
        return self.status == "succeeded"


def plan(standing: Standing, outcome: Outcome, *, chance: float) -> Plan:
    """`chance` from -1 to 1 spreads the next syncs of sources that were synced together."""
    match outcome:
        case Brought(sha256) if sha256 != standing.synced:
            return _good(standing, "succeeded", chance)
        case Brought() | NotModified():
            return _good(standing, "unchanged", chance)
        case Failed(code) if code == WORKER_LOST:
            return _lost(standing, chance)
        case Failed():
            return _failed(standing, lost_claims=0, chance=chance)


def next_sync_at(attempted_at: datetime, interval: timedelta, failures: int, *, chance: float) -> datetime:
    """The interval after the last attempt; each failure after the first doubles it, within bounds."""
    if failures == 0:
        return attempted_at + interval * (1 + JITTER * chance)
    backoff = LONGEST_BACKOFF if failures > _DOUBLED else 1 << (failures - 1)
    longest = min(interval * LONGEST_BACKOFF, LONGEST_WAIT)
    return attempted_at + min(interval * backoff * (1 + JITTER * chance), longest)


def _good(standing: Standing, status: RunStatus, chance: float) -> Plan:
    happenings: list[Happening] = ["sync_succeeded"] if status == "succeeded" else []
    if standing.failures:
        happenings.append("sync_recovered")
    due = next_sync_at(standing.attempted_at, standing.interval, 0, chance=chance)
    return Plan(status, 0, 0, due, tuple(happenings))


def _failed(standing: Standing, *, lost_claims: int, chance: float) -> Plan:
    failures = standing.failures + 1
    due = next_sync_at(standing.attempted_at, standing.interval, failures, chance=chance)
    return Plan("failed", failures, lost_claims, due, ("sync_failed",))


def _lost(standing: Standing, chance: float) -> Plan:
    lost_claims = standing.lost_claims + 1
    if lost_claims >= MAX_LOST_CLAIMS:
        # Kept as it is until a run ends well or badly: one more dead worker is one more failure.
        return _failed(standing, lost_claims=lost_claims, chance=chance)
    return Plan("failed", standing.failures, lost_claims, None, ("sync_failed",))
