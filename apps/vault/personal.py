"""Sealing what belongs to people and to no project, such as what makes the codes of a second factor.

As in a project: the values under a data key, and that key under the deployment's first key.
"""

from typing import Final

import structlog
from django.db import transaction

from apps.vault import cipher
from apps.vault.cipher import BrokenSealError, Key, Place
from apps.vault.envelope import BROKEN_SEALS, key_ring
from apps.vault.models import PersonalKey

log = structlog.get_logger(__name__)

_ROW: Final = "people"
_OF_KEY: Final = Place("", _ROW, "data_key")
_OF_VALUES: Final = Place("", _ROW, "value")


def seal(text: str) -> bytes:
    row = PersonalKey.objects.filter(id=_ROW).first() or _new_key()
    return cipher.seal(_unwrapped(row), _OF_VALUES, text.encode())


def open_sealed(blob: bytes) -> str:
    """The text of a blob; raises `BrokenSealError`, which the operator is told of."""
    try:
        row = PersonalKey.objects.filter(id=_ROW).first()
        if row is None:
            raise BrokenSealError  # noqa: TRY301 -- counted like every other
        return cipher.open_sealed(_unwrapped(row), _OF_VALUES, blob).decode()
    except BrokenSealError:
        BROKEN_SEALS.inc()
        log.error("personal_seal_broken")  # noqa: TRY400 -- a trace could show parts
        raise


def _new_key() -> PersonalKey:
    """Insert the key, or find the one that another request inserted in the same moment."""
    row = PersonalKey(id=_ROW)
    _wrap(row, cipher.new_secret())
    PersonalKey.objects.bulk_create([row], ignore_conflicts=True)
    return PersonalKey.objects.get(id=_ROW)


def _wrap(row: PersonalKey, secret: bytes) -> None:
    first = key_ring().first
    row.wrapped = cipher.seal(first, _OF_KEY, secret)
    row.wrapped_by = first.id


def _unwrapped(row: PersonalKey) -> Key:
    return Key(_ROW, cipher.open_sealed(key_ring()[row.wrapped_by], _OF_KEY, bytes(row.wrapped)))


# --- changing the deployment's keys -------------------------------------------------------------------------


def wrapping_keys_in_use() -> dict[str, int]:
    """The key of the deployment that seals people's key, as `envelope.wrapping_keys_in_use` counts them."""
    return dict.fromkeys(PersonalKey.objects.values_list("wrapped_by", flat=True), 1)


@transaction.atomic
def rewrap() -> tuple[int, int]:
    """Seal people's key under the first key; how many were changed, and how many did not open."""
    waiting = PersonalKey.objects.select_for_update().exclude(wrapped_by=key_ring().first.id).first()
    if waiting is None:
        return 0, 0
    try:
        _wrap(waiting, _unwrapped(waiting).secret)
    except BrokenSealError:
        log.error("personal_key_not_rewrapped", wrapped_by=waiting.wrapped_by)  # noqa: TRY400 -- as above
        return 0, 1
    waiting.save(update_fields=["wrapped", "wrapped_by"])
    return 1, 0
