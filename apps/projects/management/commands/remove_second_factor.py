"""`manage.py remove_second_factor`: let somebody in again who lost phone and recovery codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.projects.accounts import remove_second_factor
from apps.projects.models import User


class Command(BaseCommand):
    help = (
        "Remove a person's second factor and recovery codes, so that the password alone lets them in. Make sure "
        "first, by other means than e-mail, that it is that person who asks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *_: Any, **options: Any) -> None:
        person = User.objects.filter(email=options["email"].strip().lower()).first()
        if person is None:
            raise CommandError(f"Nobody has an account with {options['email']!r}.")
        if not remove_second_factor(person):
            raise CommandError(f"{person.email} has no second factor.")
        self.stdout.write(f"The second factor of {person.email} is removed.")
