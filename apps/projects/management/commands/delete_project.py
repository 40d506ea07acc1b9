"""`manage.py delete_project`: remove a project and everything that belongs to it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.projects import services
from apps.projects.models import Project


class Command(BaseCommand):
    help = "Delete a project with its members, keys, sources, revisions and records. This cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project_id")
        parser.add_argument("--yes", action="store_true", required=True, help="confirm the deletion")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            services.delete_project(options["project_id"])
        except Project.DoesNotExist as error:
            raise CommandError(f"There is no project {options['project_id']}.") from error
        self.stdout.write(f"Deleted {options['project_id']}.")
