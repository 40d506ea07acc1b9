"""Forms of the project's settings, and of deleting it by its name."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from apps.dashboard.forms import Choice, NameField, PageForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.projects.models import NAME_LENGTH, Locale

LOCALES: Final = [(Locale.ARABIC.value, "settings.arabic"), (Locale.ENGLISH.value, "settings.english")]


class ProjectSettings(PageForm):
    name = NameField(label="settings.name", max_length=NAME_LENGTH)
    locale = Choice(label="settings.locale", help_text="settings.locale_help", options=LOCALES)


class DeleteProject(PageForm):
    name = forms.CharField(label="settings.type_name", max_length=NAME_LENGTH)

    def __init__(self, *args: Any, wanted: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._wanted = wanted

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self._wanted:
            raise ValidationError(words_in(current_language())("settings.wrong_name"), code="wrong_name")
        return name
