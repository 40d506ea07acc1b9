"""The asyncio clients: they drive the same steps as the synchronous ones over one asyncio transport."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx2

from mawrid_client import wire
from mawrid_client.core import AgentCore
from mawrid_client.job_core import JobCore
from mawrid_client.logins import DEFAULT_CONNECTION, TokenStore, login_store
from mawrid_client.messages import Answer, Pause, Renewal, Request, Step, Steps
from mawrid_client.options import CallOptions, ReadAliases, SearchAliases, Signal, only_options, split
from mawrid_client.results import (
    Completion,
    Job,
    JobWait,
    KnowledgeCapabilities,
    KnowledgePage,
    KnowledgeSearch,
    Profile,
    Reading,
    SessionView,
    Turn,
    Workspace,
)
from mawrid_client.sessions import checked_base_url
from mawrid_client.transports import AsyncTransport

T = TypeVar("T")


class AsyncAgentClient:
    """What a local agent may do on behalf of a person: start turns, search, read, complete.

    Give an access token, or a `token_store` with a stored login, whose tokens are then renewed as they end. Every
    call takes `workspace`, `connection_key`, `expected_binding` and `signal`.
    """

    def __init__(
        self,
        base_url: str,
        access_token: str | None = None,
        workspace: str | None = None,
        *,
        token_store: TokenStore | None = None,
        connection_key: str = DEFAULT_CONNECTION,
        timeout: float = wire.TIMEOUT_SECONDS,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        address = checked_base_url(base_url)
        store = login_store(address, access_token, token_store, connection_key)
        self._core = AgentCore(base_url=address, workspace=workspace, logins=store, connection_key=connection_key)
        self._transport = AsyncTransport(self._core.base_url, timeout=timeout, http_client=http_client)
        self._renewing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    @property
    def workspace(self) -> str | None:
        return self._core.workspace

    # --- knowledge ------------------------------------------------------------------------------------------

    async def get_knowledge_capabilities(self, **options: Unpack[CallOptions]) -> KnowledgeCapabilities:
        """Whether the server knows the protocol; only an old server's 404, 405 or 501 says no."""
        chosen = only_options(options)
        return await self._run(self._core.knowledge_capabilities(chosen), chosen.signal)

    async def search_knowledge(
        self, query: str, *, limit: int | None = None, run_id: str | None = None, **more: Unpack[SearchAliases]
    ) -> KnowledgeSearch:
        chosen, named = split({"run_id": run_id}, more)
        return await self._run(
            self._core.search_knowledge(chosen, query=query, limit=limit, **named), chosen.signal
        )

    async def read_knowledge(
        self,
        ref: str,
        *,
        run_id: str | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
        **more: Unpack[ReadAliases],
    ) -> KnowledgePage:
        chosen, named = split({"run_id": run_id, "max_bytes": max_bytes}, more)
        return await self._run(self._core.read_knowledge(chosen, ref=ref, cursor=cursor, **named), chosen.signal)

    async def read_all(
        self, ref: str, *, run_id: str | None = None, max_bytes: int | None = None, **more: Unpack[ReadAliases]
    ) -> Reading:
        """All pages of a reference; `complete` of the result says whether that is the whole source."""
        chosen, named = split({"run_id": run_id, "max_bytes": max_bytes}, more)
        return await self._run(self._core.read_all(chosen, ref=ref, **named), chosen.signal)

    # --- turns ----------------------------------------------------------------------------------------------

    async def start_turn(
        self,
        input: Mapping[str, Any],  # noqa: A002 -- the published name
        *,
        knowledge_delivery: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Turn:
        """Start a turn, or get the same one again: the first choice of `knowledge_delivery` holds for its ids."""
        chosen = only_options(options)
        return await self._run(
            self._core.start_turn(chosen, input, knowledge_delivery=knowledge_delivery), chosen.signal
        )

    async def complete_run(
        self,
        run_id: str,
        *,
        content: str,
        status: str = "completed",
        assistant_message_id: str | None = None,
        model: str | None = None,
        runtime: str | None = None,
        usage: Mapping[str, Any] | None = None,
        **options: Unpack[CallOptions],
    ) -> Completion:
        chosen = only_options(options)
        steps = self._core.complete_run(
            chosen,
            run_id,
            content=content,
            status=status,
            assistant_message_id=assistant_message_id,
            model=model,
            runtime=runtime,
            usage=usage,
        )
        return await self._run(steps, chosen.signal)

    # --- sessions and workspaces ----------------------------------------------------------------------------

    async def get_session(self, **options: Unpack[CallOptions]) -> SessionView:
        chosen = only_options(options)
        return await self._run(self._core.session(chosen), chosen.signal)

    async def list_workspaces(self, **options: Unpack[CallOptions]) -> tuple[Workspace, ...]:
        chosen = only_options(options)
        return await self._run(self._core.workspaces(chosen), chosen.signal)

    async def get_bootstrap(self, **options: Unpack[CallOptions]) -> Profile:
        chosen = only_options(options)
        return await self._run(self._core.bootstrap(chosen), chosen.signal)

    async def log_out(self) -> None:
        """End the session on the server and forget the stored login."""
        await self._run(self._core.log_out(), None)

    # --- driving --------------------------------------------------------------------------------------------

    async def _run(self, steps: Steps[T], signal: Signal | None) -> T:
        return await _run(steps, self._transport, signal, self._renew)

    async def _renew(self, renewal: Renewal) -> None:
        # The store's own lock waits in a thread, where it would otherwise stop the loop that is to free it; the
        # first lock keeps all but one waiter of this client out of the threads.
        async with self._renewing, _entered(self._core.logins.exclusive(self._core.connection_key)):
            await self._run(self._core.renew(renewal), None)


class AsyncJobClient:
    """What a business backend does with its Client Token: submit governed jobs, look at them, wait for them."""

    def __init__(
        self,
        base_url: str,
        client_token: str,
        route: str,
        *,
        timeout: float = wire.TIMEOUT_SECONDS,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        self._core = JobCore(
            base_url=checked_base_url(base_url), client_token=client_token, route=route, clock=time.monotonic
        )
        self._transport = AsyncTransport(self._core.base_url, timeout=timeout, http_client=http_client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def submit(
        self,
        *,
        request_id: str,
        input: str,  # noqa: A002 -- the published name
        metadata: Mapping[str, Any] | None = None,
        callback_url: str | None = None,
    ) -> Job:
        """Submit a job. The same `request_id` and content again gives the same job."""
        steps = self._core.submit(request_id=request_id, input=input, metadata=metadata, callback_url=callback_url)
        return await _run(steps, self._transport, None)

    async def get(self, job_id: str) -> Job:
        return await _run(self._core.get(job_id), self._transport, None)

    async def wait(
        self, job_id: str, *, max_wait_seconds: int = wire.WAIT_DEFAULT_SECONDS, signal: Signal | None = None
    ) -> JobWait:
        """Look at the job every two seconds until it is over or so many seconds are."""
        return await _run(self._core.wait(job_id, max_wait_seconds=max_wait_seconds), self._transport, signal)


async def _run(
    steps: Steps[T],
    transport: AsyncTransport,
    signal: Signal | None,
    renew: Callable[[Renewal], Awaitable[None]] | None = None,
) -> T:
    """Do each step and hand what came of it to the next one."""
    try:
        step = next(steps)
        while True:
            step = steps.send(await _outcome(step, transport, signal, renew))
    except StopIteration as stop:
        result: T = stop.value
        return result


async def _outcome(
    step: Step,
    transport: AsyncTransport,
    signal: Signal | None,
    renew: Callable[[Renewal], Awaitable[None]] | None,
) -> Answer | None:
    if isinstance(step, Request):
        return await transport.send(step, signal)
    if isinstance(step, Pause):
        await transport.pause(step, signal)
    elif renew is not None:
        await renew(step)
    return None


@contextlib.asynccontextmanager
async def _entered(blocking: AbstractContextManager[None]) -> AsyncIterator[None]:
    """A context that blocks while it is entered, entered beside the event loop."""
    await asyncio.to_thread(blocking.__enter__)
    try:
        yield
    finally:
        blocking.__exit__(None, None, None)
