"""Properties: during a guarded request its thread reaches vetted addresses only, even past our own backend."""

import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from ipaddress import IPv4Address

import pytest

from apps.outbound import OutboundError, Policy, Request, fetch, parse_trusted_origins
from apps.outbound.guard import only_vetted_connections, vet
from apps.outbound.stream import Deadline, GuardedBackend, open_socket
from apps.outbound.url import CanonicalUrl
from tests.outbound.servers import LocalServer, StartServer, World, answer, read_head, sending, trusting

pytestmark = pytest.mark.conformance("C-3", "KA-097")


def connect(server: LocalServer) -> socket.socket:
    host, port = server.endpoint
    return open_socket(IPv4Address(host), port, 1)


def test_an_unvetted_connection_is_refused(start_server: StartServer) -> None:
    server = start_server(read_head)
    with only_vetted_connections(), pytest.raises(OutboundError) as caught:
        connect(server)
    assert (caught.value.code, server.connections) == ("address_refused", 0)


def test_a_vetted_endpoint_can_be_connected_to(start_server: StartServer) -> None:
    server = start_server(read_head)
    with only_vetted_connections():
        vet([server.endpoint])
        connect(server).close()


def test_another_port_of_a_vetted_address_is_refused(start_server: StartServer) -> None:
    server, other = start_server(read_head), start_server(read_head)
    with only_vetted_connections():
        vet([server.endpoint])
        with pytest.raises(OutboundError):
            connect(other)


def test_a_local_socket_is_refused(tmp_path: object) -> None:
    with only_vetted_connections(), socket.socket(socket.AF_UNIX) as local, pytest.raises(OutboundError):
        local.connect(f"{tmp_path}/redis.sock")


@pytest.mark.parametrize(
    "look_up", [lambda: socket.getaddrinfo("localhost", 80), lambda: socket.gethostbyname("x")]
)
def test_a_lookup_is_refused(look_up: Callable[[], object]) -> None:
    with only_vetted_connections(), pytest.raises(OutboundError):
        look_up()


def test_the_guard_ends_with_the_request(start_server: StartServer) -> None:
    server = start_server(read_head)
    with only_vetted_connections():
        pass
    connect(server).close()


def test_the_guard_ends_with_a_failed_request(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(status="500 X")))
    with pytest.raises(OutboundError):
        fetch(Request(url=server.origin), trusting(sync_policy, server))
    connect(server).close()


def test_other_threads_are_left_alone(start_server: StartServer) -> None:
    server = start_server(read_head)
    opened: list[socket.socket] = []
    with only_vetted_connections():
        thread = threading.Thread(target=lambda: opened.append(connect(server)))
        thread.start()
        thread.join()
    opened[0].close()


def test_a_connector_that_goes_elsewhere_is_stopped(
    start_server: StartServer, world: World, sync_policy: Policy
) -> None:
    server = start_server(read_head)

    def stray(*_: object) -> socket.socket:
        return connect(server)

    with pytest.raises(OutboundError) as caught:
        fetch(Request(url="https://shop.example.com/"), sync_policy, resolver=world.resolve, connector=stray)
    assert (caught.value.code, server.connections) == ("address_refused", 0)


@pytest.fixture
def backend(world: World, sync_policy: Policy) -> GuardedBackend:
    url = CanonicalUrl("https", "shop.example.com", 443, "/")
    return GuardedBackend(url, sync_policy, deadline=Deadline(1), resolver=world.resolve, connector=world.connect)


def test_the_backend_opens_no_local_socket(backend: GuardedBackend) -> None:
    with pytest.raises(OutboundError):
        backend.connect_unix_socket("/run/redis.sock")


@pytest.mark.parametrize(("host", "port"), [("other.example.com", 443), ("shop.example.com", 80)])
def test_the_backend_serves_its_own_url_only(host: str, port: int, backend: GuardedBackend, world: World) -> None:
    with pytest.raises(OutboundError):
        backend.connect_tcp(host, port)
    assert world.lookups == []


def test_a_connection_over_ipv6_works(sync_policy: Policy) -> None:
    listener = loopback_ipv6()
    port = listener.getsockname()[1]
    policy = replace(sync_policy, deadline=0.2, trusted_origins=parse_trusted_origins(f"http://[::1]:{port}"))
    with listener, pytest.raises(OutboundError) as caught:
        fetch(Request(url=f"http://[::1]:{port}/"), policy, connector=open_socket)
    assert caught.value.code == "timeout"


def loopback_ipv6() -> socket.socket:
    try:
        return socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
