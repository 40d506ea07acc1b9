"""A customer's server that offers a feed: small, real, on loopback, and as good or bad as a test wants."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PRODUCTS = [
    {"name": "صندوق بخور", "price": 95, "category": "بخور"},
    {"name": "دهن عود كمبودي", "price": 520, "category": "عود"},
    {"name": "مسك أبيض", "price": 220, "category": "عود"},
]
TRANSFORM = {"items_path": "products", "line": "- {name} — {price} ريال"}
LINES = ["- صندوق بخور — 95 ريال", "- دهن عود كمبودي — 520 ريال", "- مسك أبيض — 220 ريال"]


@dataclass(frozen=True)
class Says:
    """One answer, after so many seconds."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0


def listing(products: list[dict[str, Any]], **answer: Any) -> Says:
    return Says(json.dumps({"products": products}, ensure_ascii=False).encode(), **answer)


class Feed:
    """Answers every request with what it `says` now; `during` is called while a request waits for its answer."""

    def __init__(self) -> None:
        self.says = listing(PRODUCTS)
        self.asked: list[dict[str, str]] = []
        self.at_once = 0
        self.most_at_once = 0
        self.during: Callable[[], object] = lambda: None
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.origin}/products.json"

    def take(self, headers: dict[str, str]) -> Says:
        with self._lock:
            self.asked.append(headers)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return self.says

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


def _handler_of(feed: Feed) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            says = feed.take({name.lower(): value for name, value in self.headers.items()})
            try:
                feed.during()
                time.sleep(says.after)
            finally:
                feed.done()
            self.send_response(says.status)
            for name, value in says.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(says.body)))
            self.end_headers()
            self.wfile.write(says.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
            """Tests look at `asked`."""

    return Handler


@contextmanager
def running_feed() -> Iterator[Feed]:
    feed = Feed()
    try:
        yield feed
    finally:
        feed.close()
