"""Only this machine may be called from the tests' own process."""

import ipaddress
import sys
from typing import Any


class OutsideCallError(RuntimeError):
    """A test tried to reach a host that is not this machine."""


def is_this_machine(address: object) -> bool:
    """Unix sockets and loopback, by number or as localhost; names are not looked up."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0]).partition("%")[0]
    if host in {"", "localhost"}:
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and not is_this_machine(arguments[1]):
        raise OutsideCallError(f"A test called {arguments[1]!r}. Use a server on 127.0.0.1 instead.")


sys.addaudithook(_watch)
