"""Serializer fields that take exactly what the documentation says and coerce nothing.

JSON bodies and query strings use different fields: in JSON an integer is a number, in a query string it is
digits. Every refusal carries a code of the catalogue, so that both languages have its sentence.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final, NoReturn

from django.core import validators
from rest_framework import serializers

from apps.kernel.strict_json import Number
from apps.kernel.times import to_iso
from apps.rest.errors import MAX_REPORTED_FAULTS, invalid
from apps.rest.names import fault_of_name
from apps.rest.times import read_time


class _OwnSentences:
    """Sends DRF's own refusals (required, null, blank, …) through our catalogue."""

    def fail(self, key: str, **_: Any) -> NoReturn:
        raise invalid({"empty": "empty_list", "invalid": self.wrong_type}.get(key, key))

    wrong_type = "invalid"


# --- limits: validators, because the API description is made from them --------------------------------------


class MaxLength(validators.MaxLengthValidator):
    def __call__(self, value: Any) -> None:
        if len(value) > self.limit_value:
            raise invalid("too_long", limit=self.limit_value)


class MinLength(validators.MinLengthValidator):
    def __call__(self, value: Any) -> None:
        if len(value) < self.limit_value:
            raise invalid("too_short", limit=self.limit_value)


class MaxItems(validators.MaxLengthValidator):
    def __call__(self, value: Any) -> None:
        if len(value) > self.limit_value:
            raise invalid("too_many_items", limit=self.limit_value)


class MaxValue(validators.MaxValueValidator):
    def __call__(self, value: Any) -> None:
        if value > self.limit_value:
            raise invalid("too_large", limit=self.limit_value)


class MinValue(validators.MinValueValidator):
    def __call__(self, value: Any) -> None:
        if value < self.limit_value:
            raise invalid("too_small", limit=self.limit_value)


class Pattern(validators.RegexValidator):
    """The whole value must match, as the example does; the pattern must not backtrack on hostile input."""

    def __init__(self, regex: re.Pattern[str], example: str) -> None:
        super().__init__(regex)
        self.example = example

    def __call__(self, value: Any) -> None:
        if re.fullmatch(self.regex, value) is None:
            raise invalid("invalid_format", example=self.example)


# --- JSON values --------------------------------------------------------------------------------------------


