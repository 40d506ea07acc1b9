"""The two thin transports over httpx2: no redirects, a deadline, a bounded answer, and cancellation."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Final, TypeVar

import httpx2

from mawrid_client import wire
from mawrid_client.errors import AgentError, broken_answer
from mawrid_client.messages import Answer, Pause, Request
from mawrid_client.options import Signal

T = TypeVar("T")

# How soon a call notices that it was cancelled.
_LOOK_SECONDS: Final = 0.02


def checked_timeout(seconds: float) -> float:
    if not 0 < seconds <= wire.TIMEOUT_MAX_SECONDS:
        raise ValueError(f"timeout must be more than 0 and at most {wire.TIMEOUT_MAX_SECONDS:.0f} seconds.")
    return seconds


def _speaks_tls(base_url: str) -> bool:
    """On this machine there is no TLS and nothing to verify, and loading certificates takes longer than a call."""
    return base_url.startswith("https://")


class SyncTransport:
    """Sends requests one at a time on connections that it keeps."""

    def __init__(self, base_url: str, *, timeout: float, http_client: httpx2.Client | None) -> None:
        self._base_url = base_url
        self._timeout = checked_timeout(timeout)
        self._owns_client = http_client is None
        self._client = http_client or httpx2.Client(verify=_speaks_tls(base_url))

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def send(self, request: Request, signal: Signal | None) -> Answer:
        if signal is None:
            return self._send(request)
        return _while_not_cancelled(request.operation, signal, lambda: self._send(request))

    def _send(self, request: Request) -> Answer:
        deadline = time.monotonic() + self._timeout
        with _network_faults(request.operation):
            sent = self._client.build_request(
                request.method,
                self._base_url + request.path,
                content=request.body,
                headers=_headers(request),
                timeout=self._timeout,
            )
            response = self._client.send(sent, stream=True, follow_redirects=False)
            try:
                body = _Body(request.operation, response, deadline)
                for piece in response.iter_raw():
                    body.add(piece)
            finally:
                response.close()
        return body.answer()

    def pause(self, pause: Pause, signal: Signal | None) -> None:
        if signal is None:
            time.sleep(pause.seconds)
            return
        _while_not_cancelled(pause.operation, signal, lambda: time.sleep(pause.seconds))


class AsyncTransport:
    """The same for asyncio. A cancelled task is cancelled as usual; a signal ends the call with an error."""

    def __init__(self, base_url: str, *, timeout: float, http_client: httpx2.AsyncClient | None) -> None:
        self._base_url = base_url
        self._timeout = checked_timeout(timeout)
        self._owns_client = http_client is None
        self._client = http_client or httpx2.AsyncClient(verify=_speaks_tls(base_url))

    async def close(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def send(self, request: Request, signal: Signal | None) -> Answer:
        if signal is None:
            return await self._send(request)
        return await _awaited_while_not_cancelled(
            request.operation, signal, asyncio.ensure_future(self._send(request))
        )

    async def _send(self, request: Request) -> Answer:
        with _network_faults(request.operation):
            try:
                async with asyncio.timeout(self._timeout):
                    return await self._exchange(request)
            except TimeoutError as error:
                raise _too_slow(request.operation) from error

    async def _exchange(self, request: Request) -> Answer:
        sent = self._client.build_request(
            request.method,
            self._base_url + request.path,
            content=request.body,
            headers=_headers(request),
            timeout=self._timeout,
        )
        response = await self._client.send(sent, stream=True, follow_redirects=False)
        try:
            body = _Body(request.operation, response, deadline=None)
            async for piece in response.aiter_raw():
                body.add(piece)
        finally:
            await response.aclose()
        return body.answer()

    async def pause(self, pause: Pause, signal: Signal | None) -> None:
        if signal is None:
            await asyncio.sleep(pause.seconds)
            return
        sleep = asyncio.ensure_future(asyncio.sleep(pause.seconds))
        await _awaited_while_not_cancelled(pause.operation, signal, sleep)


class _Body:
    """Gathers an answer's bytes up to the limit; compressed ones are refused, as their size says nothing."""

    def __init__(self, operation: str, response: httpx2.Response, deadline: float | None) -> None:
        self._operation = operation
        self._response = response
        self._deadline = deadline
        self._bytes = bytearray()
        if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
            raise broken_answer("it is compressed", operation=operation)

    def add(self, piece: bytes) -> None:
        self._bytes += piece
        if len(self._bytes) > wire.ANSWER_MAX_BYTES:
            raise AgentError(
                "agent_response_too_large",
                status=502,
                operation=self._operation,
                retryable=False,
                dispatch="unknown",
            )
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise _too_slow(self._operation)

    def answer(self) -> Answer:
        headers = {name.lower(): value for name, value in self._response.headers.items()}
        return Answer(self._response.status_code, headers, bytes(self._bytes))


def _headers(request: Request) -> dict[str, str]:
    return {
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": wire.USER_AGENT,
        **request.headers,
    }


@contextmanager
def _network_faults(operation: str) -> Iterator[None]:
    """Faults of the network as errors of this package; what they say of addresses and headers stays out."""
    try:
        yield
    except httpx2.TimeoutException as error:
        raise _too_slow(operation) from error
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise AgentError("agent_unreachable", status=503, operation=operation, dispatch="unknown") from error


def _too_slow(operation: str) -> AgentError:
    return AgentError("agent_timeout", status=504, operation=operation, dispatch="unknown")


def _cancelled(operation: str) -> AgentError:
    return AgentError(
        "agent_request_cancelled", status=499, operation=operation, retryable=False, dispatch="unknown"
    )


def _while_not_cancelled(operation: str, signal: Signal, work: Callable[[], T]) -> T:
    """Do the work in a thread beside, and leave it behind when the signal is set: its late result goes nowhere."""
    if signal.is_set():
        raise _cancelled(operation)
    result: futures.Future[T] = futures.Future()
    threading.Thread(target=_settle, args=(result, work), daemon=True).start()
    while not futures.wait({result}, timeout=_LOOK_SECONDS).done:
        if signal.is_set():
            raise _cancelled(operation)
    return result.result()


def _settle(result: "futures.Future[T]", work: Callable[[], T]) -> None:
    try:
        result.set_result(work())
    except BaseException as error:  # noqa: BLE001 -- raised again where somebody waits for it
        result.set_exception(error)


async def _awaited_while_not_cancelled(operation: str, signal: Signal, work: "asyncio.Future[T]") -> T:
    try:
        while not work.done():
            if signal.is_set():
                raise _cancelled(operation)
            await asyncio.wait({work}, timeout=_LOOK_SECONDS)
        return work.result()
    finally:
        if not work.done():
            work.cancel()
            await asyncio.wait({work})
