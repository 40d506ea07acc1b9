"""Forms of agents: the draft that publishing freezes, and the live switches that hold for every version."""

import re
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError

from apps.agents.models import AUDIENCE_LENGTH, DEFAULT_RESULT_TOKENS, ROUTE_LENGTH
from apps.agents.search import MAX_RESULT_TOKENS, MIN_RESULT_TOKENS
from apps.agents.serializers import (
    AUDIENCE,
    MAX_AUDIENCES,
    MAX_CLIENT_INSTRUCTIONS,
    MAX_INSTRUCTIONS,
    ROUTE,
)
from apps.dashboard.digits import localised
from apps.dashboard.forms import Lines, NameField, PageForm, SeenForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.knowledge.serializers import MAX_QUERY_LENGTH
from apps.projects.models import NAME_LENGTH


class Prose(forms.CharField):
    """A text of many lines, with the line ends that it was stored with and not those of browsers."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, required=False, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class NewAgent(PageForm):
    name = NameField(label="agents.name", help_text="agents.name_help", max_length=NAME_LENGTH)
    instructions = Prose(
        label="agents.instructions", help_text="agents.instructions_help", max_length=MAX_INSTRUCTIONS
    )


class DraftForm(NewAgent, SeenForm):
    """What publishing freezes, but for what is attached; the name is live."""

    max_result_tokens = forms.IntegerField(
        label="agents.max_result_tokens",
        min_value=MIN_RESULT_TOKENS,
        max_value=MAX_RESULT_TOKENS,
        initial=DEFAULT_RESULT_TOKENS,
    )
    min_score = forms.FloatField(
        label="agents.min_score",
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )


class SwitchesForm(SeenForm):
    params: ClassVar = {
        "agent_client.audiences": "client_audiences",
        "agent_client.instructions": "client_instructions",
    }

    knowledge_enabled = forms.BooleanField(label="agents.knowledge_enabled", required=False)
    route = forms.CharField(
        label="agents.route",
        help_text="agents.route_help",
        required=False,
        max_length=ROUTE_LENGTH,
        empty_value=None,
        widget=forms.TextInput(attrs={"dir": "ltr", "lang": "en", "placeholder": "order-assistant"}),
    )
    client_enabled = forms.BooleanField(label="agents.client_enabled", required=False)
    client_audiences = Lines(
        label="agents.audiences",
        help_text="agents.audiences_help",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "ltr", "class": "short"}),
    )
    client_instructions = Prose(
        label="agents.client_instructions",
        help_text="agents.client_instructions_help",
        max_length=MAX_CLIENT_INSTRUCTIONS,
    )

    def clean_route(self) -> str | None:
        route: str | None = self.cleaned_data["route"]
        if route is not None and not re.fullmatch(ROUTE, route, re.ASCII):
            raise ValidationError(words_in(self._language)("agents.route_wrong"), code="invalid_format")
        return route

    def clean_client_audiences(self) -> list[str]:
        audiences = list(dict.fromkeys(self.cleaned_data["client_audiences"]))
        if len(audiences) > MAX_AUDIENCES or not all(map(_IS_AUDIENCE, audiences)):
            limits = {"count": MAX_AUDIENCES, "length": AUDIENCE_LENGTH}
            told = {name: localised(number, current_language()) for name, number in limits.items()}
            raise ValidationError(words_in(self._language)("agents.audiences_wrong", **told), code="invalid_format")
        return audiences


_IS_AUDIENCE: Final = re.compile(AUDIENCE, re.ASCII).fullmatch


class QuestionForm(PageForm):
    """A question as a model would search for it, in a run that goes on or a new one."""

    question = forms.CharField(label="agents.question", max_length=MAX_QUERY_LENGTH)
    run = forms.CharField(required=False, widget=forms.HiddenInput)
