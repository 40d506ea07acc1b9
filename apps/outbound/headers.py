"""Which request headers a tenant may set, and the full list that leaves with a request."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from apps.outbound.errors import OutboundError, sentence

MAX_HEADERS: Final = 20
MAX_NAME_LENGTH: Final = 256
MAX_VALUE_LENGTH: Final = 4_096

# Names that frame the message, name the client, or that a receiver may take for the service's own word.
RESERVED_NAMES: Final = frozenset(
    {
        "host",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "expect",
        "content-length",
        "content-type",
        "accept-encoding",
        "cookie",
        "forwarded",
        "user-agent",
    }
)
RESERVED_PREFIXES: Final = ("proxy-", "x-forwarded-", "webhook-")

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[!-~](?:[ -~]*[!-~])?")


class HeaderFault(NamedTuple):
    """`name` is empty when the fault is of the headers as a whole."""

    name: str
    reason: str

    def message(self, locale: str = "en") -> str:
        return sentence("header_refused", self.reason, locale)


def header_faults(headers: Mapping[str, str]) -> list[HeaderFault]:
    """Every reason why a tenant's headers may not be saved or sent, in their order."""
    faults = [HeaderFault("", "too_many")] if len(headers) > MAX_HEADERS else []
    seen: set[str] = set()
    for name, value in headers.items():
        reason = "repeated" if name.lower() in seen else _fault_of(name, value)
        if reason:
            faults.append(HeaderFault(name, reason))
        seen.add(name.lower())
    return faults


def is_sendable_value(value: str) -> bool:
    """Whether a value, such as a validator that a foreign server gave us, can be sent back in a header."""
    return len(value) <= MAX_VALUE_LENGTH and _VALUE.fullmatch(value) is not None


def outgoing_headers(
    own: Iterable[tuple[str, str]], product: Mapping[str, str], tenant: Mapping[str, str]
) -> list[tuple[bytes, bytes]]:
    """All headers of a request: ours first, and of two with one name the one with more authority."""
    if header_faults(tenant) or not all(map(is_sendable_value, product.values())):
        raise OutboundError("header_refused")
    chosen: dict[str, tuple[str, str]] = {}
    for name, value in (*own, *product.items(), *tenant.items()):
        chosen.setdefault(name.lower(), (name, value))
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in chosen.values()]


def _fault_of(name: str, value: str) -> str | None:
    if len(name) > MAX_NAME_LENGTH or not _NAME.fullmatch(name):
        return "name"
    if name.lower() in RESERVED_NAMES or name.lower().startswith(RESERVED_PREFIXES):
        return "reserved"
    if len(value) > MAX_VALUE_LENGTH:
        return "value_too_long"
    return None if _VALUE.fullmatch(value) else "value"
