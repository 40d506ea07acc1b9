"""`manage.py migrate` as the owner of the tables: the application's own role may not change them."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import OperationalError, connections

LOCK_TIMEOUT = "5s"


class Command(DjangoMigrate):
    """Django's command over a connection of the owner's role.

    A migration that waits for a lock makes every request behind it wait too, so it gives up instead and can be
    started again.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Also the checks before the migrations ask the database; one that is not there is told in a sentence."""
        try:
            return super().execute(*args, **options)
        except OperationalError as error:
            raise CommandError(
                f"The database could not be asked: {error}. If it is not there, start it, or correct DATABASE_URL "
                "and MIGRATION_DATABASE_URL; if a lock was in the way, try again."
            ) from error

    def handle(self, *args: Any, **options: Any) -> str | None:
        connection = connections[options["database"]]
        served_as = dict(connection.settings_dict)
        connection.close()
        connection.settings_dict.update(self._owner(served_as))
        try:
            return super().handle(*args, **options)
        finally:
            connection.close()
            connection.settings_dict.update(served_as)

    def _owner(self, served_as: dict[str, Any]) -> dict[str, Any]:
        owner = settings.MIGRATION_DATABASE
        options = {**served_as["OPTIONS"], "options": f"-c lock_timeout={LOCK_TIMEOUT}"}
        options.pop("pool", None)
        return {
            **{name: owner[name] for name in ("USER", "PASSWORD", "HOST", "PORT")},
            "OPTIONS": options,
        }
