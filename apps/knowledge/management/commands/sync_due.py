"""`manage.py sync_due`: what beat does each minute, once."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.knowledge.sync import due


class Command(BaseCommand):
    help = "Queue every API source whose time has come, and see to runs whose worker was lost or never called."

    def handle(self, *_: Any, **__: Any) -> None:
        self.stdout.write(f"Queued {due.sync_due()} source(s).")
