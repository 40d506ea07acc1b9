"""A hub on loopback and clients of it, each as the synchronous and as the asyncio one."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from mawrid_client import AgentClient, AsyncAgentClient, AsyncJobClient, JobClient, Login, MemoryTokenStore
from tests.fakes.hub import APP_ID, ROUTE, Hub, Session, running_hub

Maker = Callable[..., AgentClient]

# For tables of what both flavours share, the checks of input and answers: one flavour is enough.
shared_by_both = pytest.mark.parametrize("flavour", ["sync"], indirect=True)


class Blocking:
    """An asyncio client, called as the synchronous one is."""

    def __init__(self, runner: asyncio.Runner, client: AsyncAgentClient | AsyncJobClient) -> None:
        self._runner = runner
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        return lambda *arguments, **named: self._runner.run(method(*arguments, **named))


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def session(hub: Hub) -> Session:
    return hub.open_session()


@pytest.fixture(params=["sync", "async"])
def flavour(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def opened(flavour: str) -> Iterator[Callable[..., Any]]:
    """Opens a client of the flavour's kind and closes it after the test."""
    with ExitStack() as exits:
        yield partial(_open_sync if flavour == "sync" else _open_async, exits)


@pytest.fixture
def make_client(opened: Callable[..., Any]) -> Maker:
    """Makes clients of either flavour, called in the same way."""
    return partial(opened, AgentClient, AsyncAgentClient)


@pytest.fixture
def client(hub: Hub, session: Session, make_client: Maker) -> AgentClient:
    """A client with nothing but an access token."""
    return make_client(hub.url, session.access_token, ROUTE)


@pytest.fixture
def store(hub: Hub, session: Session) -> MemoryTokenStore:
    """A store with a login that can be renewed."""
    return MemoryTokenStore({"default": login_of(hub, session)})


@pytest.fixture
def stored_client(hub: Hub, store: MemoryTokenStore, make_client: Maker) -> AgentClient:
    """A client whose login is stored, and so can be renewed or swapped."""
    return make_client(hub.url, workspace=ROUTE, token_store=store)


@pytest.fixture
def job_client(hub: Hub, opened: Callable[..., Any]) -> Any:
    return opened(JobClient, AsyncJobClient, hub.url, hub.client_token, ROUTE)


def login_of(hub: Hub, session: Session) -> Login:
    return Login(hub.url, session.access_token, session.refresh_token, session.session_id, APP_ID)


def _open_sync(exits: ExitStack, kind: Any, _: Any, *arguments: Any, **named: Any) -> Any:
    return exits.enter_context(kind(*arguments, **named))


def _open_async(exits: ExitStack, _: Any, kind: Any, *arguments: Any, **named: Any) -> Any:
    runner = exits.enter_context(asyncio.Runner())
    client = kind(*arguments, **named)
    exits.callback(lambda: runner.run(client.close()))
    return Blocking(runner, client)
