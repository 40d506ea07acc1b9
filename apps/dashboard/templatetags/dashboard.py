"""Tags and filters of the pages: words with values, numbers and times of the language, icons, addresses, fields."""

from datetime import datetime
from typing import Any, Final

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from apps.dashboard import digits
from apps.dashboard.icons import MIRRORED, PATHS
from apps.dashboard.language import current_language
from apps.dashboard.texts import CountedWords, words_in

register = template.Library()

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


# --- words --------------------------------------------------------------------------------------------------


@register.simple_tag
def say(sentence: str, **values: Any) -> SafeString:
    """A sentence with values, each escaped and kept from turning the words around it: `{% say t.x.y a=b %}`."""
    isolated = {name: format_html("<bdi>{}</bdi>", value) for name, value in values.items()}
    return mark_safe(conditional_escape(sentence).format_map(isolated))  # noqa: S308 -- all parts were just escaped


@register.simple_tag
def count(words: CountedWords, number: int) -> str:
    """A counted noun: `{% count t.shell.sources 3 %}`."""
    return words.of(number)


# --- numbers and times --------------------------------------------------------------------------------------


@register.filter
def number(value: float | None) -> str:
    return "" if value is None else digits.localised(value, current_language())


@register.filter
def size(byte_count: int | None) -> str:
    return "" if byte_count is None else digits.size(byte_count, current_language())


@register.filter
def per_cent(share: float) -> str:
    return digits.per_cent(share, current_language())


@register.filter
def instant(moment: datetime | str | None) -> str:
    """The day and time of an instant, or a word for none."""
    language = current_language()
    at = _moment(moment)
    if at is None:
        return words_in(language)("shell.never")
    return _time(at, digits.instant(at, language), language)


@register.filter
def age(moment: datetime | str | None) -> str:
    """How long ago, or how far ahead, an instant is, with the instant itself for whoever points at it."""
    language = current_language()
    at = _moment(moment)
    if at is None:
        return words_in(language)("shell.never")
    return _time(at, _distance((timezone.now() - at).total_seconds(), language), language)


def _moment(value: datetime | str | None) -> datetime | None:
    """Presenters give times as text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _time(at: datetime, text: str, language: str) -> SafeString:
    whole = digits.instant(at, language)
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), whole, text)


def _distance(seconds: float, language: str) -> str:
    t = words_in(language)
    past, distance = seconds >= 0, abs(seconds)
    if distance < _MINUTE:
        return t("shell.now")
    for unit, length, limit in (("minutes", _MINUTE, _HOUR), ("hours", _HOUR, _DAY)):
        if distance < limit:
            return t.count(f"shell.{unit}_ago" if past else f"shell.in_{unit}", int(distance // length))
    return t.count("shell.days_ago" if past else "shell.in_days", int(distance // _DAY))


# --- marks --------------------------------------------------------------------------------------------------


@register.simple_tag
def icon(name: str) -> SafeString:
    """An ornament beside words; it says nothing by itself."""
    kind = "icon mirrored" if name in MIRRORED else "icon"
    return format_html(
        '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="{}"/></svg>',
        kind,
        PATHS[name],
    )


# --- addresses ----------------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def to(context: template.Context, page: str, *ids: Any) -> str:
    """The address of a page of the same project: `{% to "source" source.id %}`."""
    return reverse(page, args=[context["place"].project.id, *ids])


# --- fields -------------------------------------------------------------------------------------------------


@register.inclusion_tag("dashboard/parts/field.html", takes_context=True)
def field(context: template.Context, bound: BoundField, hint: str = "") -> dict[str, Any]:
    """A field with its label, help and errors; the input says to screen readers which text belongs to it."""
    is_group = isinstance(bound.field.widget, RadioSelect | CheckboxSelectMultiple)
    described_by = _described_by(bound, hint)
    attributes: dict[str, str | bool] = {"aria-describedby": described_by} if described_by else {}
    if bound.errors:
        attributes["aria-invalid"] = "true"
    return {
        "t": context["t"],
        "bound": bound,
        "widget": "" if is_group else bound.as_widget(attrs=attributes),
        "described_by": described_by,
        "hint": hint or bound.help_text,
        "is_group": is_group,
        "is_check": isinstance(bound.field.widget, CheckboxInput),
    }


def _described_by(bound: BoundField, hint: str) -> str:
    parts = {"help": hint or bound.help_text, "error": bound.errors}
    return " ".join(f"{bound.auto_id}_{name}" for name, shown in parts.items() if shown)
