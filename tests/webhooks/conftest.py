from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from pytest_django import Settings

from apps.kernel import hooks
from apps.kernel.hooks import HookPoint
from apps.outbound import parse_trusted_origins
from apps.webhooks import wakeup
from tests.fakes.receiver import Receiver, running_receiver

StartReceiver = Callable[[], Receiver]


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls for a dispatcher, which nobody follows."""
    made: list[str] = []
    callers: HookPoint[Callable[[], None]] = HookPoint("dispatch_callers")
    callers.add(lambda: made.append("called"))
    monkeypatch.setattr(wakeup, "dispatch_callers", callers)
    return made


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The calls to have owners told, as project and endpoint, which nobody follows."""
    made: list[tuple[str, str]] = []
    callers: HookPoint[Callable[[str, str], None]] = HookPoint("notice_callers")
    callers.add(lambda project_id, endpoint_id: made.append((project_id, endpoint_id)))
    monkeypatch.setattr(wakeup, "notice_callers", callers)
    return made


@pytest.fixture
def quick(settings: Settings) -> None:
    """A dispatcher that does what is due at once and then stops."""
    settings.WEBHOOK_DRAIN_SECONDS = 0.3


@pytest.fixture
def start_receiver(settings: Settings) -> Iterator[StartReceiver]:
    """Starts receivers whose origins are trusted, since loopback is no public address."""
    origins: list[str] = []
    with ExitStack() as stack:

        def start() -> Receiver:
            receiver = stack.enter_context(running_receiver())
            origins.append(receiver.origin)
            settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(",".join(origins))
            return receiver

        yield start


@pytest.fixture
def receiver(start_receiver: StartReceiver) -> Receiver:
    return start_receiver()


@pytest.fixture
def source_id() -> str:
    return "ks_01k6rz2n5q8t1w4z7c0f3h6k9m"


@pytest.fixture
def a_source(source_id: str) -> Iterator[None]:
    """Something answers for a source, as the room of sources would."""

    def known(project_id: str, source_ids: list[str]) -> set[str]:
        return {source_id}.intersection(source_ids)

    hooks.known_sources.add(known)
    yield
    hooks.known_sources.remove(known)
