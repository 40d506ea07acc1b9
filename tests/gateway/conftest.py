"""The cast of the agent protocol: a workspace of the shop, its client, and the two who call."""

import pytest

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.gateway.sessions import Tokens
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import make_client, make_session, make_workspace


@pytest.fixture
def workspace(shop: Tenant) -> Agent:
    """The published agent behind the route `order-assistant`."""
    return make_workspace(shop)


@pytest.fixture
def client_and_token(shop: Tenant) -> tuple[AgentClient, str]:
    return make_client(shop)


@pytest.fixture
def agent_client(client_and_token: tuple[AgentClient, str]) -> AgentClient:
    return client_and_token[0]


@pytest.fixture
def backend(client_and_token: tuple[AgentClient, str]) -> ApiClient:
    """The business's backend, with its Client Token."""
    return ApiClient(client_and_token[1])


@pytest.fixture
def tokens(agent_client: AgentClient) -> Tokens:
    """A session of the client, with its tokens."""
    return make_session(agent_client)


@pytest.fixture
def agent(tokens: Tokens) -> ApiClient:
    """The agent, with its access token."""
    return ApiClient(tokens.access_token)