class StrictCharField(_OwnSentences, serializers.CharField):
    """A JSON string, counted in code points and kept as sent unless `trim_whitespace` is asked for.

    A `pattern` comes with an example, which is what a refusal shows.
    """

    wrong_type = "not_a_string"

    def __init__(
        self,
        *,
        max_length: int | None = None,
        min_length: int | None = None,
        pattern: str | None = None,
        example: str = "",
        trim_whitespace: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(trim_whitespace=trim_whitespace, **options)
        if max_length is not None:
            self.validators.append(MaxLength(max_length))
        if min_length is not None:
            self.validators.append(MinLength(min_length))
        if pattern is not None:
            # The anchors are for the API description; the validator matches the whole value anyway.
            self.validators.append(Pattern(re.compile(f"^(?:{pattern})$", re.ASCII), example))

    def to_internal_value(self, data: Any) -> str:
        # Exactly a string: a JSON number kept as it was written is one by inheritance only.
        if type(data) is not str:
            raise invalid(self.wrong_type)
        return data.strip() if self.trim_whitespace else data


class NameField(StrictCharField):
    """A name people read: trimmed, 1 to `max_length` characters, nothing in it that hides or turns text."""

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(max_length=max_length, trim_whitespace=True, **options)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if fault := fault_of_name(name):
            raise invalid(fault)
        return name


class StrictIntegerField(_OwnSentences, serializers.IntegerField):
    """A JSON number without fraction or exponent; no text, no boolean."""

    wrong_type = "not_an_integer"

    def __init__(self, *, max_value: int | None = None, min_value: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.max_value, self.min_value = max_value, min_value
        self.validators += _bounds(max_value, min_value)

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise invalid(self.wrong_type)
        return data


class StrictNumberField(_OwnSentences, serializers.FloatField):
    """Any JSON number; no text, no boolean."""

    wrong_type = "not_a_number"

    def __init__(self, *, max_value: float | None = None, min_value: float | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.max_value, self.min_value = max_value, min_value
        self.validators += _bounds(max_value, min_value)

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise invalid(self.wrong_type)
        return data


def _bounds(
    max_value: float | None, min_value: float | None
) -> list[validators.MaxValueValidator | validators.MinValueValidator]:
    bounds: list[validators.MaxValueValidator | validators.MinValueValidator] = []
    if max_value is not None:
        bounds.append(MaxValue(max_value))
    if min_value is not None:
        bounds.append(MinValue(min_value))
    return bounds


class StrictBooleanField(_OwnSentences, serializers.BooleanField):
    """`true` or `false`."""

    wrong_type = "not_a_boolean"

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise invalid(self.wrong_type)
        return data


class StrictChoiceField(_OwnSentences, serializers.ChoiceField):
    """One of a few words, spelt exactly."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            raise invalid("invalid_choice", choices=", ".join(map(str, self.choices)))
        return data


class InstantField(_OwnSentences, serializers.DateTimeField):
    """A time with its zone, in ISO 8601; shown in UTC with ``Z``."""

    wrong_type = "not_a_time"

    def to_internal_value(self, value: Any) -> datetime:
        instant = read_time(value) if isinstance(value, str) else None
        if instant is None:
            raise invalid(self.wrong_type)
        return instant

    def to_representation(self, value: datetime) -> str:
        return to_iso(value)


class StrictListField(_OwnSentences, serializers.ListField):
    """A JSON list of one kind of item."""

    wrong_type = "not_a_list"

    def __init__(self, *, max_items: int, unique: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.max_items, self.unique = max_items, unique
        self.validators.append(MaxItems(max_items))

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise invalid(self.wrong_type)
        if len(data) > self.max_items:
            raise invalid("too_many_items", limit=self.max_items)
        items: list[Any] = super().to_internal_value(data)
        if self.unique:
            _refuse_repeated(items)
        return items


def _refuse_repeated(items: list[Any]) -> None:
    faults: dict[Any, Any] = {
        position: invalid("repeated_item").detail for position, item in enumerate(items) if item in items[:position]
    }
    if faults:
        raise serializers.ValidationError(faults)


class StrictDictField(_OwnSentences, serializers.DictField):
    """A JSON object with free keys and one kind of value."""

    wrong_type = "not_an_object"

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise invalid(self.wrong_type)
        result: dict[str, Any] = super().to_internal_value(data)
        return result


class AnyJsonField(_OwnSentences, serializers.JSONField):
    """Any JSON value, as parsed."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class KeptJsonField(AnyJsonField):
    """Any JSON value that is kept or sent back, which a number past every float cannot be."""

    def to_internal_value(self, data: Any) -> Any:
        if _holds_number_past_floats(data):
            raise invalid("number_out_of_range")
        return super().to_internal_value(data)


def _holds_number_past_floats(value: Any) -> bool:
    """The reader leaves such a number as it was written; how deep it may stand is bounded there."""
    if isinstance(value, dict):
        return any(map(_holds_number_past_floats, value.values()))
    if isinstance(value, list):
        return any(map(_holds_number_past_floats, value))
    return isinstance(value, Number)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file part of a form, in memory: what the sender called it and said of it, and its bytes."""

    file_name: str
    media_type: str
    charset: str | None
    content: bytes


class UploadField(_OwnSentences, serializers.FileField):
    """The file part of a documented upload."""

    wrong_type = "not_a_file"

    def to_internal_value(self, data: Any) -> Upload:  # type: ignore[override]  # our file
        if not isinstance(data, Upload):
            raise invalid(self.wrong_type)
        return data


class StrictSerializer(_OwnSentences, serializers.Serializer[Any]):
    """A JSON object of known fields; unknown ones are refused by name, together with all other faults."""

    wrong_type = "not_an_object"
    unknown = "unknown_field"

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise invalid(self.wrong_type)
        known = self._known()
        strange = islice((name for name in data if name not in known), MAX_REPORTED_FAULTS)
        faults: dict[str, Any] = {name: invalid(self.unknown).detail for name in strange}
        try:
            validated: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **faults}) from error  # type: ignore[dict-item]
        if faults:
            raise serializers.ValidationError(faults)
        return validated

    def _known(self) -> Collection[str]:
        return {name for name, field in self.fields.items() if not field.read_only}


# --- query strings ------------------------------------------------------------------------------------------

_DIGITS: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)


class QueryIntegerField(StrictIntegerField):
    """ASCII digits in a query string."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not _DIGITS.fullmatch(data):
            raise invalid(self.wrong_type)
        return int(data)


class QueryBooleanField(StrictBooleanField):
    """`true` or `false` in a query string."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in {"true", "false"}:
            raise invalid(self.wrong_type)
        return bool(data == "true")


class QuerySerializer(StrictSerializer):
    """The query parameters of an operation."""

    unknown = "unknown_parameter"


class ListQuery(QuerySerializer):
    """What every list takes; filters are added by subclassing."""

    limit = QueryIntegerField(min_value=1, max_value=100, default=20, help_text="How many objects a page holds.")
    cursor = StrictCharField(required=False, max_length=500, help_text="`next_cursor` of the page before.")
