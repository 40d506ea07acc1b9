"""Forms of agent clients."""

import re
from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from apps.dashboard.forms import NameField, PageForm
from apps.dashboard.language import current_language
from apps.gateway.models import URL_LENGTH
from apps.gateway.serializers import APP_ID, APP_ID_EXAMPLE
from apps.kernel.errors import CATALOGUE
from apps.projects.models import NAME_LENGTH

_APP_ID: Final = re.compile(APP_ID, re.ASCII)


class ClientForm(PageForm):
    """What may be changed of a client."""

    name = NameField(label="clients.name", help_text="clients.name_help", max_length=NAME_LENGTH)
    allowed_routes = forms.MultipleChoiceField(
        label="clients.routes", help_text="clients.routes_help", widget=forms.CheckboxSelectMultiple, required=False
    )
    authorize_url = forms.CharField(
        label="clients.authorize_url",
        help_text="clients.authorize_url_help",
        max_length=URL_LENGTH,
        required=False,
        empty_value=None,
        widget=forms.URLInput(attrs={"dir": "ltr", "lang": "en", "placeholder": "https://shop.example/agree"}),
    )
    enabled = forms.BooleanField(label="clients.switched_on", required=False, initial=True)

    def __init__(self, *args: Any, routes: Iterable[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["allowed_routes"].choices = [(route, route) for route in routes]  # type: ignore[attr-defined]


class NewClient(ClientForm):
    app_id = forms.CharField(
        label="clients.app_id",
        help_text="clients.app_id_help",
        widget=forms.TextInput(attrs={"dir": "ltr", "lang": "en", "placeholder": APP_ID_EXAMPLE}),
    )
    field_order = ("name", "app_id", "allowed_routes", "authorize_url", "enabled")

    def clean_app_id(self) -> str:
        app_id: str = self.cleaned_data["app_id"]
        if not _APP_ID.fullmatch(app_id):
            code = "invalid_format"
            raise ValidationError(
                CATALOGUE[code].message(current_language(), {"example": APP_ID_EXAMPLE}), code=code
            )
        return app_id
