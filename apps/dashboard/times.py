"""The one element for a time on pages: in UTC, which a script turns into the reader's own time."""

from datetime import datetime
from typing import Final, Literal

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.dashboard import digits
from apps.dashboard.texts import words_in

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


def instant(moment: datetime | str | None, language: str) -> str:
    """The day and time of an instant, or a word for none."""
    at = _moment(moment)
    if at is None:
        return words_in(language)("shell.never")
    return _element(at, digits.instant(at, language), language, "instant")


def age(moment: datetime | str | None, language: str) -> str:
    """How long ago, or how far ahead, an instant is, with the instant itself for whoever points at it."""
    at = _moment(moment)
    if at is None:
        return words_in(language)("shell.never")
    return _element(at, _distance((timezone.now() - at).total_seconds(), language), language, "age")


def _moment(value: datetime | str | None) -> datetime | None:
    """Presenters give times as text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _element(at: datetime, text: str, language: str, shows: Literal["instant", "age"]) -> SafeString:
    """`shows` tells the script `times.js` whether the text or only the title gives way to the reader's time."""
    return format_html(
        '<time datetime="{}" title="{}" data-shows="{}">{}</time>',
        at.isoformat(),
        digits.instant(at, language),
        shows,
        text,
    )


def _distance(seconds: float, language: str) -> str:
    """Rounded to the nearest whole unit: what ends in a little less than seven days ends in seven days."""
    t = words_in(language)
    past, distance = seconds >= 0, abs(seconds)
    if distance < _MINUTE:
        return t("shell.now")
    for unit, length, limit in (("minutes", _MINUTE, _HOUR), ("hours", _HOUR, _DAY)):
        amount = round(distance / length)
        if amount * length < limit:
            return t.count(f"shell.{unit}_ago" if past else f"shell.in_{unit}", amount)
    return t.count("shell.days_ago" if past else "shell.in_days", round(distance / _DAY))
