"""Tags and filters of the pages: words with values, numbers and times of the language, icons, addresses, fields."""

from datetime import date, datetime
from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.dashboard import digits, times
from apps.dashboard.accounts.browsers import short_name
from apps.dashboard.icons import MIRRORED, PATHS
from apps.dashboard.language import current_language
from apps.dashboard.texts import CountedWords, RoomWords, isolated, words_in
from apps.dashboard.unseen import Stretch, stretches

register = template.Library()


# --- words --------------------------------------------------------------------------------------------------


@register.simple_tag
def say(sentence: str, **values: Any) -> SafeString:
    """A sentence with values, each escaped and kept from turning the words around it: `{% say t.x.y a=b %}`."""
    return isolated(sentence, values)


@register.simple_tag
def count(words: CountedWords, number: int) -> str:
    """A counted noun: `{% count t.shell.sources 3 %}`."""
    return words.of(number)


@register.simple_tag
def word_of(words: RoomWords, *parts: str) -> str:
    """What a room calls a value of the API, such as a status: `{% word_of t.webhooks delivery.status %}`."""
    return str(words["".join(parts)])


@register.simple_tag
def role_name(role: str) -> str:
    return words_in(current_language())(f"shell.role_{role}")


@register.filter
def browser(user_agent: str) -> str:
    return short_name(user_agent)


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
    return times.instant(moment, current_language())


@register.filter
def day(date: date) -> str:
    return digits.day(date, current_language())


@register.filter
def age(moment: datetime | str | None) -> str:
    return times.age(moment, current_language())


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


@register.simple_tag
def revealed(text: str) -> SafeString:
    """A text in which what people do not see is named where it stands, and turns nothing around it."""
    return format_html_join("", "{}", ((_shown(stretch),) for stretch in stretches(text)))


def _shown(stretch: Stretch) -> str:
    if not stretch.names:
        return stretch.text
    if not stretch.message:
        return format_html('<mark class="hides" dir="ltr">{}</mark>', stretch.names)
    return format_html('<mark class="hides" dir="ltr">{} <b>{}</b></mark>', stretch.names, stretch.message)


# --- addresses ----------------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def to(context: template.Context, page: str, *ids: Any) -> str:
    """The address of a page of the same project: `{% to "source" source.id %}`."""
    return reverse(page, args=[context["place"].project.id, *ids])


# --- fields -------------------------------------------------------------------------------------------------


@register.inclusion_tag("dashboard/parts/field.html", takes_context=True)
def field(
    context: template.Context, bound: BoundField, label: str = "", hint: str | None = None, **attributes: str | bool
) -> dict[str, Any]:
    """A field with its label, help and errors; the input says to screen readers which text belongs to it.

    `label` and `hint` take the place of the form's own words, `attributes` go to the input.
    """
    shown_hint = str(bound.help_text) if hint is None else hint
    is_group = isinstance(bound.field.widget, RadioSelect | CheckboxSelectMultiple)
    described_by = _described_by(bound, shown_hint)
    if described_by:
        attributes["aria-describedby"] = described_by
    if bound.errors:
        attributes["aria-invalid"] = "true"
    return {
        "t": context["t"],
        "bound": bound,
        "label": label or bound.label,
        "widget": "" if is_group else bound.as_widget(attrs=attributes),
        "described_by": described_by,
        "hint": shown_hint,
        "is_group": is_group,
        "is_check": isinstance(bound.field.widget, CheckboxInput),
    }


def _described_by(bound: BoundField, hint: str) -> str:
    parts = {"help": hint, "error": bound.errors}
    return " ".join(f"{bound.auto_id}_{name}" for name, shown in parts.items() if shown)
