"""Sealing for a project: its values under its data key, and that key under the deployment's first key.

Other rooms seal what must not lie in the database in clear with `seal` and `open_sealed`; both want the project's
scope to be open.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final

import structlog
from django.conf import settings
from django.db.models import Count
from prometheus_client import Counter

from apps.projects.scoping import across_projects
from apps.vault import cipher
from apps.vault.cipher import BrokenSealError, Key, KeyRing, Place
from apps.vault.models import DataKey, new_data_key_id

log = structlog.get_logger(__name__)

BROKEN_SEALS: Final = Counter("mawrid_vault_broken_seals_total", "Sealed values that did not open.")

_DATA_KEY_FIELD: Final = "data_key"


def key_ring() -> KeyRing:
    """The deployment's keys as set; raises `KeyRingError`."""
    return _parsed(tuple(settings.ENCRYPTION_KEYS))


_parsed = lru_cache(maxsize=4)(cipher.parse_key_ring)


def seal(project_id: str, owner_id: str, field: str, text: str) -> bytes:
    """Seal a text for one field of one row; the blob opens nowhere else."""
    return cipher.seal(_data_key_for_sealing(project_id), Place(project_id, owner_id, field), text.encode())


def open_sealed(
    project_id: str, owner_id: str, field: str, blob: bytes, *, keys: Mapping[str, Key] | None = None
) -> str:
    """The text of a blob; raises `BrokenSealError`, which the operator is told of.

    Whoever opens many blobs in one go hands in the `data_keys` of their projects.
    """
    try:
        key = (keys or {}).get(project_id) or _data_key(project_id)
        return cipher.open_sealed(key, Place(project_id, owner_id, field), blob).decode()
    except BrokenSealError:
        BROKEN_SEALS.inc()
        log.error("seal_broken", project_id=project_id, owner_id=owner_id, field=field)  # noqa: TRY400 -- a trace could show parts
        raise


def data_keys(project_ids: Collection[str]) -> dict[str, Key]:
    """The keys of several projects, read across projects; one that does not open is left out."""
    keys: dict[str, Key] = {}
    for row in DataKey.objects.all_projects().filter(project_id__in=project_ids):
        with suppress(BrokenSealError):
            keys[row.project_id] = _unwrapped(row)
    return keys


def _data_key(project_id: str) -> Key:
    row = DataKey.objects.for_project(project_id).first()
    if row is None:
        raise BrokenSealError
    return _unwrapped(row)


def _data_key_for_sealing(project_id: str) -> Key:
    row = DataKey.objects.for_project(project_id).first()
    return _unwrapped(row or _new_data_key(project_id))


def _new_data_key(project_id: str) -> DataKey:
    """Insert the project's key, or find the one that another request inserted in the same moment."""
    row = DataKey(id=new_data_key_id(), project_id=project_id)
    _wrap(row, cipher.new_secret())
    rows = DataKey.objects.for_project(project_id)
    rows.bulk_create([row], ignore_conflicts=True)
    return rows.get()


def _wrap(row: DataKey, secret: bytes) -> None:
    first = key_ring().first
    row.wrapped = cipher.seal(first, _place_of(row), secret)
    row.wrapped_by = first.id


def _unwrapped(row: DataKey) -> Key:
    wrapping_key = key_ring()[row.wrapped_by]
    return Key(row.id, cipher.open_sealed(wrapping_key, _place_of(row), bytes(row.wrapped)))


def _place_of(row: DataKey) -> Place:
    return Place(row.project_id, row.id, _DATA_KEY_FIELD)


# --- changing the deployment's keys -------------------------------------------------------------------------


def wrapping_keys_in_use() -> dict[str, int]:
    """How many data keys each key of the deployment seals, whether the deployment still has it or not."""
    with across_projects():
        counted = DataKey.objects.all_projects().values_list("wrapped_by").annotate(Count("id"))
        return dict(counted.order_by())


def rewrap_data_keys() -> tuple[int, int]:
    """Seal every data key under the first key; returns how many were changed and how many did not open.

    Each in a transaction of its own, so the work may be stopped anywhere and started again, while requests go on:
    they read one wrapping or the other, and both open.
    """
    first = key_ring().first
    with across_projects():
        waiting = list(DataKey.objects.all_projects().exclude(wrapped_by=first.id).values_list("id", flat=True))
    outcomes = [_rewrap(data_key_id) for data_key_id in waiting]
    return outcomes.count(True), outcomes.count(False)


def _rewrap(data_key_id: str) -> bool:
    with across_projects():
        row = DataKey.objects.all_projects().select_for_update().filter(id=data_key_id).first()
        if row is None or row.wrapped_by == key_ring().first.id:
            return True
        try:
            _wrap(row, _unwrapped(row).secret)
        except BrokenSealError:
            log.error("data_key_not_rewrapped", project_id=row.project_id, wrapped_by=row.wrapped_by)  # noqa: TRY400 -- as above
            return False
        row.save(update_fields=["wrapped", "wrapped_by"])
    return True
