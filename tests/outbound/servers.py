"""Real servers on loopback, and a small world of names and addresses that leads to them."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from apps.outbound.addresses import Address
from apps.outbound.policy import Policy, parse_trusted_origins

CONTACT = "https://mawrid.example"
PUBLIC_ADDRESS = "93.184.216.34"


class Connection(Protocol):
    def recv(self, size: int, /) -> bytes: ...
    def sendall(self, data: bytes, /) -> None: ...


Serve = Callable[[Connection], object]
StartServer = Callable[..., "LocalServer"]
Certificate = Callable[..., ssl.SSLContext]


def read_head(connection: Connection) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and (data := connection.recv(65_536)):
        head += data
    return head


def answer(body: bytes = b"[]", *, status: str = "200 OK", headers: Sequence[str] = ()) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def sending(*pieces: bytes, pause: float = 0.0, wait_at_end: bool = False) -> Serve:
    """Read the request, send the pieces with pauses between them, then close or keep silent."""
    return streaming(lambda: pieces, pause=pause, wait_at_end=wait_at_end)


def streaming(pieces: Callable[[], Iterable[bytes]], *, pause: float = 0.0, wait_at_end: bool = False) -> Serve:
    def serve(connection: Connection) -> None:
        read_head(connection)
        for piece in pieces():
            connection.sendall(piece)
            time.sleep(pause)
        if wait_at_end:
            connection.recv(1)

    return serve


def dripping(data: bytes, pause: float, *, first: bytes = b"") -> Serve:
    return streaming(lambda: (first, *(data[i : i + 1] for i in range(len(data)))), pause=pause)


@dataclass
class LocalServer:
    """Serves every connection in a thread; keeps what the clients sent and the names they asked TLS for."""

    serve: Serve
    tls: ssl.SSLContext | None = None
    requests: list[bytes] = field(default_factory=list)
    server_names: list[str | None] = field(default_factory=list)
    connections: int = 0
    bytes_sent: int = 0

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        if self.tls:
            self.tls.sni_callback = self._note_server_name
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def endpoint(self) -> tuple[str, int]:
        return ("127.0.0.1", int(self._listener.getsockname()[1]))

    @property
    def origin(self) -> str:
        return "http://{}:{}".format(*self.endpoint)

    def close(self) -> None:
        # A listener that is only closed keeps its accepting thread, and the port, until the next client.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                self._open.append(connection)
                threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), self._secured(connection) as secured:
            self.serve(_Recording(secured, self))

    def _secured(self, connection: socket.socket) -> socket.socket:
        return self.tls.wrap_socket(connection, server_side=True) if self.tls else connection

    def _note_server_name(self, _socket: Any, name: str | None, _context: ssl.SSLContext) -> None:
        self.server_names.append(name)


class _Recording:
    """A connection whose traffic the server remembers."""

    def __init__(self, connection: socket.socket, server: LocalServer) -> None:
        self._connection = connection
        self._server = server

    def recv(self, size: int) -> bytes:
        data = self._connection.recv(size)
        if data:
            self._server.requests.append(data)
        return data

    def sendall(self, data: bytes) -> None:
        self._connection.sendall(data)
        self._server.bytes_sent += len(data)


class ClaimedSocket(socket.socket):
    """A connection to a local server that says its peer is the address it stands for, and counts what it reads."""

    peer: tuple[str, int]
    received = 0

    def getpeername(self) -> tuple[str, int]:
        return self.peer

    def recv(self, size: int, flags: int = 0) -> bytes:
        data = super().recv(size, flags)
        self.received += len(data)
        return data


@dataclass
class World:
    """Names with their answers, lookup by lookup, and one local server behind every address."""

    names: dict[str, list[list[str]]] = field(default_factory=dict)
    server: LocalServer | None = None
    refusing: set[str] = field(default_factory=set)
    claims: str | None = None
    lookups: list[str] = field(default_factory=list)
    attempts: list[tuple[str, int]] = field(default_factory=list)
    sockets: list[ClaimedSocket] = field(default_factory=list)

    def serve(self, serve: Serve, tls: ssl.SSLContext | None = None) -> LocalServer:
        self.server = LocalServer(serve, tls)
        return self.server

    def close(self) -> None:
        if self.server:
            self.server.close()

    def name(self, host: str, *answers: list[str]) -> None:
        self.names[f"{host}."] = list(answers)

    def resolve(self, name: str, timeout: float) -> list[str]:
        self.lookups.append(name)
        answers = self.names.get(name, [[PUBLIC_ADDRESS]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def connect(self, address: Address, port: int, timeout: float) -> socket.socket:
        self.attempts.append((str(address), port))
        if self.server is None or str(address) in self.refusing:
            raise ConnectionRefusedError
        connection = ClaimedSocket(socket.AF_INET, socket.SOCK_STREAM)
        connection.settimeout(timeout)
        connection.peer = (self.claims or str(address), port)
        # In a thread of its own: the client's thread may connect to vetted addresses only, and loopback is none.
        opener = threading.Thread(target=connection.connect, args=(self.server.endpoint,))
        opener.start()
        opener.join()
        self.sockets.append(connection)
        return connection


@contextlib.contextmanager
def running(serve: Serve, tls: ssl.SSLContext | None = None) -> Iterator[LocalServer]:
    server = LocalServer(serve, tls)
    try:
        yield server
    finally:
        server.close()


def trusting(policy: Policy, server: LocalServer, **limits: Any) -> Policy:
    """The policy with the server's origin trusted and some limits changed."""
    return replace(policy, trusted_origins=parse_trusted_origins(server.origin), **limits)
