"""`manage.py add_member`: give a person a place in a project, with an account if there is none yet."""

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import IntegrityError

from apps.projects import services
from apps.projects.accounts import create_person
from apps.projects.models import Project, Role, User
from apps.projects.scoping import project_scope


class Command(BaseCommand):
    help = "Make a person a member of a project. A new account gets a password, which is printed only this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project_id")
        parser.add_argument("email")
        parser.add_argument("--role", choices=Role.values, default=Role.EDITOR)

    def handle(self, *_: Any, **options: Any) -> None:
        project_id, email = options["project_id"], self._email(options["email"])
        with project_scope(project_id):
            if not Project.objects.filter(id=project_id).exists():
                raise CommandError(f"There is no project {project_id}.")
        user, password = User.objects.filter(email=email).first(), None
        if user is None:
            password = secrets.token_urlsafe(12)
            user = create_person(email, password)
        try:
            services.add_member(
                options["project_id"], user=user, role=Role(options["role"]), actor=services.OPERATOR
            )
        except IntegrityError as error:
            raise CommandError(
                f"There is no project {options['project_id']}, or {email} is in it already."
            ) from error
        self.stdout.write(f"{email} is {options['role']} of {options['project_id']}.")
        if password is not None:
            self.stdout.write(f"Password: {password}")

    def _email(self, text: str) -> str:
        email = text.strip().lower()
        try:
            validate_email(email)
        except ValidationError as error:
            raise CommandError(f"{text!r} is no e-mail address.") from error
        return email
