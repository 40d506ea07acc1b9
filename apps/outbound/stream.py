"""The network under httpcore2: connects to vetted addresses only, within one deadline and one byte allowance."""

# ruff: noqa: ARG002 - httpcore2 prescribes the signatures; what it passes beyond our own limits is ignored.

import socket
import ssl
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import httpcore2

from apps.outbound.addresses import Address, parse_address
from apps.outbound.errors import OutboundError
from apps.outbound.guard import vet
from apps.outbound.policy import Policy
from apps.outbound.resolve import Resolver, vetted_addresses
from apps.outbound.tls import tls_failure
from apps.outbound.url import CanonicalUrl

MAX_ATTEMPTS: Final = 4

# (vetted address, port, seconds) -> a connected socket; raises OSError.
Connector = Callable[[Address, int, float], socket.socket]


class Deadline:
    """One point in time for a whole request, however many steps it takes."""

    def __init__(self, seconds: float) -> None:
        self._start = time.monotonic()
        self._end = self._start + seconds

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def left(self, at_most: float = float("inf")) -> float:
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise OutboundError("timeout")
        return min(seconds, at_most)


class Allowance:
    """How many more bytes may be read in the present phase of an answer, its head or its body."""

    def __init__(self, size: int) -> None:
        self._left = size

    def renew(self, size: int) -> None:
        self._left = size

    def cap(self, size: int) -> int:
        if self._left <= 0:
            raise OutboundError("too_large")
        return min(size, self._left)

    def spend(self, size: int) -> None:
        self._left -= size


def open_socket(address: Address, port: int, timeout: float) -> socket.socket:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - the name of the protocol
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout)
        connection.connect((str(address), port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


class GuardedBackend(httpcore2.NetworkBackend):
    """Serves exactly one request; the only place that resolves a name or opens a connection."""

    def __init__(
        self,
        url: CanonicalUrl,
        policy: Policy,
        *,
        deadline: Deadline,
        resolver: Resolver,
        connector: Connector,
    ) -> None:
        self.allowance = Allowance(policy.max_head)
        self._url = url
        self._policy = policy
        self._deadline = deadline
        self._resolver = resolver
        self._connector = connector

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        if (host, port) != (self._url.host, self._url.port):
            raise OutboundError("address_refused")
        lookup_time = self._deadline.left(self._policy.lookup_timeout)
        addresses = vetted_addresses(self._url, self._policy, self._resolver, lookup_time)
        vet((str(address), port) for address in addresses)
        return GuardedStream(self._connect(addresses[:MAX_ATTEMPTS]), self._deadline, self.allowance)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        raise OutboundError("address_refused")

    def _connect(self, addresses: list[Address]) -> socket.socket:
        """The first connection that opens; the attempts share the connect time-out evenly."""
        connecting = Deadline(self._deadline.left(self._policy.connect_timeout))
        failure = OutboundError("connection_failed")
        for attempts_left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            try:
                connection = self._connector(address, self._url.port, connecting.left() / attempts_left)
                _check_peer(connection, address)
            except TimeoutError:
                failure = OutboundError("timeout")
            except OSError:
                failure = OutboundError("connection_failed")
            else:
                return connection
        raise failure from None


class GuardedStream(httpcore2.NetworkStream):
    """A socket whose every wait ends at the deadline and whose every read is counted.

    The time-outs that httpcore2 passes are ignored: they are per operation, and a peer that sends a little each
    time never meets one.
    """

    def __init__(self, connection: socket.socket, deadline: Deadline, allowance: Allowance) -> None:
        self._socket = connection
        self._deadline = deadline
        self._allowance = allowance

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        size = self._allowance.cap(max_bytes)
        self._socket.settimeout(self._deadline.left())
        try:
            data = self._socket.recv(size)
        except TimeoutError:
            raise OutboundError("timeout") from None
        except ssl.SSLError as error:
            raise tls_failure(error) from None
        except OSError:
            raise OutboundError("connection_failed") from None
        self._allowance.spend(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        unsent = memoryview(buffer)
        while unsent:
            self._socket.settimeout(self._deadline.left())
            try:
                sent = self._socket.send(unsent)
            except TimeoutError:
                raise OutboundError("timeout") from None
            except OSError:
                # httpcore2 goes on to read after this one: a server may refuse a request before it has read it all.
                raise httpcore2.WriteError from None
            unsent = unsent[sent:]

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        self._socket.settimeout(self._deadline.left())
        try:
            secured = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        except TimeoutError:
            self.close()
            raise OutboundError("timeout") from None
        except OSError as error:
            self.close()
            raise tls_failure(error) from None
        return GuardedStream(secured, self._deadline, self._allowance)

    def close(self) -> None:
        self._socket.close()

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        return None


def _check_peer(connection: socket.socket, address: Address) -> None:
    if _peer_of(connection) != address:
        connection.close()
        raise OutboundError("address_refused")


def _peer_of(connection: socket.socket) -> Address | None:
    try:
        return parse_address(str(connection.getpeername()[0]))
    except OSError:  # The peer has gone again already.
        connection.close()
        raise
