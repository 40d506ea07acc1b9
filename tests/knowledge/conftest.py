"""What the tests of this room share: sources made through the API, and memory that starts empty."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.knowledge import searched, shelf
from apps.knowledge.documents import corpus as documents
from apps.knowledge.documents import reading
from tests.api_client import ApiClient

SOURCES = "/v1/knowledge_sources"
SEARCH = "/v1/knowledge/search"

CreateSource = Callable[..., dict[str, Any]]
Search = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _empty_memory() -> Iterator[None]:
    """Ids of rows start anew with a new test database, so nothing may outlive a test."""
    yield
    shelf.forget_everything()
    searched.forget_everything()
    reading.forget_everything()
    documents.forget_everything()


@pytest.fixture
def create(api: ApiClient) -> CreateSource:
    """Create a source of the shop; a catalog unless another kind is given."""

    def make(content: str = "صندوق بخور — 95 ريال", *, client: ApiClient = api, **fields: Any) -> dict[str, Any]:
        body = {"name": "قائمة الأسعار", "kind": "catalog", "content": content, **fields}
        answer = client.post(SOURCES, body)
        assert answer.status_code == 201, answer.content
        created: dict[str, Any] = answer.json()
        return created

    return make


@pytest.fixture
def search(api: ApiClient) -> Search:
    """Search the shop."""

    def ask(query: str, *, client: ApiClient = api, **fields: Any) -> dict[str, Any]:
        answer = client.post(SEARCH, {"query": query, **fields})
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    return ask
