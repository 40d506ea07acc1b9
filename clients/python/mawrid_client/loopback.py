"""The page on this machine to which the browser comes back: a server for one visit that repeats nothing of it."""

import hmac
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlsplit

_PATH: Final = "/callback"
_MOST_QUERY: Final = 8_192
_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mawrid</title>'
    '<p>You can close this page now.</p><p lang="ar" dir="rtl">يمكنك إغلاق هذه الصفحة الآن.</p></html>'
).encode()


@dataclass(frozen=True, slots=True)
class Return:
    """What the browser brought: a code, or the reason why there is none."""

    code: str | None
    error: str | None


class Loopback:
    """Listens on a free port of 127.0.0.1 and takes the first visit that brings the right state."""

    def __init__(self) -> None:
        self._state = ""
        self._returns: queue.Queue[Return] = queue.Queue(maxsize=1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def redirect_uri(self) -> str:
        return f"http://127.0.0.1:{self.port}{_PATH}"

    def expect(self, state: str) -> None:
        self._state = state

    def wait(self, seconds: float) -> Return | None:
        """What the browser brings within so many seconds, or None."""
        try:
            return self._returns.get(timeout=seconds)
        except queue.Empty:
            return None

    def take(self, target: str, host: str) -> bool:
        """Whether this visit is the one that is waited for. Others, of a page that guesses, change nothing."""
        parts = urlsplit(target)
        if parts.path != _PATH or len(parts.query) > _MOST_QUERY or host != f"127.0.0.1:{self.port}":
            return False
        query = parse_qs(parts.query, keep_blank_values=True)
        state, code, error = (_only(query.get(name)) for name in ("state", "code", "error"))
        if not self._state or not hmac.compare_digest((state or "").encode(), self._state.encode()):
            return False
        if (code is None) == (error is None):
            return False
        try:
            self._returns.put_nowait(Return(code, error))
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _only(values: list[str] | None) -> str | None:
    """The value of a name that stands once."""
    return values[0] if values is not None and len(values) == 1 and values[0] else None


def _handler_of(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version = "mawrid-client"
        sys_version = ""

        def do_GET(self) -> None:
            taken = loopback.take(self.path, self.headers.get("Host", ""))
            page = _PAGE if taken else b""
            self.send_response(200 if taken else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("Content-Security-Policy", "default-src 'none'")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: object) -> None:
            """The address of a visit holds the code."""

    return Handler


@contextmanager
def running_loopback() -> Iterator[Loopback]:
    loopback = Loopback()
    try:
        yield loopback
    finally:
        loopback.close()
