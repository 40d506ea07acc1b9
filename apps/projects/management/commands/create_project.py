"""`manage.py create_project`: a project and its first key, shown once."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.projects import presenters, services


class Command(BaseCommand):
    help = "Create a project and print its first API key, which is shown only this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--name", required=True)
        parser.add_argument("--locale", choices=["ar", "en"], default="ar")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        project, key = services.create_project(name=options["name"], locale=options["locale"])
        if options["json"]:
            shown = {"project": presenters.project(project), "api_key": key}
            self.stdout.write(json.dumps(shown, ensure_ascii=False))
            return
        self.stdout.write(f"Project {project.id} ({project.name})\nAPI key {key}")
