"""What a member chooses when an agent asks to be let in."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from apps.dashboard.forms import PageForm


class Approval(PageForm):
    """Which of the agents that were asked for may be used; all of them unless the member says otherwise."""

    routes = forms.MultipleChoiceField(label="consent.routes", widget=forms.CheckboxSelectMultiple)
    params = {"allowed_routes": "routes"}

    def __init__(self, *args: Any, agents: Sequence[tuple[str, str]], **options: Any) -> None:
        """`agents` are pairs of a route and the name of the agent behind it."""
        super().__init__(*args, initial={"routes": [route for route, _ in agents]}, **options)
        choices = [(route, format_html("<bdi>{}</bdi> <code>{}</code>", name, route)) for route, name in agents]
        self.fields["routes"].choices = choices  # type: ignore[attr-defined] # a choice field
