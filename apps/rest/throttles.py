"""Rate limits: fixed windows of a minute, counted atomically in Redis, open when Redis is down.

A limit protects the service, it is no ledger: when it cannot be counted the request is served and a metric says
so. After a failure Redis is left alone for a few seconds, so a dead one does not slow down each request.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import redis
import structlog
from django.conf import settings
from prometheus_client import Counter

from apps.kernel.errors import AppError
from apps.rest.redis import connection

log = structlog.get_logger(__name__)

WINDOW_SECONDS: Final = 60
PAUSE_SECONDS: Final = 5.0
MAX_BAD_CREDENTIALS_PER_ADDRESS: Final = 600
MAX_BAD_CREDENTIALS_PER_LOOKUP: Final = 300

unavailable = Counter(
    "mawrid_rate_limit_unavailable_total", "Requests served without counting because Redis did not answer."
)

# A refused request is not counted, so one key over its limit does not use up the project's. KEYS: key, project;
# ARGV: their limits, seconds to keep.
_TAKE: Final = """
local key_used = tonumber(redis.call('GET', KEYS[1]) or '0')
local project_used = tonumber(redis.call('GET', KEYS[2]) or '0')
if key_used >= tonumber(ARGV[1]) or project_used >= tonumber(ARGV[2]) then
  return {0, key_used, project_used}
end
key_used = redis.call('INCR', KEYS[1])
project_used = redis.call('INCR', KEYS[2])
if key_used == 1 then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
if project_used == 1 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
return {1, key_used, project_used}
"""

# KEYS: counters; ARGV: seconds to keep. Answers each counter after adding one.
_COUNT: Final = """
local counts = {}
for position, name in ipairs(KEYS) do
  counts[position] = redis.call('INCR', name)
  if counts[position] == 1 then redis.call('EXPIRE', name, ARGV[1]) end
end
return counts
"""


class CircuitBreaker:
    """Remembers for a while that something failed."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._closed_again_at = 0.0

    @property
    def is_open(self) -> bool:
        return time.monotonic() < self._closed_again_at

    def trip(self) -> None:
        self._closed_again_at = time.monotonic() + self._pause

    def reset(self) -> None:
        self._closed_again_at = 0.0


breaker = CircuitBreaker(PAUSE_SECONDS)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a key stands in its current minute; `remaining` is unknown while nothing can be counted."""

    limit: int
    remaining: int | None
    reset_seconds: int
    allowed: bool = True

    @property
    def headers(self) -> Mapping[str, str]:
        policy = {"RateLimit-Policy": f'"default";q={self.limit};w={WINDOW_SECONDS}'}
        if self.remaining is None:
            return policy
        return {**policy, "RateLimit": f'"default";r={self.remaining};t={self.reset_seconds}'}


def take(project_id: str, key_id: str, *, limit: int) -> Standing:
    """Count one request of a key, which has `limit` a minute, and of its project, unless either has none left."""
    now = int(time.time())
    window, reset_seconds = now // WINDOW_SECONDS, WINDOW_SECONDS - now % WINDOW_SECONDS
    project_limit = settings.RATE_LIMIT_PER_PROJECT
    # The braces keep both counters of a project on one node of a Redis cluster.
    names = [f"mawrid:rate:{{{project_id}}}:{key_id}:{window}", f"mawrid:rate:{{{project_id}}}:{window}"]
    counts = _run(_TAKE, names, [limit, project_limit, 2 * WINDOW_SECONDS])
    if counts is None:
        return Standing(limit, None, reset_seconds)
    allowed, key_used, project_used = counts
    remaining = max(0, min(limit - key_used, project_limit - project_used))
    return Standing(limit, remaining, reset_seconds, allowed=bool(allowed))


def over_limit(seconds: int) -> AppError:
    return AppError("rate_limited", params={"seconds": seconds}, headers={"Retry-After": str(seconds)})


def count_bad_credential(*, address: str, lookup: str | None) -> None:
    """Count a credential that was refused; too many in a minute turn the 401 into a 429.

    Only bad credentials are counted and refused here, so nobody can lock out a good key by guessing at its
    look-up part or from behind the same address. The keys' 256 random bits are what stops guessing; this
    limit keeps guesses from costing the database.
    """
    limits = {f"address:{address}": MAX_BAD_CREDENTIALS_PER_ADDRESS}
    if lookup is not None:
        limits[f"lookup:{lookup}"] = MAX_BAD_CREDENTIALS_PER_LOOKUP
    count("credential", limits)


def count(what: str, limits: Mapping[str, int]) -> None:
    """Count something that needs no key, by each of these names; past any one's limit a minute it is refused."""
    now = int(time.time())
    window, reset_seconds = now // WINDOW_SECONDS, WINDOW_SECONDS - now % WINDOW_SECONDS
    # As above: the braces keep the counters together.
    names = [f"mawrid:count:{{{what}}}:{name}:{window}" for name in limits]
    counts = _run(_COUNT, names, [2 * WINDOW_SECONDS])
    if counts is None:
        return
    if any(counted > limit for counted, limit in zip(counts, limits.values(), strict=True)):
        raise over_limit(reset_seconds)


def _run(script: str, names: list[str], arguments: list[int]) -> list[int] | None:
    """The script's answer, or None when Redis gave none."""
    if breaker.is_open:
        unavailable.inc()
        return None
    try:
        counts: list[int] = connection().register_script(script)(keys=names, args=arguments)
    except redis.RedisError as error:
        breaker.trip()
        note_unavailable(error)
        return None
    return counts


def note_unavailable(error: redis.RedisError) -> None:
    """Tell the operator that something was served without being counted."""
    unavailable.inc()
    log.warning("rate_limit_unavailable", error=type(error).__name__)
