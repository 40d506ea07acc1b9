"""Reads the transform of a source's config and says what is wrong with it, field by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from apps.kernel.errors import FieldError
from apps.kernel.strict_json import Number
from apps.knowledge.transform.errors import TransformConfigError
from apps.knowledge.transform.paths import ROOT, Path
from apps.knowledge.transform.template import Template
from apps.knowledge.transform.values import text_of

MAX_TEXT_LENGTH: Final = 2_000
MIN_ITEMS: Final = 1
MAX_ITEMS: Final = 5_000
DEFAULT_ITEMS: Final = 500

TEXT_FIELDS: Final = ("items_path", "line", "group_by", "sort_by", "skip_when_zero", "header")
FIELDS: Final = frozenset({*TEXT_FIELDS, "max_items"})


@dataclass(frozen=True, slots=True)
class Transform:
    line: Template
    items_path: Path = ROOT
    group_by: Path | None = None
    sort_by: Path | None = None
    skip_when_zero: Path | None = None
    max_items: int = DEFAULT_ITEMS
    header: str = ""

    @classmethod
    def parse(cls, config: Mapping[str, Any]) -> "Transform":
        """Raises `TransformConfigError` with all faults at once; a field that is null counts as left out."""
        faults = _faults(config)
        if faults:
            raise TransformConfigError(tuple(faults))
        limit = config.get("max_items")
        return cls(
            line=Template.parse(config["line"]),
            items_path=Path.parse(config.get("items_path") or ""),
            group_by=_path(config.get("group_by")),
            sort_by=_path(config.get("sort_by")),
            skip_when_zero=_path(config.get("skip_when_zero")),
            max_items=DEFAULT_ITEMS if limit is None else int(limit),
            header=text_of(config.get("header")),
        )


def _path(text: str | None) -> Path | None:
    return Path.parse(text) if text and text.strip() else None


def _faults(config: Mapping[str, Any]) -> list[FieldError]:
    foreign = [FieldError("unknown_field", name) for name in config if name not in FIELDS]
    texts = [fault for name in TEXT_FIELDS if (fault := _text_fault(name, config.get(name)))]
    return foreign + texts + _line_faults(config.get("line")) + _limit_faults(config.get("max_items"))


def _text_fault(name: str, value: Any) -> FieldError | None:
    if value is None:
        return None
    if not isinstance(value, str) or isinstance(value, Number):
        return FieldError("not_a_string", name)
    if len(value) > MAX_TEXT_LENGTH:
        return FieldError("too_long", name, {"limit": MAX_TEXT_LENGTH})
    return None


def _line_faults(value: Any) -> list[FieldError]:
    if value is None:
        return [FieldError("required", "line")]
    return [FieldError("blank", "line")] if isinstance(value, str) and not text_of(value) else []


def _limit_faults(value: Any) -> list[FieldError]:
    if value is None:
        return []
    # A preview reads its body with the numbers kept as written.
    number = int(value) if isinstance(value, Number) and _is_short_integer(value) else value
    if not isinstance(number, int) or isinstance(number, bool):
        return [FieldError("not_an_integer", "max_items")]
    if number < MIN_ITEMS:
        return [FieldError("too_small", "max_items", {"limit": MIN_ITEMS})]
    return [FieldError("too_large", "max_items", {"limit": MAX_ITEMS})] if number > MAX_ITEMS else []


def _is_short_integer(number: Number) -> bool:
    return number.removeprefix("-").isdigit() and len(number) <= len(str(MAX_ITEMS)) * 2
