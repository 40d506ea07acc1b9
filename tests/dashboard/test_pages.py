"""What holds for every page: bounded queries, no untranslated word, a strict policy, and small assets."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from django.contrib.staticfiles import finders
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.projects.models import Role, User
from tests.dashboard.rows import OPEN_ROWS, OPEN_TABLE, ROWS, OpenRow, Row
from tests.dashboard.world import ADDRESSES, Shop, signed_in

OPENED = [row for row in ROWS if row.opens is not None and not row.is_file]
each_page = pytest.mark.parametrize("row", OPENED, ids=str)

# Names that are the same in both languages.
NAMES: Final = frozenset(
    {"api", "webhook", "openapi", "english", "json", "csv", "mcp", "utc", "http", "https", "url", "totp", "mawrid"}
)
# Where content of a project or of a person stands, in whatever language that is, and what is no text to be read.
_CONTENT: Final = frozenset({"bdi", "code", "pre", "textarea", "time", "script", "style"})
_VOID: Final = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "rect"})
_READ_ALOUD: Final = frozenset({"aria-label", "title", "placeholder", "alt", "data-label", "data-copied"})


class Reading(HTMLParser):
    """The words of a page that are ours: its text and what is read aloud, without content."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.words: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = given.get("lang", self.language) != self.language or tag in _CONTENT or "data-content" in given
        hidden = foreign or self._is_hidden
        if not hidden:
            self.words += [value or "" for name, value in attrs if name in _READ_ALOUD]
        if tag not in _VOID:
            self._open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        while tag not in _VOID and self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_hidden:
            self.words.append(data)

    @property
    def _is_hidden(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def words_of(page: str, language: str) -> str:
    reading = Reading(language)
    reading.feed(page)
    return " ".join(reading.words)


def strange_words(page: str, language: str) -> set[str]:
    """Words of the other language among those of a page."""
    text = words_of(page, language)
    if language == "en":
        return set(re.findall(r"[\u0620-\u064a]{2,}", text))
    return {word for word in re.findall(r"[A-Za-z]{2,}", text) if word.lower() not in NAMES}


@pytest.mark.parametrize("language", ["ar", "en"])
@each_page
def test_a_page_is_in_one_language(row: Row, language: str, shown: Shop) -> None:
    page = signed_in(shown.people[Role.OWNER], language).get(shown.address(row)).content.decode()

    assert f'<html lang="{language}"' in page
    assert strange_words(page, language) == set()


def test_every_page_of_a_full_project_asks_the_database_a_bounded_number_of_times(shown: Shop) -> None:
    shown.things.fill()
    client = signed_in(shown.people[Role.OWNER])
    too_often = {}
    for row in OPENED:
        # What opening a page writes, such as a line of the log, is no part of what the next one shows.
        as_filled = transaction.savepoint()
        client.get(shown.address(row))
        with CaptureQueriesContext(connection) as asked:
            client.get(shown.address(row))
        transaction.savepoint_rollback(as_filled)
        if len(asked) > row.queries:
            too_often[row.name] = [query["sql"][:200] for query in asked]

    assert too_often == {}


@pytest.mark.conformance("A-6")
@each_page
def test_a_page_needs_no_script_or_style_of_its_own(row: Row, shown: Shop) -> None:
    answer = signed_in(shown.people[Role.OWNER]).get(shown.address(row))
    page = answer.content.decode()

    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", page) == []
    assert "unsafe" not in answer["Content-Security-Policy"]


@each_page
def test_a_page_is_kept_for_its_reader_alone(row: Row, shown: Shop) -> None:
    answer = signed_in(shown.people[Role.OWNER]).get(shown.address(row))

    assert answer["Cache-Control"] in {"private, no-cache", "no-store"}


def test_all_scripts_and_styles_together_stay_small() -> None:
    scripts, styles = _assets(".js"), _assets(".css")

    assert sum(map(_compressed, scripts)) <= 60 * 1024, scripts
    assert sum(map(_compressed, styles)) <= 40 * 1024, styles


def _assets(ending: str) -> list[Path]:
    """What pages may load: all of ours, and htmx."""
    own = Path(finders.find("dashboard/style.css") or "").parent.rglob(f"*{ending}")
    htmx = [Path(finders.find("django_htmx/htmx-2.min.js") or "")] if ending == ".js" else []
    return [*own, *htmx]


def _compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


# --- pages outside of projects ------------------------------------------------------------------------------

each_open_page = pytest.mark.parametrize("row", OPEN_ROWS, ids=str)


def test_every_page_outside_of_projects_has_a_row() -> None:
    outside = {
        name
        for name, address in ADDRESSES.items()
        if not address.route.startswith("p/") and address.view.__module__.startswith(("apps.dashboard", "allauth"))
    }

    assert outside == set(OPEN_TABLE)


@each_open_page
def test_a_stranger_gets_what_the_table_says(row: OpenRow, db: None) -> None:
    answer = signed_in(None).get(reverse(row.name, kwargs=row.arguments))

    assert answer.status_code == row.stranger


@each_open_page
def test_who_is_signed_in_gets_what_the_table_says(row: OpenRow, outsider: User) -> None:
    answer = signed_in(outsider).get(reverse(row.name, kwargs=row.arguments))

    assert answer.status_code == row.person


@each_open_page
def test_an_empty_form_gets_what_the_table_says(row: OpenRow, outsider: User) -> None:
    answer = signed_in(outsider).post(reverse(row.name, kwargs=row.arguments))

    assert answer.status_code == row.sends


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("is_in", [True, False], ids=["person", "stranger"])
@each_open_page
def test_an_open_page_is_in_one_language(row: OpenRow, is_in: bool, language: str, outsider: User) -> None:
    client = signed_in(outsider if is_in else None, language)

    page = client.get(reverse(row.name, kwargs=row.arguments), follow=True).content.decode()

    assert strange_words(page, language) == set()


@pytest.mark.parametrize("is_in", [True, False], ids=["person", "stranger"])
@each_open_page
def test_an_open_page_asks_the_database_a_bounded_number_of_times(
    row: OpenRow, is_in: bool, outsider: User
) -> None:
    client = signed_in(outsider if is_in else None)

    with CaptureQueriesContext(connection) as asked:
        client.get(reverse(row.name, kwargs=row.arguments))

    assert len(asked) <= row.queries, "\n".join(query["sql"][:200] for query in asked)
