"""The last line: inside a guarded request the thread can connect to vetted addresses and to nothing else.

Everything above this already keeps to vetted addresses. The audit hook holds even when a library below us one
day opens a connection or looks up a name by itself.
"""

import functools
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from apps.outbound.errors import OutboundError

Endpoint = tuple[str, int]

_thread = threading.local()


@contextmanager
def only_vetted_connections() -> Iterator[None]:
    """Until `vet` names an endpoint, the thread can connect to none."""
    _install()
    outer: frozenset[Endpoint] | None = getattr(_thread, "endpoints", None)
    _thread.endpoints = frozenset()
    try:
        yield
    finally:
        _thread.endpoints = outer


def vet(endpoints: Iterable[Endpoint]) -> None:
    """Say where this thread may connect to, from now to the end of the guarded request."""
    _thread.endpoints = frozenset(endpoints)


@functools.cache
def _install() -> None:
    """Adds the hook, once: a process keeps an audit hook for the rest of its life."""
    thread = _thread
    lookups = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})

    # A closure, since hooks still run while the interpreter clears the names of modules.
    def watch(event: str, args: tuple[Any, ...]) -> None:
        if event != "socket.connect" and event not in lookups:
            return
        endpoints = getattr(thread, "endpoints", None)
        if endpoints is None or (event == "socket.connect" and tuple(args[1][:2]) in endpoints):
            return
        raise OutboundError("address_refused")

    sys.addaudithook(watch)
