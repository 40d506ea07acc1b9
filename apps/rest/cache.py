"""The cache behind limits on logins: served without counting while Redis is down, like limits on requests."""

from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache

from apps.rest import throttles


class OpenRedisCache(RedisCache):
    """Answers like an empty cache that takes everything when Redis does not; a metric says so.

    Not for locks: while Redis is down everybody gets them.
    """

    def add(self, *args: Any, **options: Any) -> bool:
        return bool(_answered(True, super().add, *args, **options))  # noqa: FBT003 -- what is answered instead

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return _answered(default, super().get, key, default, version)

    def set(self, *args: Any, **options: Any) -> None:
        _answered(None, super().set, *args, **options)

    def delete(self, *args: Any, **options: Any) -> bool:
        return bool(_answered(False, super().delete, *args, **options))  # noqa: FBT003 -- as above


def _answered(otherwise: Any, ask: Callable[..., Any], *args: Any, **options: Any) -> Any:
    try:
        return ask(*args, **options)
    except redis.RedisError as error:
        throttles.note_unavailable(error)
        return otherwise
