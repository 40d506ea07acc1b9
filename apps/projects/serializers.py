"""Shapes of what callers send and get, from which requests are checked and the API description is made."""

from rest_framework import serializers

from apps.projects.models import NAME_LENGTH, Locale
from apps.projects.services import ALL_SCOPES
from apps.rest.fields import (
    InstantField,
    NameField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)

MAX_SOURCES_OF_A_KEY = 1_000


class ProjectChange(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    locale = StrictChoiceField(choices=Locale.values, help_text="Language of what agents are told.")


class ProjectShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["project"])
    name = StrictCharField()
    locale = StrictChoiceField(choices=Locale.values)
    usage = StrictDictField(child=StrictIntegerField())
    limits = StrictDictField(child=StrictIntegerField())
    created_at = InstantField()
    updated_at = InstantField()


class NewApiKey(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    scopes = StrictListField(
        child=StrictChoiceField(choices=list(ALL_SCOPES)), allow_empty=False, max_items=len(ALL_SCOPES), unique=True
    )
    source_ids = StrictListField(
        child=StrictCharField(max_length=64),
        allow_empty=False,
        allow_null=True,
        max_items=MAX_SOURCES_OF_A_KEY,
        unique=True,
        required=False,
        help_text="The only knowledge sources the key may touch; null for all.",
    )
    expires_at = InstantField(required=False, allow_null=True)


class ApiKeyShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["api_key"])
    name = StrictCharField()
    scopes = StrictListField(child=StrictChoiceField(choices=list(ALL_SCOPES)), max_items=len(ALL_SCOPES))
    source_ids = StrictListField(child=StrictCharField(), max_items=MAX_SOURCES_OF_A_KEY, allow_null=True)
    last_four = StrictCharField()
    expires_at = InstantField(allow_null=True)
    last_used_at = InstantField(allow_null=True)
    rotated_from = StrictCharField(allow_null=True, help_text="The key that this one replaces.")
    created_at = InstantField()


class ShownApiKey(ApiKeyShape):
    key = serializers.CharField(help_text="The key itself; only this answer shows it.")
