"""Turns a host into the addresses that a connection may go to, with one bounded lookup."""

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from apps.outbound.addresses import Address, is_public, parse_address
from apps.outbound.errors import OutboundError
from apps.outbound.policy import Policy
from apps.outbound.url import CanonicalUrl

MAX_ANSWERS: Final = 32
MAX_LOOKUPS: Final = 32

# (name, seconds) -> all addresses of the name, as text; nothing, or an OutboundError, when there are none.
Resolver = Callable[[str, float], Sequence[str]]
GetAddrInfo = Callable[..., Sequence[tuple[Any, ...]]]


class SystemResolver:
    """The system's resolver, with a time limit it does not have itself.

    `getaddrinfo` cannot be interrupted, so each lookup runs in a thread of its own that may outlive the wait
    for it. The number of such threads is bounded; when all hang, further lookups fail at once instead of queueing.
    """

    def __init__(self, *, max_lookups: int = MAX_LOOKUPS, getaddrinfo: GetAddrInfo = socket.getaddrinfo) -> None:
        self._slots = threading.BoundedSemaphore(max_lookups)
        self._getaddrinfo = getaddrinfo

    def __call__(self, name: str, timeout: float) -> list[str]:
        if not self._slots.acquire(blocking=False):
            raise OutboundError("dns_failure")
        answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        try:
            # Daemon threads: a hanging resolver must not keep the process from ending.
            threading.Thread(target=self._look_up, args=(name, answers), daemon=True).start()
        except RuntimeError:
            self._slots.release()
            raise OutboundError("dns_failure") from None
        try:
            return answers.get(timeout=timeout)
        except queue.Empty:
            raise OutboundError("dns_failure") from None

    def _look_up(self, name: str, answers: queue.SimpleQueue[list[str]]) -> None:
        try:
            # Bytes, so that Python's own IDNA 2003 codec never touches the name.
            found = self._getaddrinfo(name.encode("ascii"), None, type=socket.SOCK_STREAM)
            answers.put([str(entry[4][0]) for entry in found])
        except OSError:
            answers.put([])
        finally:
            self._slots.release()


system_resolver: Final = SystemResolver()


def vetted_addresses(url: CanonicalUrl, policy: Policy, resolver: Resolver, timeout: float) -> list[Address]:
    """The addresses to try, in the resolver's order; one refused address refuses the host as a whole."""
    trusted = url.origin in policy.trusted_origins
    answers = [url.host] if url.address else _answers(url.host, resolver, timeout, absolute=not trusted)
    if not answers:
        raise OutboundError("dns_failure")
    if len(answers) > MAX_ANSWERS:
        raise OutboundError("address_refused")
    return [_vetted(answer, policy, trusted=trusted) for answer in answers]


def _answers(host: str, resolver: Resolver, timeout: float, *, absolute: bool) -> list[str]:
    # The final dot keeps the resolver's search domains out. A trusted name is the operator's own and may need
    # them, or the hosts file, which does not know names with a dot at the end.
    found = resolver(f"{host}." if absolute else host, timeout)
    return list(dict.fromkeys(found))


def _vetted(answer: str, policy: Policy, *, trusted: bool) -> Address:
    address = parse_address(answer)
    if address is None or not (trusted or is_public(address, policy.refused_networks)):
        raise OutboundError("address_refused")
    return address
