"""System checks of the vault: no key of the deployment was removed while it still seals something."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

from apps.vault import personal
from apps.vault.envelope import key_ring, wrapping_keys_in_use
from apps.vault.models import DataKey, PersonalKey


@register(Tags.database)
def check_keys_in_use(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Run by `manage.py check --database default`, before migrations and before web and workers start."""
    if not databases or not _tables_exist():
        return []
    ring = key_ring()
    in_use = Counter(wrapping_keys_in_use()) + Counter(personal.wrapping_keys_in_use())
    return [_missing(key_id, count) for key_id, count in in_use.items() if key_id not in ring]


def _tables_exist() -> bool:
    """Not before the first migrations."""
    needed = {model._meta.db_table for model in (DataKey, PersonalKey)}  # noqa: SLF001 -- Django's public name of it
    return needed <= set(connection.introspection.table_names())


def _missing(key_id: str, count: int) -> CheckMessage:
    return Error(
        f"ENCRYPTION_KEYS lacks the key {key_id!r}, under which {count} data key(s) are sealed.",
        hint=(
            f"Put the key {key_id!r} back as the last item, run `manage.py rotate_encryption_keys`, and remove it "
            "when the command says that it is no longer in use."
        ),
        id="mawrid.E010",
    )
