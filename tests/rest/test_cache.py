"""The cache behind limits on logins: like Redis while there is one, and open when there is none."""

from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from prometheus_client import REGISTRY

ASKED: list[tuple[Callable[[], Any], Any]] = [
    (lambda: cache.add("name", 1), True),
    (lambda: cache.get("name"), None),
    (lambda: cache.get("name", "default"), "default"),
    (lambda: cache.set("name", 1), None),
    (lambda: cache.delete("name"), False),
]


@pytest.fixture
def down(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(RedisCache, "_cache", property(refused))


@pytest.mark.usefixtures("valkey")
def test_it_remembers() -> None:
    assert cache.add("name", 1)
    assert not cache.add("name", 2)
    assert cache.get("name") == 1


@pytest.mark.usefixtures("down")
@pytest.mark.parametrize(("ask", "answer"), ASKED)
def test_without_redis_it_answers_as_if_nothing_had_been(ask: Callable[[], Any], answer: Any) -> None:
    assert ask() == answer


@pytest.mark.usefixtures("down")
def test_a_metric_says_so() -> None:
    before = REGISTRY.get_sample_value("mawrid_rate_limit_unavailable_total") or 0

    cache.add("name", 1)

    assert REGISTRY.get_sample_value("mawrid_rate_limit_unavailable_total") == before + 1
