"""The form of an API key: prefix, look-up part, 256 random bits and a checksum, as secret scanners like it.

``mwd_live_`` + 8 characters that find the row + ``_`` + 43 characters of randomness + 6 of CRC-32, in base 62.
A fast hash is right for such a key: guessing 256 bits is hopeless, and a slow one would only cost every request.
"""

import hashlib
import re
import secrets
import string
import zlib
from dataclasses import dataclass
from typing import Final

PREFIX: Final = "mwd_live_"
LOOKUP_LENGTH: Final = 8
MAX_LENGTH: Final = len(PREFIX) + LOOKUP_LENGTH + 1 + 43 + 6

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(rf"{PREFIX}([0-9A-Za-z]{{8}})_[0-9A-Za-z]{{43}}([0-9A-Za-z]{{6}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key in clear, for the one answer that shows it, and the parts that are stored."""

    text: str
    lookup: str
    digest: bytes
    last_four: str


def new_key() -> NewKey:
    lookup = "".join(secrets.choice(_ALPHABET) for _ in range(LOOKUP_LENGTH))
    body = f"{PREFIX}{lookup}_{_base62(secrets.randbits(256), 43)}"
    text = body + _checksum(body)
    return NewKey(text, lookup, digest_of(text), text[-4:])


def lookup_of(text: str) -> str | None:
    """The look-up part of a well-formed key, or None; costs no database."""
    if len(text) != MAX_LENGTH:
        return None
    match = _FORM.fullmatch(text)
    if match is None or match.group(2) != _checksum(text[:-6]):
        return None
    return match.group(1)


def digest_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), 6)


def _base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, rest = divmod(number, 62)
        digits.append(_ALPHABET[rest])
    return "".join(reversed(digits))
