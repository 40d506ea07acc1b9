"""Every word of the pages in both languages side by side, and the way from a key to its sentence.

A room's words stand in its ``texts.py`` as ``"key": (arabic, english)`` and are reached as ``t.room.key``. What
depends on a number is a `Counted`, since Arabic has six forms of a counted noun.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from apps.dashboard.digits import localised

ROOMS: Final = (
    "shell",
    "accounts",
    "members",
    "overview",
    "sources",
    "search",
    "documents",
    "agents",
    "secrets",
    "keys",
    "consent",
    "webhooks",
    "clients",
    "audit",
    "settings",
)


class UnknownTextError(LookupError):
    """A page asks for words that do not exist; templates would show nothing for a plain KeyError."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A noun with its number: in Arabic for none, one, two, 3–10, 11–99 and the hundreds; in English one, more."""

    ar: tuple[str, str, str, str, str, str]
    en: tuple[str, str]

    def of(self, number: int, language: str) -> str:
        form = self.ar[_arabic_form(number)] if language == "ar" else self.en[number != 1]
        return form.replace("{n}", localised(number, language))


def _arabic_form(number: int) -> int:
    rest = number % 100
    if number < 3:  # noqa: PLR2004 -- zero, one and two have forms of their own
        return number
    if 3 <= rest <= 10:  # noqa: PLR2004 -- the grammar's bounds
        return 3
    return 4 if rest >= 11 else 5  # noqa: PLR2004 -- as above


Text = tuple[str, str] | Counted


@dataclass(frozen=True, slots=True)
class CountedWords:
    """A counted noun in one language."""

    counted: Counted
    language: str

    def of(self, number: int) -> str:
        return self.counted.of(number, self.language)


class RoomWords:
    """The words of one room in one language."""

    def __init__(self, room: str, texts: Mapping[str, Text], language: str) -> None:
        self._room, self._language = room, language
        self._words = {key: _in(text, language) for key, text in texts.items()}

    def __getitem__(self, key: str) -> str | CountedWords:
        try:
            return self._words[key]
        except KeyError as error:
            raise UnknownTextError(f"There is no text {self._room}.{key}.") from error

    def __contains__(self, key: str) -> bool:
        return key in self._words


def _in(text: Text, language: str) -> str | CountedWords:
    if isinstance(text, Counted):
        return CountedWords(text, language)
    return text[0] if language == "ar" else text[1]


class Words:
    """All words in one language: `t.room.key` in templates, `t("room.key")` in Python."""

    # Templates call whatever can be called, but for this.
    do_not_call_in_templates = True

    def __init__(self, language: str) -> None:
        self.language = language
        self._rooms = {room: RoomWords(room, texts_of(room), language) for room in ROOMS}

    def __getitem__(self, room: str) -> RoomWords:
        try:
            return self._rooms[room]
        except KeyError as error:
            raise UnknownTextError(f"There are no texts of {room}.") from error

    def __call__(self, path: str, **values: object) -> str:
        """The sentence at ``room.key`` with its values; plain text, not yet escaped."""
        room, _, key = path.partition(".")
        words = self[room][key]
        if isinstance(words, CountedWords):
            raise UnknownTextError(f"{path} counts: ask for it with `count`.")
        return words.format_map(values) if values else words

    def html(self, path: str, **values: object) -> SafeString:
        """The same for a page: every value is escaped and kept from turning the words around it."""
        return isolated(self(path), values)

    def count(self, path: str, number: int) -> str:
        """The counted noun at ``room.key`` for a number."""
        room, _, key = path.partition(".")
        words = self[room][key]
        if isinstance(words, str):
            raise UnknownTextError(f"{path} does not count: ask for it by calling.")
        return words.of(number)


def isolated(sentence: str, values: Mapping[str, object]) -> SafeString:
    parts = {name: format_html("<bdi>{}</bdi>", value) for name, value in values.items()}
    return mark_safe(conditional_escape(sentence).format_map(parts))  # noqa: S308 -- all parts were just escaped


def texts_of(room: str) -> Mapping[str, Text]:
    texts: Mapping[str, Text] = import_module(f"apps.dashboard.{room}.texts").TEXTS
    return texts


@cache
def words_in(language: str) -> Words:
    return Words(language)
