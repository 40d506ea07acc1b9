"""A text that must have a form is refused with an example of that form."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.urls import get_resolver
from rest_framework import serializers

from apps.rest.fields import Pattern, StrictCharField, StrictSerializer

# The addresses import every room's serializers.
_ALL_ADDRESSES: Final = get_resolver().reverse_dict


def below(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def texts_of(field: Any) -> Iterator[StrictCharField]:
    if isinstance(field, StrictCharField):
        yield field
    if isinstance(field, serializers.Serializer):
        for each in field.fields.values():
            yield from texts_of(each)
    if hasattr(field, "child"):
        yield from texts_of(field.child)


def forms() -> dict[str, Pattern]:
    return {
        f"{owner.__name__}.{text.field_name or 'item'}": pattern
        for owner in below(StrictSerializer)
        if owner.__module__.startswith("apps.")
        for text in texts_of(owner())
        for pattern in text.validators
        if isinstance(pattern, Pattern)
    }


FORMS: Final = dict(sorted(forms().items()))


def test_rooms_have_forms() -> None:
    assert {"NewAgent.route", "NewAgentClient.app_id", "PublishedDocument.id"} <= FORMS.keys()


@pytest.mark.parametrize("pattern", FORMS.values(), ids=FORMS)
def test_the_example_of_a_form_has_it(pattern: Pattern) -> None:
    pattern(pattern.example)
