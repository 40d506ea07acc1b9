"""Sealing: AES-256-GCM bound to the place a value belongs to, so that a blob opens nowhere else.

A blob is ``version, length of the key's id, key id, nonce, text with tag``. What it was sealed for is no part of
it: whoever opens it says where it stands, and a blob that was moved, cut or edited does not open.
"""

import base64
import binascii
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION: Final = 1
KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12

# No full stop, bar or colon: ids stand in the associated data and before the colon of a setting.
_KEY_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class BrokenSealError(Exception):
    """A blob that does not open: moved, cut, edited, or sealed under another key."""


class KeyRingError(ValueError):
    """A list of keys that cannot be used; the text says what to change and shows no key."""


@dataclass(frozen=True, slots=True)
class Key:
    """An AES-256 key and the name by which blobs refer to it."""

    id: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sealed value belongs: the project, the row and its field."""

    project_id: str
    owner_id: str
    field: str

    def associated_data(self, key_id: str) -> bytes:
        return f"v{VERSION}|{self.project_id}|{self.owner_id}|{self.field}|{key_id}".encode()


def new_secret() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def seal(key: Key, place: Place, content: bytes) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = AESGCM(key.secret).encrypt(nonce, content, place.associated_data(key.id))
    key_id = key.id.encode("ascii")
    return bytes([VERSION, len(key_id)]) + key_id + nonce + sealed


def open_sealed(key: Key, place: Place, blob: bytes) -> bytes:
    """Raises `BrokenSealError`, without saying which part was wrong."""
    head = bytes([VERSION, len(key.id)]) + key.id.encode("ascii")
    if not blob.startswith(head):
        raise BrokenSealError
    nonce, sealed = blob[len(head) : len(head) + _NONCE_BYTES], blob[len(head) + _NONCE_BYTES :]
    try:
        return AESGCM(key.secret).decrypt(nonce, sealed, place.associated_data(key.id))
    except (InvalidTag, ValueError):
        raise BrokenSealError from None


class KeyRing:
    """The deployment's keys: the first one seals, each of them opens."""

    def __init__(self, keys: Sequence[Key]) -> None:
        if not keys:
            raise KeyRingError("ENCRYPTION_KEYS is empty. Set at least one key, as id:base64 of 32 random bytes.")
        self._keys = {key.id: key for key in keys}
        if len(self._keys) < len(keys):
            raise KeyRingError("ENCRYPTION_KEYS names two keys alike. Give each key an id of its own.")
        self.first: Final = keys[0]

    def __contains__(self, key_id: object) -> bool:
        return key_id in self._keys

    def __getitem__(self, key_id: str) -> Key:
        """Raises `BrokenSealError` for a key that the ring does not hold."""
        if key_id not in self._keys:
            raise BrokenSealError
        return self._keys[key_id]


def parse_key_ring(items: Iterable[str]) -> KeyRing:
    """The ring of a setting whose items are ``id:base64``."""
    return KeyRing([_parse_key(item, position) for position, item in enumerate(items, start=1)])


def _parse_key(item: str, position: int) -> Key:
    key_id, colon, encoded = item.partition(":")
    if not colon or not _KEY_ID.fullmatch(key_id):
        raise KeyRingError(
            f"Key {position} of ENCRYPTION_KEYS does not start with an id of letters, digits, - and _, followed by "
            "a colon. Write it as id:base64."
        )
    try:
        secret = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != KEY_BYTES:
        raise KeyRingError(
            f"The key {key_id!r} of ENCRYPTION_KEYS is not the base64 of {KEY_BYTES} bytes. Make one with: "
            "python3 -c 'import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())'"
        )
    return Key(key_id, secret)
