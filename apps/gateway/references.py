"""References to knowledge and cursors into it: short tokens that nobody can forge, change or carry elsewhere.

A reference names a place among the agent's attachments, so it holds no id of the project's. What a caller must be —
deployment, project, client, session, person, route, run — is not in the token but in its mark: for anyone else the
token is simply wrong. What may change meanwhile — time, scope, content — is in the token, so that a caller can be
told which of them it was.
"""

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import astuple, dataclass
from typing import Final

from apps.gateway import errors
from apps.kernel.errors import AppError
from apps.kernel.signing import derive_key

TTL_SECONDS: Final = 300
MOST_BYTES: Final = 4_096

_REFERENCE: Final = "knowledge reference"
_CURSOR: Final = "knowledge cursor"
_MARK_BYTES: Final = 16
# Expiry, place, part, revision of the scope, revision of the content.
_REFERENCE_LAYOUT: Final = struct.Struct(">QHI32s32s")
_CURSOR_LAYOUT: Final = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Holder:
    """Whom a token was given to, where and in which run; None outside of a run."""

    deployment: str
    project_id: str
    client_id: str
    session_id: str
    principal: str
    on_behalf_of: str
    route: str
    run_id: str | None


@dataclass(frozen=True, slots=True)
class Reference:
    """What can be read: one attachment of the agent, or one numbered part of it, as it was when it was found.

    `part` 0 is the whole attachment; the revisions are SHA-256 digests.
    """

    expires_at: int
    place: int
    part: int
    scope_revision: bytes
    content_revision: bytes


def seal_reference(secret_key: str, holder: Holder, reference: Reference) -> str:
    return _seal(secret_key, _REFERENCE, _REFERENCE_LAYOUT.pack(*astuple(reference)), _bound_to(holder))


def open_reference(secret_key: str, holder: Holder, text: str) -> Reference:
    """What a token of this holder refers to; raises `knowledge_reference_invalid` for any other text."""
    payload = _open(secret_key, _REFERENCE, text, _bound_to(holder), size=_REFERENCE_LAYOUT.size)
    return Reference(*_REFERENCE_LAYOUT.unpack(payload))


def seal_cursor(secret_key: str, holder: Holder, reference: str, start: int) -> str:
    """The place in a body where the next page begins; it goes with its reference only."""
    return _seal(secret_key, _CURSOR, _CURSOR_LAYOUT.pack(start), _bound_to(holder, reference))


def open_cursor(secret_key: str, holder: Holder, reference: str, text: str) -> int:
    """Where the page begins; raises `knowledge_reference_invalid` for what is no cursor of this reference."""
    payload = _open(secret_key, _CURSOR, text, _bound_to(holder, reference), size=_CURSOR_LAYOUT.size)
    start: int = _CURSOR_LAYOUT.unpack(payload)[0]
    return start


def check_age(reference: Reference, *, now: float) -> None:
    """Raise `knowledge_reference_expired` for one past its time; its cursors end with it."""
    if now > reference.expires_at:
        raise AppError(errors.KNOWLEDGE_REFERENCE_EXPIRED)


def check_scope(reference: Reference, *, scope_revision: str) -> None:
    """Raise `knowledge_scope_changed` when the agent's knowledge is set up in another way than it was."""
    if reference.scope_revision.hex() != scope_revision:
        raise AppError(errors.KNOWLEDGE_SCOPE_CHANGED)


def check_content(reference: Reference, *, content_revision: str) -> None:
    """Raise `knowledge_changed` when what it refers to reads differently than it did."""
    if reference.content_revision.hex() != content_revision:
        raise AppError(errors.KNOWLEDGE_CHANGED)


def content_revision(title: str, body_sha256: str) -> str:
    """The digest over a title and a body, of which the body's own digest is known."""
    return hashlib.sha256(_joined([title, body_sha256])).hexdigest()


def _bound_to(holder: Holder, *further: str) -> bytes:
    return _joined(["" if part is None else f"={part}" for part in astuple(holder)] + list(further))


def _joined(parts: list[str]) -> bytes:
    """Texts one after another, each behind its length, so that no two lists give the same bytes."""
    encoded = [part.encode() for part in parts]
    return b"".join(struct.pack(">I", len(part)) + part for part in encoded)


def _seal(secret_key: str, purpose: str, payload: bytes, bound_to: bytes) -> str:
    return _written(payload + _mark(secret_key, purpose, payload, bound_to))


def _open(secret_key: str, purpose: str, text: str, bound_to: bytes, *, size: int) -> bytes:
    token = _read(text)
    payload, mark = token[:size], token[size:]
    if len(payload) != size or not hmac.compare_digest(mark, _mark(secret_key, purpose, payload, bound_to)):
        raise AppError(errors.KNOWLEDGE_REFERENCE_INVALID)
    return payload


def _mark(secret_key: str, purpose: str, payload: bytes, bound_to: bytes) -> bytes:
    key = derive_key(secret_key, purpose)
    return hmac.new(key, payload + bound_to, hashlib.sha256).digest()[:_MARK_BYTES]


def _written(token: bytes) -> str:
    return base64.urlsafe_b64encode(token).rstrip(b"=").decode()


def _read(text: str) -> bytes:
    """The bytes of a token, which is taken in one spelling only, else one that was changed could still be good."""
    try:
        token = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise AppError(errors.KNOWLEDGE_REFERENCE_INVALID) from error
    if len(text) > MOST_BYTES or _written(token) != text:
        raise AppError(errors.KNOWLEDGE_REFERENCE_INVALID)
    return token
