"""A customer's server that receives webhooks: small, real, on loopback, and as good or bad as a test wants."""

import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the receiver says, after how many seconds; without a status it just hangs up."""

    status: int | None = 200
    body: bytes = b"ok"
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class Receiver:
    """Answers with the replies it was given, one a request, and with the last one from then on."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.at_once = 0
        self.most_at_once = 0
        self._replies: deque[Reply] = deque([Reply()])
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.origin}/hooks"

    @property
    def ids(self) -> list[str]:
        return [request.headers["webhook-id"] for request in self.received]

    def replies(self, *replies: Reply) -> None:
        self._replies = deque(replies)

    def take(self, request: Received) -> Reply:
        with self._lock:
            self.received.append(request)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return self._replies.popleft() if len(self._replies) > 1 else self._replies[0]

    def done(self) -> None:
        with self._lock:
            self.at_once -= 1

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


def _handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = receiver.take(Received(self.path, headers, body, time.monotonic()))
            try:
                time.sleep(reply.after)
            finally:
                receiver.done()
            if reply.status is not None:
                self._answer(reply)

        def do_GET(self) -> None:
            receiver.take(Received(self.path, {}, b"", time.monotonic()))
            receiver.done()

        def _answer(self, reply: Reply) -> None:
            self.send_response(reply.status or 0)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
            """Tests look at `received`."""

    return Handler


@contextmanager
def running_receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()
