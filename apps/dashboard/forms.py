"""Forms of the dashboard: words from the texts, and what services refuse shown at the field it is about.

A form's labels and help texts are keys of the texts (``label="members.email"``). A field is named as the service
names the parameter, or `params` says which field a parameter's refusal belongs to.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.kernel.errors import CATALOGUE, AppError
from apps.rest.names import fault_of_name

T = TypeVar("T")


class PageForm(forms.Form):
    """What all forms of pages share."""

    # Parameter of a service -> field of the form, where they are not called alike.
    params: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **options})
        self._language = current_language()
        t = words_in(self._language)
        for field in self.fields.values():
            field.label = t(str(field.label)) if field.label else field.label
            field.help_text = t(str(field.help_text)) if field.help_text else field.help_text
            if isinstance(field, Choice):
                field.choices = [(value, t(key)) for value, key in field.options]

    def attempt(self, deed: Callable[[], T]) -> T | None:
        """Do it in a transaction of its own; None when it was refused, and then the form says why."""
        try:
            with transaction.atomic():
                return deed()
        except AppError as error:
            self.refuse(error)
            return None

    def refuse(self, error: AppError) -> None:
        """Show each fault at its field, those of no field above the form."""
        for fault in error.errors:
            text = CATALOGUE[fault.code].message(self._language, fault.params)
            self.add_error(self._field_of(fault.param), ValidationError(text, code=fault.code))

    def _field_of(self, param: str | None) -> str | None:
        if param is None:
            return None
        # A fault within a list is shown at the field that holds the list.
        name = self.params.get(param) or param.partition("[")[0]
        return name if name in self.fields else None


class SeenForm(PageForm):
    """A form that says which state it starts from, so that nobody saves over another's change without knowing."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def came_late(self, state: str) -> bool:
        """Whether something else was saved since; shown and sent once more, the form is meant to replace that."""
        if self.cleaned_data["seen"] in {"", state}:
            return False
        self.data = {**{name: self.data[name] for name in self.data}, "seen": state}
        return True


class Choice(forms.ChoiceField):
    """One of a few words that our texts name: `options` are pairs of a value and the key of its text."""

    def __init__(self, *, options: Sequence[tuple[str, str]], **rest: Any) -> None:
        super().__init__(**rest)
        self.options = options


class Lines(forms.CharField):
    """A list with a value on each line, blank ones left out; gives a list of text."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override] # the list is what the form is for
        text: str = super().to_python(value) or ""
        return [line.strip() for line in text.splitlines() if line.strip()]

    def run_validators(self, value: Any) -> None:
        """Those of text are about its length, which `max_length` of the input bounds."""


class NameField(forms.CharField):
    """A name people read, with the rules that the API has for names."""

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and (code := fault_of_name(value)):
            raise ValidationError(CATALOGUE[code].message(current_language(), {}), code=code)
