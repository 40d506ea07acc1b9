"""Properties: one lookup a connection, of the absolute name; one bad answer refuses it; lookups are bounded."""

import socket
import threading
import time
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest

from apps.outbound import OutboundError, Policy, Request, fetch
from apps.outbound.policy import parse_trusted_origins
from apps.outbound.resolve import SystemResolver
from tests.outbound.servers import PUBLIC_ADDRESS, World, read_head

URL = "https://shop.example.com/feed"
OTHER_ADDRESS = "93.184.216.35"
PUBLIC_IPV6 = "2606:2800:220:1:248:1893:25c8:1946"


def code_of(world: World, policy: Policy, url: str = URL) -> str:
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=url), policy, resolver=world.resolve, connector=world.connect)
    return caught.value.code


@pytest.mark.conformance("C-3")
@pytest.mark.parametrize(
    "answers",
    [[PUBLIC_ADDRESS], [PUBLIC_IPV6], [PUBLIC_ADDRESS, PUBLIC_IPV6], [PUBLIC_IPV6, PUBLIC_ADDRESS]],
)
def test_it_connects_to_the_answers_in_the_resolvers_order(
    answers: list[str], world: World, sync_policy: Policy
) -> None:
    world.name("shop.example.com", answers)
    code_of(world, sync_policy)
    assert world.attempts == [(address, 443) for address in answers]


@pytest.mark.conformance("C-4", "KA-097")
@pytest.mark.parametrize(
    "bad",
    [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "fd12::1",
        "::ffff:93.184.216.34",
        "64:ff9b::5db8:d822",
        "fe80::1%eth0",
        "not an address",
        "",
    ],
)
@pytest.mark.parametrize("bad_first", [True, False])
def test_one_refused_answer_refuses_the_name(bad: str, bad_first: bool, world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [bad, PUBLIC_ADDRESS] if bad_first else [PUBLIC_ADDRESS, bad])
    assert code_of(world, sync_policy) == "address_refused"
    assert world.attempts == []


@pytest.mark.conformance("C-4")
def test_a_name_of_the_deployments_own_network_is_refused(world: World, sync_policy: Policy) -> None:
    own = replace(sync_policy, refused_networks=(ip_network("93.184.216.0/24"),))
    assert (code_of(world, own), world.attempts) == ("address_refused", [])


@pytest.mark.conformance("C-4")
def test_a_name_without_an_answer_is_a_dns_failure(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [])
    assert (code_of(world, sync_policy), world.attempts) == ("dns_failure", [])


@pytest.mark.conformance("C-4")
def test_thirty_two_answers_are_accepted(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [f"93.184.216.{number}" for number in range(1, 33)])
    assert code_of(world, sync_policy) == "connection_failed"


@pytest.mark.conformance("C-4")
def test_thirty_three_answers_refuse_the_name(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [f"93.184.216.{number}" for number in range(1, 34)])
    assert (code_of(world, sync_policy), world.attempts) == ("address_refused", [])


def test_a_repeated_answer_counts_once(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [PUBLIC_ADDRESS] * 40)
    assert code_of(world, sync_policy) == "connection_failed"
    assert len(world.attempts) == 1


@pytest.mark.conformance("C-3")
@pytest.mark.parametrize("second", ["127.0.0.1", "169.254.169.254", OTHER_ADDRESS])
def test_a_second_answer_is_never_asked_for(second: str, world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [PUBLIC_ADDRESS], [second])
    code_of(world, sync_policy)
    assert (len(world.lookups), world.attempts) == (1, [(PUBLIC_ADDRESS, 443)])


