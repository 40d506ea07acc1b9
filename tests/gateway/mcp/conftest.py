"""The cast at the MCP door: an agent, a backend and a project's key."""

from collections.abc import Iterator

import pytest

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.gateway.sessions import Tokens
from apps.knowledge import searched, shelf
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import make_workspace
from tests.gateway.mcp.asking import Mcp
from tests.gateway.runtime.talking import change

PRICES = "صندوق بخور — 95 ريال\nدهن عود كمبودي — 520 ريال\nمسك أبيض — 220 ريال"
SHIPPING = "الشحن خلال يومين داخل المدينة. " * 700


@pytest.fixture(autouse=True)
def _empty_memory() -> Iterator[None]:
    """Ids of rows start anew with a new test database, so nothing may outlive a test."""
    yield
    shelf.forget_everything()
    searched.forget_everything()


@pytest.fixture
def stocked(api: ApiClient, workspace: Agent) -> dict[str, str]:
    """The workspace's agent searches a price list and a long text; their ids by name."""
    ids = {
        "prices": api.post(
            "/v1/knowledge_sources", {"name": "قائمة الأسعار", "kind": "catalog", "content": PRICES}
        ).json()["id"],
        "shipping": api.post(
            "/v1/knowledge_sources", {"name": "الشحن", "kind": "text", "content": SHIPPING}
        ).json()["id"],
    }
    change(workspace, knowledge={"sources": [{"source_id": one, "mode": "searchable"} for one in ids.values()]})
    return ids


@pytest.fixture
def agent_mcp(tokens: Tokens, stocked: dict[str, str]) -> Mcp:
    """An agent in a workspace with knowledge."""
    return Mcp(tokens.access_token)


@pytest.fixture
def backend_mcp(client_and_token: tuple[AgentClient, str], workspace: Agent) -> Mcp:
    return Mcp(client_and_token[1])


@pytest.fixture
def key_mcp(shop: Tenant, stocked: dict[str, str]) -> Mcp:
    return Mcp(shop.key)


@pytest.fixture
def second_workspace(shop: Tenant) -> Agent:
    return make_workspace(shop, "support")
