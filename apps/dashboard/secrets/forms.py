"""Forms of secrets: a new one, a new value, and the hosts a value may be sent to."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.dashboard.forms import Lines, PageForm
from apps.dashboard.language import current_language
from apps.kernel.errors import CATALOGUE
from apps.vault import errors
from apps.vault.models import NAME_LENGTH
from apps.vault.render import is_secret_name

MAX_VALUE_INPUT = 65_536


class SecretNameField(forms.CharField):
    """A name as it stands between the braces of a reference."""

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and not is_secret_name(value):
            code = errors.SECRET_NAME_INVALID
            raise ValidationError(CATALOGUE[code].message(current_language(), {}), code=code)


class Hosts(Lines):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            label="secrets.hosts",
            help_text="secrets.hosts_help",
            widget=forms.Textarea(
                attrs={
                    "rows": 3,
                    "dir": "ltr",
                    "spellcheck": "false",
                    "lang": "en",
                    "placeholder": "api.example.com",
                }
            ),
            **options,
        )


def _value() -> forms.CharField:
    """What is typed is never shown again, not even after an error elsewhere in the form."""
    widget = forms.PasswordInput(render_value=False, attrs={"autocomplete": "off", "dir": "ltr"})
    return forms.CharField(
        label="secrets.value",
        help_text="secrets.value_help",
        strip=False,
        max_length=MAX_VALUE_INPUT,
        widget=widget,
    )


class NewSecret(PageForm):
    name = SecretNameField(
        label="secrets.name",
        help_text="secrets.name_help",
        max_length=NAME_LENGTH,
        widget=forms.TextInput(
            attrs={"dir": "ltr", "lang": "en", "spellcheck": "false", "placeholder": "CATALOG_TOKEN"}
        ),
    )
    value = _value()
    allowed_hosts = Hosts()


class NewValue(PageForm):
    value = _value()


class AllowedHosts(PageForm):
    allowed_hosts = Hosts()
