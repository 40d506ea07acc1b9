"""The form of credentials: prefix, look-up part, 256 random bits and a checksum, as secret scanners like it.

``mwd_live_`` + a few characters that find the row + ``_`` + 43 characters of randomness + 6 of CRC-32, in base 62.
A fast hash is right for such a text: guessing 256 bits is hopeless, and a slow one would only cost every request.
"""

import hashlib
import re
import secrets
import string
import zlib
from dataclasses import dataclass
from typing import Final

RANDOM_LENGTH: Final = 43
CHECKSUM_LENGTH: Final = 6

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class NewCredential:
    """A credential in clear, for the one answer that shows it, and the parts that are stored."""

    text: str
    lookup: str
    digest: bytes

    @property
    def last_four(self) -> str:
        return self.text[-4:]


class CredentialForm:
    """One kind of credential, told apart from the others by its prefix."""

    def __init__(self, prefix: str, *, lookup_length: int) -> None:
        self.prefix = prefix
        self.lookup_length = lookup_length
        self.length = len(prefix) + lookup_length + 1 + RANDOM_LENGTH + CHECKSUM_LENGTH
        self._pattern = re.compile(
            rf"{prefix}([0-9A-Za-z]{{{lookup_length}}})_[0-9A-Za-z]{{{RANDOM_LENGTH}}}"
            rf"([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})",
            re.ASCII,
        )

    def new(self) -> NewCredential:
        lookup = "".join(secrets.choice(_ALPHABET) for _ in range(self.lookup_length))
        body = f"{self.prefix}{lookup}_{_base62(secrets.randbits(256), RANDOM_LENGTH)}"
        text = body + _checksum(body)
        return NewCredential(text, lookup, digest_of(text))

    def lookup_of(self, text: str) -> str | None:
        """The look-up part of a well-formed text, or None; costs no database."""
        if len(text) != self.length:
            return None
        match = self._pattern.fullmatch(text)
        if match is None or match.group(2) != _checksum(text[:-CHECKSUM_LENGTH]):
            return None
        return match.group(1)


def digest_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), CHECKSUM_LENGTH)


def _base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, rest = divmod(number, 62)
        digits.append(_ALPHABET[rest])
    return "".join(reversed(digits))
