"""What the tests of this room share: sources and agents made through the API, and memory that starts empty."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.knowledge import searched, shelf
from apps.knowledge.documents import corpus as documents
from apps.knowledge.documents import reading
from apps.outbound import parse_trusted_origins
from tests.api_client import ApiClient
from tests.fakes.feed import TRANSFORM, Feed, running_feed

AGENTS = "/v1/agents"
SOURCES = "/v1/knowledge_sources"
UNKNOWN_SOURCE = "ks_01k6rz2n5q8t1w4z7c0f3h6k9m"

CreateSource = Callable[..., str]
CreateAgent = Callable[..., str]


@pytest.fixture(autouse=True)
def _empty_memory() -> Iterator[None]:
    """Ids of rows start anew with a new test database, so nothing may outlive a test."""
    yield
    shelf.forget_everything()
    searched.forget_everything()
    reading.forget_everything()
    documents.forget_everything()


@pytest.fixture
def source(api: ApiClient) -> CreateSource:
    """Create a source of the shop, a catalog unless another kind is given; its id."""

    def make(
        content: str = "صندوق بخور — 95 ريال",
        *,
        name: str = "قائمة الأسعار",
        client: ApiClient = api,
        **fields: Any,
    ) -> str:
        answer = client.post(SOURCES, {"name": name, "kind": "catalog", "content": content, **fields})
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    return make


@pytest.fixture
def agent(api: ApiClient) -> CreateAgent:
    """Create an agent of the shop that attaches sources, each with its mode; its id."""

    def make(*sources: tuple[str, str], client: ApiClient = api, **fields: Any) -> str:
        knowledge = {"sources": attached(*sources), **fields.pop("knowledge", {})}
        answer = client.post(AGENTS, {"name": "مساعد المتجر", "knowledge": knowledge, **fields})
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    return make


def attached(*sources: tuple[str, str]) -> list[dict[str, str]]:
    return [{"source_id": source_id, "mode": mode} for source_id, mode in sources]


def refusal(answer: Any) -> tuple[int, str, str | None]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["param"]


@pytest.fixture
def feed(settings: Settings) -> Iterator[Feed]:
    """A feed on loopback, trusted since that is no public address."""
    with running_feed() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(running.origin)
        yield running


@pytest.fixture
def feed_source(api: ApiClient, feed: Feed) -> str:
    """An API source of the shop on the feed, not fetched yet; its id."""
    config = {"url": feed.url, "transform": TRANSFORM, "refresh_minutes": 60}
    answer = api.post(SOURCES, {"name": "المخزون", "kind": "api", "config": config})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])
