"""Reads a URL once and strictly into the one form that saving, previews, syncs and deliveries all use.

Parsers disagree about odd URLs, and each disagreement is a way past a check. So nothing here guesses: what is
not plainly well formed is refused, and everything later works on the canonical value, never on the text again.
"""

import re
import string
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn

import idna

from apps.outbound.addresses import Address, Network, is_public, parse_address
from apps.outbound.errors import OutboundError

MAX_URL_LENGTH: Final = 2_048
MAX_NAME_LENGTH: Final = 253
MAX_LABEL_LENGTH: Final = 63
MAX_PORT: Final = 65_535
PUBLIC_PORTS: Final = frozenset({443, 8443})
DEFAULT_PORTS: Final = {"https": 443, "http": 80}

# Top labels that a private network, a resolver or a service mesh answers for.
PRIVATE_SUFFIXES: Final = frozenset(
    {
        "alt",
        "arpa",
        "consul",
        "corp",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "onion",
        "priv",
        "private",
        "test",
    }
)

_AUTHORITY_END = re.compile(r"[/?#]")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
# What inet_aton and its relatives read as a number: a name must not end so.
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
# RFC 3986, and the brackets and bar that feeds use in queries (filter[status]=active).
_TARGET = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]|]|%[0-9A-Fa-f]{2})*")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class CanonicalUrl:
    """`host` is a lower-case A-label name without trailing dot, or a canonical literal without brackets."""

    scheme: str
    host: str
    port: int
    target: str = field(repr=False)  # A query may hold credentials.

    @property
    def origin(self) -> Origin:
        return Origin(self.scheme, self.host, self.port)

    @property
    def address(self) -> Address | None:
        return parse_address(self.host)

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def log_form(self) -> str:
        """Scheme, host, port and path: what logs and messages may show."""
        return f"{self.scheme}://{self.authority}{self.target.partition('?')[0]}"

    def __str__(self) -> str:
        return self.log_form


def check_url(
    text: str, trusted_origins: Collection[Origin] = (), refused_networks: Iterable[Network] = ()
) -> CanonicalUrl:
    """The canonical form of a URL that a request may go to, decided without any lookup."""
    url = parse_url(text)
    if url.origin in trusted_origins:
        return url
    if url.scheme != "https":
        _refuse("scheme")
    if url.port not in PUBLIC_PORTS:
        _refuse("port")
    _check_public(url.host, refused_networks)
    return url


def check_host(text: str, trusted_origins: Iterable[Origin] = ()) -> str:
    """The canonical form of a bare host, as it stands in a list of allowed hosts."""
    if len(text) > MAX_URL_LENGTH:
        _refuse("host")
    host = str(parse_address(text) or parse_host(text))
    if host not in {origin.host for origin in trusted_origins}:
        _check_public(host)
    return host


def parse_url(text: str) -> CanonicalUrl:
    """Form only: whether the scheme, port and host may be used is for `check_url` to say."""
    _check_characters(text)
    scheme, separator, rest = text.partition("://")
    if not separator:
        _refuse("form")
    scheme = scheme.translate(_ASCII_LOWER)
    if scheme not in DEFAULT_PORTS:
        _refuse("scheme")
    end = _AUTHORITY_END.search(rest)
    authority, tail = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    host, port = _parse_authority(authority)
    url = CanonicalUrl(scheme, host, DEFAULT_PORTS[scheme] if port is None else port, _parse_target(tail))
    if len(scheme) + len("://") + len(url.authority) + len(url.target) > MAX_URL_LENGTH:
        _refuse("too_long")
    return url


def parse_host(text: str) -> str:
    if text.startswith("["):
        return _parse_bracketed(text)
    if address := parse_address(text):
        # Unbracketed IPv6 never gets here from a URL: its colons ended the host.
        return str(address)
    return _parse_name(text)


def _refuse(reason: str) -> NoReturn:
    raise OutboundError("url_refused", reason)


def _check_characters(text: str) -> None:
    if len(text) > MAX_URL_LENGTH:
        _refuse("too_long")
    # Categories C and Z: controls, format characters (bidi, zero width), surrogates, unassigned, all spaces.
    if "\\" in text or any(unicodedata.category(character)[0] in "CZ" for character in text):
        _refuse("characters")


def _parse_authority(authority: str) -> tuple[str, int | None]:
    if "@" in authority:
        _refuse("userinfo")
    if authority.startswith("["):
        literal, bracket, rest = authority.partition("]")
        host, port = literal + bracket, rest
    else:
        host, colon, digits = authority.partition(":")
        port = colon + digits
    return parse_host(host), _parse_port(port)


def _parse_port(text: str) -> int | None:
    if not text:
        return None
    if text[0] != ":" or not _PORT.fullmatch(text, 1) or int(text[1:]) > MAX_PORT:
        _refuse("port")
    return int(text[1:])


def _parse_bracketed(text: str) -> str:
    inner = text[1:-1]
    address = parse_address(inner) if text.endswith("]") and ":" in inner else None
    if address is None:
        _refuse("host")
    return str(address)


def _parse_name(text: str) -> str:
    labels = [_parse_label(label) for label in text.removesuffix(".").split(".")]
    name = ".".join(labels)
    if len(name) > MAX_NAME_LENGTH:
        _refuse("host")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        _refuse("address_form")
    return name


def _parse_label(text: str) -> str:
    label = text.translate(_ASCII_LOWER)
    if len(label) > MAX_LABEL_LENGTH:
        _refuse("host")
    if not label.isascii():
        label = _to_a_label(label)
    elif label.startswith("xn--") and _to_a_label(_to_u_label(label)) != label:
        _refuse("host")
    if not _LABEL.fullmatch(label):
        _refuse("host")
    return label


def _to_a_label(label: str) -> str:
    # IDNA 2008 without the mapping step: fullwidth digits, circled digits and ideographic full stops are errors,
    # not digits and dots.
    try:
        return idna.alabel(label).decode("ascii")
    except idna.IDNAError:
        _refuse("host")


def _to_u_label(label: str) -> str:
    try:
        return idna.ulabel(label)
    except idna.IDNAError:
        _refuse("host")


def _parse_target(tail: str) -> str:
    path, mark, query = tail.partition("#")[0].partition("?")
    target = "".join(map(_percent_encoded, (path or "/") + mark + query))
    if not _TARGET.fullmatch(target):
        _refuse("characters")
    return target


def _percent_encoded(character: str) -> str:
    if character.isascii():
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _check_public(host: str, refused_networks: Iterable[Network] = ()) -> None:
    if address := parse_address(host):
        if not is_public(address, refused_networks):
            raise OutboundError("address_refused")
    elif "." not in host or host.rpartition(".")[2] in PRIVATE_SUFFIXES:
        # A single label could be completed by a resolver's search domain.
        _refuse("host_not_public")
