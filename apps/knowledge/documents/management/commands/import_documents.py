"""`manage.py import_documents`: show what a folder of texts would change in a project, and publish it on demand."""

import argparse
import re
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from apps.kernel.errors import CATALOGUE, AppError
from apps.knowledge.documents import importing
from apps.knowledge.documents.importing import Import, Imported
from apps.knowledge.documents.models import LOCALE_LENGTH, LOCALE_PATTERN
from apps.knowledge.documents.services import Change
from apps.projects.models import Project
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR

_WORDS = {Change.NEW: "new", Change.CHANGED: "changed", Change.MOVED: "changed", Change.UNCHANGED: "unchanged"}


class Command(BaseCommand):
    help = (
        "Compare the Markdown and text files of a folder with a project's documents. A file is a document: its "
        "path without the ending is the id, the hash of its text the revision. Nothing changes without --apply."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--project", required=True, metavar="ID")
        parser.add_argument("--locale", type=_locale, help="the language of all files, such as ar")
        parser.add_argument("--apply", action="store_true", help="publish all of it at once")
        parser.add_argument("--strict", action="store_true", help="refuse what would break a saved selection")

    def handle(self, *_: Any, **options: Any) -> None:
        files = self._files(options["folder"], options["locale"])
        with project_scope(options["project"]):
            if not Project.objects.filter(id=options["project"]).exists():
                raise CommandError(f"There is no project {options['project']}.")
            try:
                done = importing.publish(options["project"], files, strict=options["strict"], actor=OPERATOR)
            except AppError as refusal:
                raise CommandError(CATALOGUE[refusal.code].message("en", refusal.params)) from refusal
            if not options["apply"]:
                transaction.set_rollback(True)
        self._tell(done, applied=options["apply"])

    def _files(self, folder: Path, locale: str | None) -> list[importing.FoundFile]:
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder.")
        try:
            files = importing.read_folder(folder, locale=locale)
        except importing.UnreadableFilesError as error:
            raise CommandError(f"Nothing was changed:\n{error}") from error
        if not files:
            raise CommandError(f"{folder} holds no file that ends in {', '.join(sorted(importing.SUFFIXES))}.")
        return files

    def _tell(self, done: Import, *, applied: bool) -> None:
        for document in done.documents:
            self.stdout.write(f"{_WORDS[document.change]:<10}{document.document_id}{_sections_of(document)}")
        for reference in done.broken:
            gone = ", ".join(reference.section_ids) or reference.code
            self.stdout.write(
                f"broken    {reference.handle}: {reference.user.name} ({reference.user.id}) names {gone}"
            )
        new, unchanged = done.count(Change.NEW), done.count(Change.UNCHANGED)
        changed = done.count(Change.CHANGED, Change.MOVED)
        self.stdout.write(
            f"{new} new, {changed} changed, {unchanged} unchanged, {len(done.broken)} broken references."
        )
        self.stdout.write("Published." if applied else "Nothing was published. Add --apply to do it.")


def _locale(text: str) -> str:
    if len(text) > LOCALE_LENGTH or not re.fullmatch(LOCALE_PATTERN, text):
        raise argparse.ArgumentTypeError(f"{text!r} is no language such as ar or en-GB")
    return text


def _sections_of(document: Imported) -> str:
    """Which sections came and went, for documents that were there before."""
    if document.change is Change.NEW:
        return ""
    signed = [*(f"+{name}" for name in document.added), *(f"-{name}" for name in document.removed)]
    return f"  {' '.join(signed)}" if signed else ""
