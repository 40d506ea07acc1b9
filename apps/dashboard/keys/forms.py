"""The form of a new API key."""

from collections.abc import Iterable
from datetime import UTC
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms

from apps.dashboard.forms import NameField, PageForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.knowledge.models import Source
from apps.projects.models import NAME_LENGTH
from apps.projects.services import ALL_SCOPES, Grant

_ZONES: Final = available_timezones()


class NewKey(PageForm):
    name = NameField(label="keys.name", help_text="keys.name_help", max_length=NAME_LENGTH)
    scopes = forms.MultipleChoiceField(
        label="keys.scopes",
        help_text="keys.scopes_help",
        widget=forms.CheckboxSelectMultiple,
        choices=[(scope, scope) for scope in ALL_SCOPES],
        initial=["search"],
    )
    source_ids = forms.MultipleChoiceField(
        label="keys.sources", help_text="keys.sources_help", widget=forms.CheckboxSelectMultiple, required=False
    )
    expires_at = forms.DateTimeField(
        label="keys.expires",
        help_text="keys.expires_help",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M"],
    )
    # The zone of the reader's browser, which a script fills in; without one the end is meant in UTC.
    zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))

    def __init__(self, *args: Any, sources: Iterable[Source], **options: Any) -> None:
        super().__init__(*args, **options)
        t = words_in(current_language())
        choices = {
            "scopes": [(scope, t(f"keys.scope_{scope}")) for scope in ALL_SCOPES],
            "source_ids": [(source.id, source.name) for source in sources],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined] # both are fields of choices
        self.fields["expires_at"].widget.attrs["data-own-help"] = t("keys.expires_own_help")

    def clean(self) -> dict[str, Any]:
        sent: dict[str, Any] = super().clean() or self.cleaned_data
        zone, end = sent.get("zone"), sent.get("expires_at")
        if end is None or not zone:
            return sent
        if zone not in _ZONES:
            self.add_error("expires_at", words_in(current_language())("keys.unknown_zone", zone=zone))
            return sent
        return {**sent, "expires_at": end.replace(tzinfo=ZoneInfo(zone))}

    @property
    def grant(self) -> Grant:
        asked: Final = self.cleaned_data
        expires_at = asked["expires_at"]
        return Grant(
            scopes=frozenset(asked["scopes"]),
            source_ids=tuple(asked["source_ids"]) or None,
            expires_at=None if expires_at is None else expires_at.astimezone(UTC),
        )
