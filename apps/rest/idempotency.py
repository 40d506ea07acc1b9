"""Running a POST once for each Idempotency-Key, and giving its stored answer to whoever sends it again.

The store is another room's, named by the setting ``REST_IDEMPOTENCY_STORE``. A run goes like this: `claim` commits
a record before any work starts; the work and `complete` share one transaction, so there is an effect with an
answer or neither; after a failure `abandon` frees the key at once, after a crash its lease does.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec
import structlog
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.http import HttpResponse
from django.utils.module_loading import import_string

from apps.kernel.errors import AppError
from apps.kernel.signing import derive_key
from apps.rest.caller import Caller
from apps.rest.errors import refuse
from apps.rest.fields import Upload

log = structlog.get_logger(__name__)

REPLAY_HEADER: Final = "Idempotent-Replayed"
# A run that has not ended by then has died; the next request with its key may start anew.
LEASE_SECONDS: Final = 60
KEEPING_SECONDS: Final = 24 * 60 * 60
RETRY_AFTER_SECONDS: Final = 1

_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
_KEPT_HEADERS: Final = ("Content-Type", "Location", "ETag")
_NONCE_LENGTH: Final = 12


# --- what the store must do ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claimed:
    """The key is ours until the lease ends; `claim` names this attempt and no other."""

    claim: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The request was answered before; the answer is sealed."""

    sealed_answer: bytes


@dataclass(frozen=True, slots=True)
class Conflict:
    """The key belongs to another body."""


@dataclass(frozen=True, slots=True)
class Running:
    """Another attempt holds a lease that has not ended."""


Outcome = Claimed | Replay | Conflict | Running


class IdempotencyStore(Protocol):
    """Records by (project, key, method, path, key hash), for `KEEPING_SECONDS`; hashes are 32 bytes."""

    def claim(self, caller: Caller, *, method: str, path: str, key_hash: bytes, body_hash: bytes) -> Outcome:
        """Decide and commit in a transaction of its own, called outside of any.

        No record, or one older than `KEEPING_SECONDS`: insert, or start over, with a fresh claim and a lease of
        `LEASE_SECONDS`. A record with another body hash is a `Conflict`, running or not; with an answer it is a
        `Replay`; without one it is `Running` until its lease ends, then claimed anew.
        """

    def complete(self, caller: Caller, claim: str, sealed_answer: bytes) -> bool:
        """Store the answer in the caller's open transaction; False when the claim is no longer ours."""

    def abandon(self, caller: Caller, claim: str) -> None:
        """Remove the record if it still has this claim and no answer, in a transaction of its own."""


# --- one attempt --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempt:
    """A POST with an Idempotency-Key."""

    caller: Caller
    method: str
    path: str
    key: str
    body_hash: bytes

    @property
    def key_hash(self) -> bytes:
        """Under the server's key: what people choose as keys could be guessed from a plain hash."""
        return derive_key(settings.SECRET_KEY, "idempotency key", info=self.key.encode())

    def _sealing(self) -> tuple[AESGCM, bytes]:
        key = derive_key(settings.SECRET_KEY, "idempotent answer", info=self.key.encode())
        place = [self.caller.project_id, self.caller.key_id, self.method, self.path, self.body_hash.hex()]
        return AESGCM(key), msgspec.json.encode(place)

    def seal(self, response: HttpResponse) -> bytes:
        cipher, place = self._sealing()
        nonce = secrets.token_bytes(_NONCE_LENGTH)
        return nonce + cipher.encrypt(nonce, _packed(response), place)

    def unseal(self, sealed: bytes) -> HttpResponse:
        cipher, place = self._sealing()
        response = _unpacked(cipher.decrypt(sealed[:_NONCE_LENGTH], sealed[_NONCE_LENGTH:], place))
        response[REPLAY_HEADER] = "true"
        return response


class _Answer(msgspec.Struct, array_like=True):
    status: int
    headers: dict[str, str]
    body: bytes


def _packed(response: HttpResponse) -> bytes:
    headers = {name: response[name] for name in _KEPT_HEADERS if name in response}
    return msgspec.msgpack.encode(_Answer(response.status_code, headers, response.content))


def _unpacked(packed: bytes) -> HttpResponse:
    answer = msgspec.msgpack.decode(packed, type=_Answer)
    return HttpResponse(answer.body, status=answer.status, headers=answer.headers)


Perform = Callable[[Callable[[HttpResponse], None]], HttpResponse]


def run_once(attempt: Attempt, perform: Perform) -> HttpResponse:
    """Answer an attempt. `perform` gets a function that it calls with its answer before its transaction ends."""
    store = _store()
    outcome = store.claim(
        attempt.caller,
        method=attempt.method,
        path=attempt.path,
        key_hash=attempt.key_hash,
        body_hash=attempt.body_hash,
    )
    if isinstance(outcome, Claimed):
        return _perform_claimed(store, attempt, outcome.claim, perform)
    if isinstance(outcome, Replay):
        return attempt.unseal(outcome.sealed_answer)
    if isinstance(outcome, Running):
        raise _still_running()
    raise AppError("idempotency_key_reused")


def _perform_claimed(store: IdempotencyStore, attempt: Attempt, claim: str, perform: Perform) -> HttpResponse:
    def keep(response: HttpResponse) -> None:
        if not is_kept(response.status_code):
            return
        if not store.complete(attempt.caller, claim, attempt.seal(response)):
            # Someone took over after our lease: let this transaction fail, so that there is one effect.
            raise _still_running()

    try:
        response = perform(keep)
    except BaseException:
        _abandon(store, attempt.caller, claim)
        raise
    if not is_kept(response.status_code):
        _abandon(store, attempt.caller, claim)
    return response


def _abandon(store: IdempotencyStore, caller: Caller, claim: str) -> None:
    """Free the key; should that fail too, its lease will, and the first failure is the one to report."""
    try:
        store.abandon(caller, claim)
    except Exception as error:
        log.warning("idempotency_abandon_failed", exc_info=error)


def is_kept(status: int) -> bool:
    return 200 <= status < 300  # noqa: PLR2004 -- HTTP


def _still_running() -> AppError:
    return AppError("idempotency_request_running", headers={"Retry-After": str(RETRY_AFTER_SECONDS)})


def _store() -> IdempotencyStore:
    store: IdempotencyStore = import_string(settings.REST_IDEMPOTENCY_STORE)()
    return store


# --- reading the request ------------------------------------------------------------------------------------


def read_key(header: str | None) -> str | None:
    """The Idempotency-Key of a request that has one, or a refusal."""
    if header is not None and not _KEY.fullmatch(header):
        refuse("invalid_idempotency_key")
    return header


def hash_of_body(media_type: str, query: str, body: bytes) -> bytes:
    """What makes two requests the same: query string, media type, and every byte of the body."""
    return _hash([media_type.encode(), query.encode(), body])


def hash_of_form(media_type: str, query: str, form: Mapping[str, Any]) -> bytes:
    """The same for a form, part by part: its boundary differs each time it is sent."""
    parts = [media_type.encode(), query.encode()]
    for name, value in sorted(form.items()):
        parts += [name.encode(), *_parts_of(value)]
    return _hash(parts)


def _parts_of(value: str | Upload) -> list[bytes]:
    if isinstance(value, str):
        return [b"text", value.encode()]
    described = [value.file_name, value.media_type, value.charset or ""]
    return [b"file", *(text.encode("utf-8", "replace") for text in described), value.content]


def _hash(parts: list[bytes]) -> bytes:
    """One hash over several parts; their lengths keep neighbours from running into each other."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
