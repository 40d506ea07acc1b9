"""Tags and filters of the pages about sources: words chosen by a state, and how long a fetch took."""

from typing import Final

from django import template

from apps.dashboard.digits import localised
from apps.dashboard.language import current_language
from apps.dashboard.texts import RoomWords, words_in

register = template.Library()

_SECOND_MS: Final = 1_000


@register.simple_tag
def has_word(words: RoomWords, prefix: str, state: object) -> bool:
    return f"{prefix}{state}" in words


@register.filter
def duration(milliseconds: int | None) -> str:
    """How long something took, in seconds from one on."""
    if milliseconds is None:
        return ""
    language = current_language()
    t = words_in(language)
    if milliseconds < _SECOND_MS:
        return t("sources.milliseconds", n=localised(milliseconds, language))
    return t("sources.seconds", n=localised(milliseconds / _SECOND_MS, language))
