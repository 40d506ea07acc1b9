"""The limits of a request and the origins an operator trusts, as values that cannot change under way."""

import re
from dataclasses import dataclass
from typing import Final, NoReturn, Self

from apps.outbound.addresses import Network
from apps.outbound.errors import ConfigurationError, OutboundError
from apps.outbound.url import Origin, parse_url

KIB: Final = 1_024
MIB: Final = 1_024 * KIB

_CONTACT = re.compile(r"[!-'*-~]{1,256}")  # Visible ASCII without parentheses, which end the comment it stands in.


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How long, how much and where to; times in seconds, sizes in bytes.

    `answer_decides` tells the two uses apart. A sync (False) wants the whole body of a success and nothing
    else: any other status and any body that is too large or wrongly coded is an error. A webhook (True) wants
    the status, whatever it is, and the beginning of the body: a longer body is cut, and an undecodable one is
    left out. Failures of the transport and the deadline are errors for both.
    """

    deadline: float
    max_body: int
    max_framing: int  # On top of the body: chunk sizes, chunk extensions and trailers.
    answer_decides: bool
    user_agent: str
    lookup_timeout: float = 3.0
    connect_timeout: float = 5.0
    max_head: int = 128 * KIB  # All heads of one request, interim answers included.
    trusted_origins: frozenset[Origin] = frozenset()
    refused_networks: tuple[Network, ...] = ()  # The deployment's own addresses and its network's NAT64 prefix.
    extra_ca_file: str | None = None

    @classmethod
    def for_syncs(
        cls,
        *,
        contact: str,
        trusted_origins: frozenset[Origin] = frozenset(),
        refused_networks: tuple[Network, ...] = (),
        extra_ca_file: str | None = None,
    ) -> Self:
        return cls(
            deadline=10.0,
            max_body=MIB,
            max_framing=512 * KIB,
            answer_decides=False,
            user_agent=user_agent(contact),
            trusted_origins=trusted_origins,
            refused_networks=refused_networks,
            extra_ca_file=extra_ca_file,
        )

    @classmethod
    def for_webhooks(
        cls,
        *,
        contact: str,
        trusted_origins: frozenset[Origin] = frozenset(),
        refused_networks: tuple[Network, ...] = (),
        extra_ca_file: str | None = None,
    ) -> Self:
        return cls(
            deadline=15.0,
            max_body=KIB,
            max_framing=64 * KIB,
            answer_decides=True,
            user_agent=user_agent(contact),
            trusted_origins=trusted_origins,
            refused_networks=refused_networks,
            extra_ca_file=extra_ca_file,
        )


def user_agent(contact: str) -> str:
    """Names the product and whom to write to, for the owner of the server that we call."""
    if not _CONTACT.fullmatch(contact):
        raise ConfigurationError(
            "The contact in the User-Agent must be an address or URL of visible ASCII characters, "
            "without parentheses."
        )
    return f"Mawrid/1 (+{contact})"


def parse_trusted_origins(text: str) -> frozenset[Origin]:
    """The value of OUTBOUND_TRUSTED_ORIGINS: exact origins, separated by commas."""
    if not text.strip():
        return frozenset()
    return frozenset(_parse_trusted_origin(entry.strip()) for entry in text.split(","))


def _parse_trusted_origin(entry: str) -> Origin:
    if not entry:
        _stop(entry, "is empty; remove the extra comma")
    if "*" in entry:
        _stop(entry, "holds a wildcard; list each origin by its exact name")
    try:
        url = parse_url(entry)
    except OutboundError as error:
        if error.reason == "userinfo":
            _stop(entry.rpartition("@")[2], "came with a user name or password; write scheme, host and port only")
        _stop(entry, "is not an origin such as http://127.0.0.1:9000")
    if re.search(r"[/?#]", entry.partition("://")[2]):
        _stop(entry, "goes on after the port; write scheme, host and port only, without a final slash")
    return url.origin


def _stop(entry: str, fault: str) -> NoReturn:
    raise ConfigurationError(f"OUTBOUND_TRUSTED_ORIGINS: the entry {entry!r} {fault}.") from None
