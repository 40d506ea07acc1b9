"""`manage.py prepare_demo`: make the demo project on the first run, and tell how to get into it."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.demo import shop


class Command(BaseCommand):
    help = "Make the demo project unless it is there, and print its login and API key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--shop-url", default="", help="where the demo's shop listens, without a final slash")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        demo = shop.prepare(options["shop_url"])
        if options["json"]:
            self.stdout.write(json.dumps(asdict(demo)))
            return
        self.stdout.write(f"Login {demo.email} / {demo.password}\nAPI key {demo.api_key}")
