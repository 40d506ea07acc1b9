"""What the tests of agents at work share: a workspace with knowledge, and an agent in it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.knowledge import searched, shelf
from tests.api_client import ApiClient
from tests.gateway.making import ROUTE, make_session
from tests.gateway.runtime.talking import Talk, change

Create = Callable[..., dict[str, Any]]
Attach = Callable[..., None]


@pytest.fixture(autouse=True)
def _empty_memory() -> Iterator[None]:
    """Ids of rows start anew with a new test database, so nothing may outlive a test."""
    yield
    shelf.forget_everything()
    searched.forget_everything()


@pytest.fixture
def create(api: ApiClient) -> Create:
    """Create a source of the shop; a catalog unless another kind is given."""

    def make(content: str = "صندوق بخور — 95 ريال", **fields: Any) -> dict[str, Any]:
        answer = api.post(
            "/v1/knowledge_sources", {"name": "قائمة الأسعار", "kind": "catalog", "content": content, **fields}
        )
        assert answer.status_code == 201, answer.content.decode()
        made: dict[str, Any] = answer.json()
        return made

    return make


@pytest.fixture
def attach(workspace: Agent) -> Attach:
    """Have the workspace's published agent use sources, all of them searchable unless told otherwise."""

    def put(*sources: dict[str, Any], always: Sequence[dict[str, Any]] = (), **changed: Any) -> None:
        attached = [{"source_id": source["id"], "mode": "always"} for source in always]
        attached += [{"source_id": source["id"], "mode": "searchable"} for source in sources]
        change(workspace, knowledge={"sources": attached}, **changed)

    return put


@pytest.fixture
def talk(agent: ApiClient, workspace: Agent) -> Talk:
    """The agent at work in the workspace."""
    return Talk(agent, ROUTE)


@pytest.fixture
def colleague(agent_client: AgentClient, workspace: Agent) -> Talk:
    """Another session of the same client, for the same person."""
    return Talk(ApiClient(make_session(agent_client).access_token), ROUTE)


@pytest.fixture
def never_synced(api: ApiClient) -> dict[str, Any]:
    """A source whose feed was never fetched."""
    config = {"url": "https://shop.example/products.json"}
    answer = api.post("/v1/knowledge_sources", {"name": "قائمة المتجر", "kind": "api", "config": config})
    made: dict[str, Any] = answer.json()
    return made
