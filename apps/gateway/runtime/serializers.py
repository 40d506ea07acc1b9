"""Shapes of what agents send in their workspaces; nothing is cut or cleaned up in silence."""

import re
from typing import Any, Final

from rest_framework import serializers

from apps.gateway.budget import DEFAULT_PAGE_BYTES, LEAST_PAGE_BYTES, MOST_PAGE_BYTES
from apps.gateway.errors import TASK_UNSUPPORTED
from apps.gateway.hints import MOST_HINTS
from apps.gateway.models import WIRE_ID_LENGTH, RunStatus
from apps.gateway.runtime import protocol
from apps.rest.errors import invalid
from apps.rest.fields import (
    AnyJsonField,
    KeptJsonField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictNumberField,
    StrictSerializer,
)

_CONTROL: Final = r"\x00-\x1f\x7f-\x9f"
# All but tab, line feed and carriage return, which visible text may hold.
_INVISIBLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_RENDERER_LENGTH: Final = 64
_NAME_LENGTH: Final = 191


class WireNameField(StrictCharField):
    """A name or id that an agent chose, without control characters."""

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(pattern=rf"[^{_CONTROL}]{{1,{max_length}}}", example="order-assistant 2", **options)


class VisibleTextField(StrictCharField):
    """What a person or an agent said."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if _INVISIBLE.search(text):
            raise invalid("control_character")
        return text


class RunIdField(StrictCharField):
    """A run's UUID, in small letters whatever way it was written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            pattern=r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
            example="6f1c2f4e-8a3b-4d5c-9e7f-0a1b2c3d4e5f",
            **options,
        )

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data).lower()


class TurnBody(StrictSerializer):
    client_conversation_id = WireNameField(max_length=WIRE_ID_LENGTH)
    client_turn_id = WireNameField(max_length=WIRE_ID_LENGTH)
    user_message_id = WireNameField(max_length=WIRE_ID_LENGTH)
    user_input = VisibleTextField(max_length=protocol.MOST_INPUT)
    page_context = StrictDictField(child=KeptJsonField(allow_null=True), required=False)
    renderers = StrictListField(
        child=WireNameField(max_length=_RENDERER_LENGTH),
        max_items=protocol.MOST_RENDERERS,
        unique=True,
        required=False,
    )
    knowledge_delivery = StrictChoiceField(choices=[protocol.ON_DEMAND], required=False)
    task_binding = AnyJsonField(allow_null=True, required=False)

    def validate_task_binding(self, _: Any) -> None:
        raise invalid(TASK_UNSUPPORTED)


class UsageBody(StrictSerializer):
    """What a run took of its model."""

    input_tokens = StrictNumberField(min_value=0, required=False)
    cached_input_tokens = StrictNumberField(min_value=0, required=False)
    output_tokens = StrictNumberField(min_value=0, required=False)
    total_tokens = StrictNumberField(min_value=0, required=False)
    tool_calls = StrictNumberField(min_value=0, required=False)
    cost_usd = StrictNumberField(min_value=0, required=False)


class CompletionBody(StrictSerializer):
    assistant_message_id = StrictCharField(pattern=r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", example="message-27")
    status = StrictChoiceField(choices=RunStatus.values)
    content = VisibleTextField(max_length=protocol.MOST_INPUT)
    model = WireNameField(max_length=_NAME_LENGTH, required=False)
    runtime = WireNameField(max_length=_NAME_LENGTH, required=False)
    usage = UsageBody(required=False)


class CapabilitySearchBody(StrictSerializer):
    query = StrictCharField(max_length=protocol.MOST_QUERY, required=False)
    limit = StrictIntegerField(min_value=1, max_value=protocol.MOST_TOOLS, required=False)
    run_id = RunIdField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "run_id" not in attrs and not attrs.get("query", "").strip():
            raise serializers.ValidationError({"query": invalid("required").detail})
        return attrs


class KnowledgeSearchBody(StrictSerializer):
    query = StrictCharField(max_length=protocol.MOST_QUERY)
    limit = StrictIntegerField(min_value=1, max_value=MOST_HINTS, default=MOST_HINTS)
    run_id = RunIdField(required=False)


class KnowledgeReadBody(StrictSerializer):
    ref = StrictCharField()
    run_id = RunIdField(required=False)
    cursor = StrictCharField(required=False)
    max_bytes = StrictIntegerField(
        min_value=LEAST_PAGE_BYTES, max_value=MOST_PAGE_BYTES, default=DEFAULT_PAGE_BYTES
    )
