"""The connection to Redis for what may be lost at any time: counters and signs of life."""

from functools import cache
from typing import Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

# Redis is on the same machine or network; whoever waits longer waits in vain.
TIMEOUT_SECONDS: Final = 0.25


def connection() -> "redis.Redis":
    """This process's client; it connects when first used and is safe to share between threads."""
    return _client(settings.REDIS_URL)


@cache
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        # One more try, at once: a pooled connection may have died with a restarted server.
        retry=Retry(NoBackoff(), 1),
        retry_on_error=[redis.ConnectionError],
    )
