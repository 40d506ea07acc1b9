"""What the tests of syncs share: a feed to fetch, sources on it, and no worker but the test itself."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.kernel.hooks import HookPoint
from apps.knowledge.sync import wakeup
from apps.outbound import parse_trusted_origins
from tests.api_client import ApiClient
from tests.fakes.feed import TRANSFORM, Feed, running_feed
from tests.knowledge.sync.making import SOURCES

CreateFeed = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs for which workers were called; none comes."""
    called: list[str] = []
    callers: HookPoint[Callable[[str, str], None]] = HookPoint("sync_callers")
    callers.add(lambda _, run_id: called.append(run_id))
    monkeypatch.setattr(wakeup, "sync_callers", callers)
    return called


@pytest.fixture
def feed(settings: Settings) -> Iterator[Feed]:
    """A feed on loopback, trusted since that is no public address."""
    with running_feed() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(running.origin)
        yield running


@pytest.fixture
def create(api: ApiClient, feed: Feed) -> CreateFeed:
    """Create an API source of the shop on the feed, not synced yet."""

    def make(*, client: ApiClient = api, config: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
        whole = {"url": feed.url, "transform": TRANSFORM, **(config or {})}
        answer = client.post(SOURCES, {"name": "قائمة المتجر", "kind": "api", "config": whole, **fields})
        assert answer.status_code == 201, answer.content.decode()
        created: dict[str, Any] = answer.json()
        return created

    return make
