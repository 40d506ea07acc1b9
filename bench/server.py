"""The product as it runs in production, on throw-away services, for benchmarks that go through HTTP."""

import base64
import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner import programs
from runner.services import throw_away

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 60.0


@dataclass(frozen=True)
class Server:
    """A running web server, the key of an empty project, and the environment for management commands."""

    port: int
    key: str
    project_id: str
    environment: dict[str, str]

    def connect(self) -> "Connection":
        return Connection(self)


class Connection:
    """One kept-alive connection that sends prepared bytes; as little work as a client can do."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left = b""

    def close(self) -> None:
        self._socket.close()

    def prepare(self, method: str, path: str, body: Any = None) -> bytes:
        data = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._server.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data

    def send(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer."""
        self._socket.sendall(request)
        received = self._left
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
        )
        while len(body) < length:
            body += self._more()
        self._left = body[length:]
        return int(head[9:12]), body[:length]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = self.send(self.prepare(method, path, body))
        if status >= 400:
            raise RuntimeError(f"{method} {path} answered {status}: {answer[:300]!r}")
        return json.loads(answer) if answer else None

    def _more(self) -> bytes:
        piece = self._socket.recv(1 << 20)
        if not piece:
            raise RuntimeError("the server closed the connection")
        return piece


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Start everything, make a project, and take it all down again."""
    with throw_away() as services:
        services.start_postgres()
        services.start_valkey()
        port = _free_port()
        environment = {
            **os.environ,
            "DATABASE_URL": services.addresses.database,
            "MIGRATION_DATABASE_URL": services.addresses.migration_database,
            "REDIS_URL": services.addresses.redis,
            "SECRET_KEY": secrets.token_urlsafe(48),
            "ENCRYPTION_KEYS": "bench:" + base64.b64encode(secrets.token_bytes(32)).decode(),
            "PORT": str(port),
            "DJANGO_SETTINGS_MODULE": "config.settings.dev",
            "RATE_LIMIT_PER_KEY": "10000000",
            "RATE_LIMIT_PER_PROJECT": "10000000",
            "RATE_LIMIT_PER_AGENT_SESSION": "10000000",
            "LOG_LEVEL": "WARNING",
        }
        manage(environment, "migrate", "--verbosity", "0")
        made = json.loads(manage(environment, "create_project", "--name", "bench", "--json"))
        with _web(port, environment):
            yield Server(port, made["api_key"], made["project"]["id"], environment)


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


@contextlib.contextmanager
def _web(port: int, environment: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, *programs.web("127.0.0.1", port)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        _wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError("the web server did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
