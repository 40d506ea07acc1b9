"""Shapes of what callers send and get of endpoints, deliveries and events."""

from rest_framework import serializers

from apps.rest.fields import (
    AnyJsonField,
    InstantField,
    ListQuery,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from apps.webhooks.events import ALL, TYPES
from apps.webhooks.models import URL_LENGTH, DeliveryStatus, DisabledReason

SUBSCRIPTIONS = [ALL, *TYPES]


def wanted_events() -> StrictListField:
    return StrictListField(
        child=StrictChoiceField(choices=SUBSCRIPTIONS),
        allow_empty=False,
        unique=True,
        max_items=len(SUBSCRIPTIONS),
        help_text='Types of events to send, or ["*"] for all.',
    )


class NewEndpoint(StrictSerializer):
    url = StrictCharField(max_length=URL_LENGTH, help_text="A public https address, on port 443 or 8443.")
    events = wanted_events()


class EndpointChange(StrictSerializer):
    url = StrictCharField(max_length=URL_LENGTH)
    events = wanted_events()
    enabled = StrictBooleanField(help_text="False cancels what is pending; true starts anew after a disabling.")


class EndpointShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["webhook_endpoint"])
    url = StrictCharField()
    events = wanted_events()
    enabled = StrictBooleanField()
    disabled_reason = StrictChoiceField(choices=DisabledReason.values, allow_null=True)
    created_at = InstantField()


class ShownEndpoint(EndpointShape):
    secret = serializers.CharField(help_text="The signing secret; only this answer shows it.")


class AttemptShape(StrictSerializer):
    at = InstantField()
    http_status = StrictIntegerField(allow_null=True)
    duration_ms = StrictIntegerField()
    error = StrictCharField(allow_null=True, help_text="A code, or null for a success.")
    response = StrictCharField(help_text="The first 1,024 bytes of the answer.")


class DeliveryShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["webhook_delivery"])
    endpoint_id = StrictCharField()
    event_id = StrictCharField()
    event_type = StrictChoiceField(choices=list(TYPES))
    status = StrictChoiceField(choices=DeliveryStatus.values)
    attempts = serializers.ListField(child=AttemptShape())
    next_attempt_at = InstantField(allow_null=True)
    created_at = InstantField()


class EventQuery(ListQuery):
    type = StrictChoiceField(choices=list(TYPES), required=False, help_text="Only events of this type.")


class EventShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["event"])
    type = StrictChoiceField(choices=list(TYPES))
    timestamp = InstantField()
    data = StrictDictField(child=AnyJsonField())  # type: ignore[assignment]  # DRF takes fields out of the class
