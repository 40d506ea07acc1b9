"""Waiting takes few threads, ends in time, and looks every two seconds."""

import threading
from collections.abc import Iterator

import pytest

from apps.gateway.mcp import waiting
from apps.gateway.mcp.waiting import WAITS_PER_PROCESS, Waited, wait_until
from runner import programs


class Clock:
    """Time that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def watched(ends_at: float, *, seconds: float) -> tuple[Waited[float], Clock]:
    """Wait for a thing that is over from a moment on."""
    clock = Clock()
    waited = wait_until(lambda seen: seen >= 100 + ends_at, clock, seconds=seconds, clock=clock, sleep=clock.sleep)
    return waited, clock


@pytest.mark.parametrize(
    ("ends_at", "seconds", "slept", "timed_out"),
    [
        (0, 20, [], False),
        (1, 20, [2.0], False),
        (3, 20, [2.0, 2.0], False),
        (9, 5, [2.0, 2.0, 1.0], True),
        (9, 1, [1.0], True),
    ],
)
def test_it_looks_every_two_seconds_until_the_end(
    ends_at: float, seconds: float, slept: list[float], timed_out: bool
) -> None:
    waited, clock = watched(ends_at, seconds=seconds)

    assert clock.slept == slept
    assert (waited.timed_out, waited.polls) == (timed_out, len(slept) + 1)
    assert waited.elapsed_ms == sum(slept) * 1000


@pytest.fixture
def busy() -> Iterator[None]:
    """All places of this process are taken until the test is over."""
    enough, taken = threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        wait_until(lambda _: enough.is_set(), taken.release, seconds=60, sleep=lambda _: enough.wait())

    threads = [threading.Thread(target=wait) for _ in range(WAITS_PER_PROCESS)]
    for thread in threads:
        thread.start()
        taken.acquire()
    yield
    enough.set()
    for thread in threads:
        thread.join()


@pytest.mark.usefixtures("busy")
def test_who_finds_no_place_is_told_how_things_stand() -> None:
    waited, clock = watched(9, seconds=60)

    assert (waited.timed_out, waited.polls, clock.slept) == (True, 1, [])


def fail_to_look() -> int:
    with pytest.raises(ZeroDivisionError):
        wait_until(bool, lambda: 1 // 0, seconds=60)
    return 1


def test_places_are_given_back_after_a_failure() -> None:
    assert sum(fail_to_look() for _ in range(WAITS_PER_PROCESS + 1)) == WAITS_PER_PROCESS + 1
    assert watched(1, seconds=20)[1].slept == [2.0]


def test_half_of_a_process_goes_on_answering() -> None:
    arguments = programs.web("127.0.0.1", 8000)
    threads = int(arguments[arguments.index("--blocking-threads") + 1])

    assert threads >= waiting.WAITS_PER_PROCESS * 2
