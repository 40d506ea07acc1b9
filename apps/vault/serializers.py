"""Shapes of what callers send and get of secrets."""

from typing import Any

from rest_framework import serializers

from apps.rest.errors import invalid
from apps.rest.fields import InstantField, StrictCharField, StrictChoiceField, StrictListField, StrictSerializer
from apps.vault import errors
from apps.vault.models import NAME_LENGTH
from apps.vault.render import is_secret_name

MAX_HOSTS = 20
MAX_HOST_INPUT = 2_048
# Over the 4,096 of a header, so that the sentence about headers is what a too long value gets.
MAX_VALUE_INPUT = 65_536


class SecretNameField(StrictCharField):
    """Capital letters, digits and underscores, as they stand between the braces of a reference."""

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if not is_secret_name(name):
            raise invalid(errors.SECRET_NAME_INVALID)
        return name


class HostsField(StrictListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            child=StrictCharField(max_length=MAX_HOST_INPUT),
            allow_empty=False,
            max_items=MAX_HOSTS,
            help_text="Exact host names or public addresses that the value may be sent to; no wildcards.",
            **options,
        )


class NewSecret(StrictSerializer):
    name = SecretNameField(
        max_length=NAME_LENGTH, help_text=f"At most {NAME_LENGTH} capital letters, digits and underscores."
    )
    value = StrictCharField(
        max_length=MAX_VALUE_INPUT, write_only=True, help_text="Accepted and kept sealed, never returned."
    )
    allowed_hosts = HostsField()


class SecretChange(StrictSerializer):
    value = StrictCharField(max_length=MAX_VALUE_INPUT, write_only=True, help_text="The new value.")
    allowed_hosts = HostsField()


class SecretShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["secret"])
    name = StrictCharField()
    allowed_hosts = serializers.ListField(child=StrictCharField())
    created_at = InstantField()
    updated_at = InstantField()
    last_used_at = InstantField(allow_null=True, help_text="When it was last sent, to within a minute.")
