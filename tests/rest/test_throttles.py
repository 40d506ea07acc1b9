"""Requests are limited for each key and project, exactly and in step, and served when Redis is down."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from prometheus_client import REGISTRY
from pytest_django import Settings

from apps.kernel.errors import AppError
from apps.rest import throttles
from tests.api_client import ApiClient

NOON = 1_767_268_800  # the start of a minute


@pytest.fixture(autouse=True)
def frozen_clock() -> Any:
    with time_machine.travel(NOON + 18, tick=False) as clock:
        yield clock


@pytest.fixture
def small_limits(settings: Settings) -> None:
    settings.RATE_LIMIT_PER_KEY = 3
    settings.RATE_LIMIT_PER_PROJECT = 5


@pytest.mark.usefixtures("small_limits")
def test_answers_say_what_is_left(api: ApiClient) -> None:
    response = api.get("/v1/things")

    assert response["RateLimit-Policy"] == '"default";q=3;w=60'
    assert response["RateLimit"] == '"default";r=2;t=42'


@pytest.mark.parametrize("path", ["/v1/things?limit=0", "/v1/fail/bug", "/v1/fail/not_found"])
def test_refusals_say_it_too(api: ApiClient, path: str) -> None:
    assert api.get(path)["RateLimit"] == '"default";r=1199;t=42'


@pytest.mark.usefixtures("small_limits")
def test_a_key_over_its_limit_is_refused_until_the_minute_ends(api: ApiClient) -> None:
    answers = [api.get("/v1/things").status_code for _ in range(4)]
    refused = api.get("/v1/things", accept_language="ar")

    assert answers == [200, 200, 200, 429]
    assert (refused["Retry-After"], refused["RateLimit"]) == ("42", '"default";r=0;t=42')
    assert refused.json()["error"]["type"] == "rate_limit_error"
    assert "42" in refused.json()["error"]["message"]


@pytest.mark.usefixtures("small_limits")
def test_the_next_minute_starts_anew(api: ApiClient, frozen_clock: Any) -> None:
    for _ in range(4):
        api.get("/v1/things")
    frozen_clock.move_to(NOON + 60)

    assert api.get("/v1/things")["RateLimit"] == '"default";r=2;t=60'


@pytest.mark.usefixtures("small_limits")
def test_keys_of_a_project_share_its_limit() -> None:
    keys = ["read", "read", "read", "read+write", "read+write", "read+write"]

    answers = [ApiClient(key).get("/v1/things").status_code for key in keys]

    assert answers == [200, 200, 200, 200, 200, 429]


@pytest.mark.usefixtures("small_limits")
def test_refused_requests_of_one_key_take_nothing_from_the_others() -> None:
    for _ in range(20):
        ApiClient("read").get("/v1/things")

    assert ApiClient("read+write").get("/v1/things")["RateLimit"] == '"default";r=1;t=42'


@pytest.mark.conformance("I-6")
def test_projects_have_nothing_to_do_with_each_other(small_limits: None) -> None:
    for _ in range(3):
        throttles.take("prj_1", "key_1", limit=3)

    assert throttles.take("prj_2", "key_1", limit=3).remaining == 2
    assert not throttles.take("prj_1", "key_1", limit=3).allowed


def test_requests_without_a_credential_count_for_nobody(anyone: ApiClient) -> None:
    assert "RateLimit" not in anyone.get("/v1/things")


def test_requests_at_once_are_counted_exactly() -> None:
    with ThreadPoolExecutor(8) as threads:
        standings = list(threads.map(lambda _: throttles.take("prj_1", "key_1", limit=25), range(60)))

    assert sum(standing.allowed for standing in standings) == 25


def test_counters_go_by_themselves(valkey: Any) -> None:
    throttles.take("prj_1", "key_1", limit=5)

    assert all(0 < valkey.ttl(name) <= 120 for name in valkey.keys("mawrid:rate:*"))


# --- without Redis ------------------------------------------------------------------------------------------


@pytest.fixture
def no_redis(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/at/all.sock"


def uncounted() -> float:
    return REGISTRY.get_sample_value("mawrid_rate_limit_unavailable_total") or 0.0


@pytest.mark.usefixtures("no_redis")
def test_requests_are_served_without_redis_and_a_metric_says_so(api: ApiClient) -> None:
    before = uncounted()

    response = api.get("/v1/things")

    assert response.status_code == 200
    assert "RateLimit" not in response
    assert response["RateLimit-Policy"] == '"default";q=1200;w=60'
    assert uncounted() == before + 1


@pytest.mark.usefixtures("no_redis")
def test_a_dead_redis_is_left_alone_for_a_while(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    api.get("/v1/things")
    asked: list[str] = []
    monkeypatch.setattr(throttles, "connection", lambda: asked.append("asked"))

    api.get("/v1/things")

    assert asked == []


def test_redis_is_asked_again_after_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("apps.rest.throttles.time.monotonic", lambda: clock[0])
    breaker = throttles.CircuitBreaker(5.0)
    breaker.trip()
    states = [breaker.is_open]
    clock[0] += 5.0

    assert [*states, breaker.is_open] == [True, False]


# --- bad credentials (K-11) ---------------------------------------------------------------------------------


@pytest.fixture
def few_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "MAX_BAD_CREDENTIALS_PER_ADDRESS", 3)
    monkeypatch.setattr(throttles, "MAX_BAD_CREDENTIALS_PER_LOOKUP", 2)


def guess(address: str, lookup: str | None) -> str:
    try:
        throttles.count_bad_credential(address=address, lookup=lookup)
    except AppError as error:
        return error.code
    return "counted"


@pytest.mark.usefixtures("few_guesses")
@pytest.mark.parametrize(
    ("guesses", "outcomes"),
    [
        ([("1.1.1.1", None)] * 4, ["counted"] * 3 + ["rate_limited"]),
        ([("1.1.1.1", "a"), ("2.2.2.2", "a"), ("3.3.3.3", "a")], ["counted"] * 2 + ["rate_limited"]),
        ([("1.1.1.1", "a"), ("1.1.1.1", "b"), ("2.2.2.2", "c"), ("2.2.2.2", "d")], ["counted"] * 4),
    ],
)
def test_guesses_are_limited_by_address_and_by_look_up_part(
    guesses: list[tuple[str, str | None]], outcomes: list[str]
) -> None:
    assert [guess(address, lookup) for address, lookup in guesses] == outcomes


@pytest.mark.usefixtures("few_guesses", "no_redis")
def test_guesses_are_not_limited_without_redis() -> None:
    assert [guess("1.1.1.1", None) for _ in range(5)] == ["counted"] * 5
