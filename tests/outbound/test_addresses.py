"""Properties: exactly the addresses outside the table are public; text is read in plain form only.

The table is written down a second time, as first and last addresses, so that a slip in one of the two shows.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.outbound.addresses import Address, is_public, parse_address

pytestmark = pytest.mark.conformance("KA-097", "C-2")

REFUSED_RANGES = [
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.0", "169.254.255.255"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.31.196.0", "192.31.196.255"),
    ("192.52.193.0", "192.52.193.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("192.175.48.0", "192.175.48.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "239.255.255.255"),
    ("240.0.0.0", "255.255.255.255"),
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
    ("3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
]
EDGES = [(ip_address(first), ip_address(last)) for first, last in REFUSED_RANGES]


def is_in_table(address: Address) -> bool:
    return any(
        first.version == address.version and int(first) <= int(address) <= int(last) for first, last in EDGES
    )


def neighbours(first: Address, last: Address) -> list[Address]:
    """The addresses right outside a range, where the range does not end the address space."""
    top = 2**first.max_prefixlen - 1
    before = [type(first)(int(first) - 1)] if int(first) > 0 else []
    after = [type(first)(int(last) + 1)] if int(last) < top else []
    return [*before, *after]


INSIDE = [edge for edges in EDGES for edge in edges]
MIDDLES = [type(first)((int(first) + int(last)) // 2) for first, last in EDGES]
OUTSIDE = [neighbour for edges in EDGES for neighbour in neighbours(*edges)]


@pytest.mark.parametrize("address", [*INSIDE, *MIDDLES], ids=str)
def test_the_ends_and_the_middle_of_a_refused_range_are_not_public(address: Address) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OUTSIDE, ids=str)
def test_the_neighbours_of_a_refused_range_are_public_unless_another_range_holds_them(address: Address) -> None:
    assert is_public(address) is not is_in_table(address)


@pytest.mark.parametrize(
    "text",
    [
        "192.0.0.8",
        "192.0.0.192",
        "100.100.100.200",
        "169.254.169.254",
        "169.254.170.2",
        "::7f00:1",
        "::ffff:10.0.0.1",
        "::ffff:93.184.216.34",
        "::ffff:0:127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "2001:20::1",
        "2001:30::1",
        "2002:7f00:1::1",
        "2606:2800:220:1:0:5efe:7f00:1",
        "2606:2800:220:1:200:5efe:7f00:1",
        "5f00::1",
        "8000::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "2606:2800::1%eth0",
        "fec0::1",
        "ff02::1",
        "fd20:ce::254",
    ],
)
def test_known_traps_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "168.63.129.15",
        "223.255.255.255",
        "2606:2800:220:1:248:1893:25c8:1946",
        "2606:2800:220:1:1:5efe:7f00:1",
        "2a00:1450:4001:81b::200e",
    ],
)
def test_ordinary_addresses_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("text", ["93.184.216.34", "2606:2800:220:1::1"])
def test_the_deployments_own_networks_are_refused_too(text: str) -> None:
    own = (ip_network("93.184.216.0/24"), ip_network("2606:2800:220:1::/64"))
    assert not is_public(ip_address(text), own)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.1 ",
        "127.0.0.1/8",
        "１２７.0.0.1",
        "::1%lo",
        "[::1]",
        ":::",
        "1:2:3:4:5:6:7:8:9",
        "shop.example.com",
    ],
)
def test_only_the_plain_form_of_an_address_is_read(text: str) -> None:
    assert parse_address(text) is None


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_an_address_is_public_only_outside_the_table(address: IPv4Address | IPv6Address) -> None:
    assert not (is_public(address) and is_in_table(address))


@given(st.ip_addresses())
def test_an_address_reads_back_from_its_own_text(address: IPv4Address | IPv6Address) -> None:
    assert parse_address(str(address)) == address
