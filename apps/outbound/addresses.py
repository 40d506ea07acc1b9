"""Decides which IP addresses are public, by a table of our own.

The standard library's `is_global` lets multicast, NAT64, 6to4, several metadata addresses and unallocated
space through, and its answers change between Python versions, so it is never asked.
"""

from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

REFUSED_IPV4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # "this network"; 0.0.0.0 reaches loopback on Linux
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; one cloud keeps its metadata service here
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's host agent on an ordinary public address
        "169.254.0.0/16",  # link-local, metadata services
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; one cloud's metadata service
        "192.0.2.0/24",
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)

ALLOWED_IPV6: Final = IPv6Network("2000::/3")
REFUSED_IPV6: Final = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",
        "2002::/16",  # 6to4 embeds any IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # the former 6bone
        "3fff::/20",  # documentation
    )
)
# The upper half of an ISATAP interface identifier; the lower half is an IPv4 address.
ISATAP_MARKS: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})


def parse_address(text: str) -> Address | None:
    """The address that `text` writes in plain form, else None: no short, octal, hexadecimal or scoped form."""
    if not text.isascii() or "%" in text:
        return None
    try:
        return IPv6Address(text) if ":" in text else IPv4Address(text)
    except AddressValueError:
        return None


def is_public(address: Address, also_refused: Iterable[Network] = ()) -> bool:
    if any(address in network for network in also_refused):
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in REFUSED_IPV4)
    return _is_public_ipv6(address)


def _is_public_ipv6(address: IPv6Address) -> bool:
    if address.scope_id is not None or address not in ALLOWED_IPV6:
        return False
    if int(address) >> 32 & 0xFFFF_FFFF in ISATAP_MARKS:
        return False
    return not any(address in network for network in REFUSED_IPV6)
