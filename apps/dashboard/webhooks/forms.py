"""The form of an endpoint: its address and what it wants to be told."""

from typing import Any

from django import forms

from apps.dashboard.forms import PageForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.webhooks.events import ALL, ENDPOINT_TEST, TYPES
from apps.webhooks.models import URL_LENGTH


class EndpointForm(PageForm):
    url = forms.CharField(
        label="webhooks.url",
        help_text="webhooks.url_help",
        max_length=URL_LENGTH,
        widget=forms.URLInput(attrs={"dir": "ltr", "lang": "en", "placeholder": "https://shop.example/mawrid"}),
    )
    events = forms.MultipleChoiceField(
        label="webhooks.events",
        help_text="webhooks.events_help",
        widget=forms.CheckboxSelectMultiple,
        initial=[ALL],
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        t = words_in(current_language())
        # A test goes to the endpoint that it is asked for, whatever that wants.
        types = [(type_, t(f"webhooks.{type_}")) for type_ in TYPES if type_ != ENDPOINT_TEST]
        events = self.fields["events"]
        events.choices = [(ALL, t("webhooks.every_event")), *types]  # type: ignore[attr-defined] # has choices

    def clean_events(self) -> list[str]:
        """Everything, or each event by its name."""
        wanted: list[str] = self.cleaned_data["events"]
        return [ALL] if ALL in wanted else wanted
