"""System checks of the vault: no key of the deployment was removed while it still seals something."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

from apps.vault.envelope import key_ring, wrapping_keys_in_use
from apps.vault.models import DataKey


@register(Tags.database)
def check_keys_in_use(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Run by `manage.py check --database default`, before migrations and before web and workers start."""
    if not databases or not _table_exists():
        return []
    ring = key_ring()
    return [_missing(key_id, count) for key_id, count in wrapping_keys_in_use().items() if key_id not in ring]


def _table_exists() -> bool:
    return DataKey._meta.db_table in connection.introspection.table_names()  # noqa: SLF001 -- Django's public name of it


def _missing(key_id: str, count: int) -> CheckMessage:
    return Error(
        f"ENCRYPTION_KEYS lacks the key {key_id!r}, under which the secrets of {count} project(s) are sealed.",
        hint=(
            f"Put the key {key_id!r} back as the last item, run `manage.py rotate_encryption_keys`, and remove it "
            "when the command says that it is no longer in use."
        ),
        id="mawrid.E010",
    )
