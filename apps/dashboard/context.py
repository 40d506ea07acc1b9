"""What every page's template gets: the language and the words in it."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from apps.dashboard.texts import TEXTS


def words(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001 -- the signature of context processors
    language = "en" if (get_language() or "").startswith("en") else "ar"
    return {"language": language, "t": TEXTS[language]}
