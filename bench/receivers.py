"""Receivers of webhooks in a process of their own: one that answers after a while, and one that never does.

Run as ``python -m bench.receivers``. It says its two ports in a line of JSON. For each line that it reads it says
what has arrived since the last one, path, id and time of each message to the one that answers; the line "hang up"
also closes the connections to the other one.
"""

import asyncio
import json
import sys
import time

ANSWER_SECONDS = 0.02
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
_BACKLOG = 1_024

Arrival = tuple[str, str, float]


class Answering(asyncio.Protocol):
    """Writes down who has come, and answers one request a connection."""

    def __init__(self, arrivals: list[Arrival]) -> None:
        self._arrivals = arrivals
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, _, body = self._received.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        if len(body) < int(headers.get(b"content-length", 1)):
            return
        path = lines[0].split(b" ")[1].decode()
        self._arrivals.append((path, headers[b"webhook-id"].decode(), time.time()))
        asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._answer)

    def _answer(self) -> None:
        self._transport.write(_ANSWER)
        self._transport.close()


class Hanging(asyncio.Protocol):
    """Takes everything and says nothing."""

    def __init__(self, held: set[asyncio.BaseTransport]) -> None:
        self._held = held

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._held.add(transport)


async def serve() -> None:
    arrivals: list[Arrival] = []
    held: set[asyncio.BaseTransport] = set()
    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(lambda: Answering(arrivals), "127.0.0.1", 0, backlog=_BACKLOG),
        await loop.create_server(lambda: Hanging(held), "127.0.0.1", 0, backlog=_BACKLOG),
    ]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line == "hang up\n":
            close(held)
        print(json.dumps(arrivals), flush=True)
        arrivals.clear()


def close(held: set[asyncio.BaseTransport]) -> None:
    for transport in held:
        transport.close()
    held.clear()


if __name__ == "__main__":
    asyncio.run(serve())
