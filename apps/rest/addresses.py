"""The address that a request came from, for limits and for lists of sessions: the caller's, not a proxy's.

Each proxy in front adds whom it took the request from to the end of `X-Forwarded-For`. So many of its last entries
are true as there are proxies of ours; all before them is whatever a caller sent.
"""

from ipaddress import IPv6Address, ip_address
from typing import Final

from django.conf import settings
from django.http import HttpRequest

# Stands for a caller of whom no address is known, so that all of them are counted as one.
UNKNOWN: Final = "0.0.0.0"  # noqa: S104 -- nothing listens here


def client_address(request: HttpRequest) -> str:
    peer = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
    return address_behind(settings.TRUSTED_PROXIES, peer=peer, forwarded=forwarded)


def address_behind(proxies: int, *, peer: str, forwarded: str) -> str:
    """The address that the outermost of so many proxies saw; the peer's for a request that came around them."""
    entries = forwarded.split(",")
    named = entries[-proxies] if 0 < proxies <= len(entries) else ""
    return _read(named) or _read(peer) or UNKNOWN


def _read(entry: str) -> str | None:
    """An address in its shortest form, without the port that some proxies add and without a zone; else None."""
    try:
        address = ip_address(_without_port(entry.strip(" \t")).partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address)


def _without_port(entry: str) -> str:
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    host, colon, port = entry.partition(":")
    return host if colon and ":" not in port else entry
