"""What every page's template gets: the words in the reader's language, and the frame around the page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from apps.dashboard.language import DIRECTIONS, current_language, words_of
from apps.dashboard.navigation import Frame


def frame(request: HttpRequest) -> dict[str, Any]:
    language = current_language()
    return {
        "t": words_of(request),
        "language": language,
        "direction": DIRECTIONS[language],
        "place": getattr(request, "place", None),
        "frame": Frame(request),
        "shows_mail": settings.MAILBOX_DIR is not None,
    }
