"""The language that a page is in."""

from typing import Final

from django.http import HttpRequest
from django.utils.translation import get_language

from apps.dashboard.texts import Words, words_in

DIRECTIONS: Final = {"ar": "rtl", "en": "ltr"}


def current_language() -> str:
    """Arabic unless the reader chose or prefers English."""
    return "en" if (get_language() or "").startswith("en") else "ar"


def words_of(request: HttpRequest) -> Words:  # noqa: ARG001 -- a page's words belong to its request
    return words_in(current_language())