@pytest.mark.conformance("C-3", "C-4")
def test_a_refused_answer_is_not_asked_for_again(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", ["10.0.0.1"], [PUBLIC_ADDRESS])
    assert code_of(world, sync_policy) == "address_refused"
    assert (len(world.lookups), world.attempts) == (1, [])


@pytest.mark.conformance("C-6")
@pytest.mark.parametrize("host", ["shop.example.com", "shop.example.com.", "SHOP.example.com"])
def test_the_name_is_looked_up_as_an_absolute_name(host: str, world: World, sync_policy: Policy) -> None:
    code_of(world, sync_policy, f"https://{host}/")
    assert world.lookups == ["shop.example.com."]


@pytest.mark.conformance("C-21")
def test_a_trusted_name_is_looked_up_as_the_operator_wrote_it(world: World, sync_policy: Policy) -> None:
    world.names["feed"] = [["10.0.0.7"]]
    policy = replace(sync_policy, trusted_origins=parse_trusted_origins("http://feed:9000"))
    code_of(world, policy, "http://feed:9000/")
    assert (world.lookups, world.attempts) == (["feed"], [("10.0.0.7", 9000)])


@pytest.mark.parametrize("url", [f"https://{PUBLIC_ADDRESS}/", f"https://[{PUBLIC_IPV6}]/"])
def test_a_literal_needs_no_lookup(url: str, world: World, sync_policy: Policy) -> None:
    code_of(world, sync_policy, url)
    assert (len(world.lookups), len(world.attempts)) == (0, 1)


def test_at_most_four_addresses_are_tried(world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [f"93.184.216.{number}" for number in range(1, 9)])
    assert code_of(world, sync_policy) == "connection_failed"
    assert [address for address, _ in world.attempts] == [f"93.184.216.{number}" for number in range(1, 5)]


@pytest.mark.conformance("C-3")
def test_a_peer_that_is_not_the_vetted_address_is_refused(world: World, sync_policy: Policy) -> None:
    server = world.serve(read_head)
    world.claims = "10.0.0.1"
    assert code_of(world, sync_policy) == "address_refused"
    assert server.requests == []


def test_a_peer_that_has_gone_again_is_a_failed_connection(world: World, sync_policy: Policy) -> None:
    lost = socket.socket()
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=URL), sync_policy, resolver=world.resolve, connector=lambda *_: lost)
    assert (caught.value.code, lost.fileno()) == ("connection_failed", -1)


@pytest.mark.conformance("C-9")
def test_a_lookup_counts_against_the_deadline(world: World, sync_policy: Policy) -> None:
    def slow(name: str, timeout: float) -> list[str]:
        time.sleep(0.15)
        return [PUBLIC_ADDRESS]

    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=URL), replace(sync_policy, deadline=0.1), resolver=slow, connector=world.connect)
    assert (caught.value.code, world.attempts) == ("timeout", [])


def test_the_lookup_gets_no_more_time_than_the_deadline_leaves(world: World, sync_policy: Policy) -> None:
    given: list[float] = []

    def note(name: str, timeout: float) -> list[str]:
        given.append(timeout)
        return []

    with pytest.raises(OutboundError):
        fetch(Request(url=URL), replace(sync_policy, deadline=1.0), resolver=note, connector=world.connect)
    with pytest.raises(OutboundError):
        fetch(Request(url=URL), sync_policy, resolver=note, connector=world.connect)
    assert given[0] <= 1.0
    assert given[1] == 3.0


class HangingResolver:
    """Stands for the system's `getaddrinfo`; answers when it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.calls = 0

    def __call__(self, name: bytes, port: None, **options: Any) -> list[tuple[Any, ...]]:
        self.calls += 1
        self.go.wait(10)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC_ADDRESS, 0))]


@pytest.mark.conformance("C-5")
def test_a_hanging_lookup_is_given_up() -> None:
    hanging = HangingResolver()
    with pytest.raises(OutboundError) as caught:
        SystemResolver(getaddrinfo=hanging)("shop.example.com.", 0.05)
    hanging.go.set()
    assert caught.value.code == "dns_failure"


@pytest.mark.conformance("C-5")
def test_a_lookup_fails_at_once_while_all_threads_hang_and_works_again_afterwards() -> None:
    hanging = HangingResolver()
    resolver = SystemResolver(max_lookups=1, getaddrinfo=hanging)
    with pytest.raises(OutboundError):
        resolver("first.example.com.", 0.01)
    with pytest.raises(OutboundError) as caught:
        resolver("second.example.com.", 10)
    assert (caught.value.code, hanging.calls) == ("dns_failure", 1)
    hanging.go.set()
    assert resolver._slots.acquire(timeout=10)
    resolver._slots.release()
    assert resolver("third.example.com.", 10) == [PUBLIC_ADDRESS]


@pytest.mark.conformance("C-5")
def test_a_lookup_that_finds_no_thread_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(thread: threading.Thread) -> None:
        raise RuntimeError

    monkeypatch.setattr(threading.Thread, "start", exhausted)
    with pytest.raises(OutboundError) as caught:
        SystemResolver()("shop.example.com.", 1)
    assert caught.value.code == "dns_failure"


def test_an_unknown_name_has_no_addresses() -> None:
    def unknown(*args: Any, **options: Any) -> list[tuple[Any, ...]]:
        raise socket.gaierror

    assert SystemResolver(getaddrinfo=unknown)("shop.example.com.", 1) == []


def test_the_system_resolver_finds_loopback_by_name() -> None:
    assert "127.0.0.1" in SystemResolver()("localhost", 3)
