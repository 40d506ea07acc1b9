"""One JSON object of an answer, read field by field; whatever is not as published is refused with its path."""

import math
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from mawrid_client import wire

_MISSING: Final = object()


class NotAsPublishedError(ValueError):
    """A field of an answer is missing, of another type, or out of bounds; the text names it and no value of it."""


class Fields:
    """Strict access to an object's members."""

    def __init__(self, value: object, where: str = "answer") -> None:
        if not isinstance(value, dict):
            raise NotAsPublishedError(f"{where} is no object")
        self._value: dict[str, Any] = value
        self._where = where

    @property
    def raw(self) -> Mapping[str, Any]:
        return self._value

    def __contains__(self, name: str) -> bool:
        return name in self._value

    def fault(self, name: str, what: str) -> NotAsPublishedError:
        return NotAsPublishedError(f"{self._where}.{name} {what}")

    def value(self, name: str) -> Any:
        found = self._value.get(name, _MISSING)
        if found is _MISSING:
            raise self.fault(name, "is missing")
        return found

    # --- text -----------------------------------------------------------------------------------------------

    def text(
        self,
        name: str,
        *,
        least: int = 0,
        most: int | None = None,
        most_bytes: int | None = None,
        form: re.Pattern[str] | None = None,
    ) -> str:
        found = self.value(name)
        if not isinstance(found, str):
            raise self.fault(name, "is no text")
        if not is_whole(found):
            raise self.fault(name, "holds half of a character")
        if len(found) < least or (most is not None and len(found) > most):
            raise self.fault(name, "is too short or too long")
        if most_bytes is not None and len(found.encode()) > most_bytes:
            raise self.fault(name, f"is larger than {most_bytes} bytes")
        if form is not None and not form.fullmatch(found):
            raise self.fault(name, "does not have its form")
        return found

    def optional_text(self, name: str, *, most: int | None = None) -> str | None:
        return None if self._value.get(name) is None else self.text(name, most=most)

    def literal(self, name: str, *allowed: str) -> str:
        found = self.text(name)
        if found not in allowed:
            raise self.fault(name, f"is none of {', '.join(allowed)}")
        return found

    def hex64(self, name: str) -> str:
        return self.text(name, form=wire.HEX64)

    def uuid(self, name: str) -> str:
        return self.text(name, form=wire.UUID)

    def time(self, name: str) -> datetime:
        """A moment with its offset from UTC."""
        found = self.text(name, most=wire.TIMESTAMP_MAX_LENGTH)
        try:
            moment = datetime.fromisoformat(found)
        except ValueError as error:
            raise self.fault(name, "is no time") from error
        if moment.tzinfo is None:
            raise self.fault(name, "has no offset from UTC")
        return moment

    def schema(self, expected: str) -> None:
        """The schema string, under either of its names; where both stand they agree."""
        found = [self._value[name] for name in ("schema", "schema_version") if name in self._value]
        if not found or any(one != expected for one in found):
            raise self.fault("schema_version", f"is not {expected}")

    # --- numbers and flags ----------------------------------------------------------------------------------

    def integer(self, name: str, *, low: int = 0, high: int = wire.MAX_SAFE_INTEGER) -> int:
        found = self.value(name)
        if not is_integer(found) or not low <= found <= high:
            raise self.fault(name, f"is no whole number from {low} to {high}")
        number: int = found
        return number

    def optional_integer(self, name: str) -> int | None:
        return None if self._value.get(name) is None else self.integer(name)

    def number(self, name: str) -> float:
        found = self.value(name)
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            raise self.fault(name, "is no number")
        return float(found)

    def flag(self, name: str) -> bool:
        found = self.value(name)
        if not isinstance(found, bool):
            raise self.fault(name, "is neither true nor false")
        return found

    # --- objects and lists ----------------------------------------------------------------------------------

    def member(self, name: str) -> "Fields":
        return Fields(self.value(name), f"{self._where}.{name}")

    def optional_object(self, name: str) -> Mapping[str, Any] | None:
        return None if self._value.get(name) is None else self.member(name).raw

    def items(self, name: str, *, most: int | None = None) -> list[Any]:
        found = self.value(name)
        if not isinstance(found, list):
            raise self.fault(name, "is no list")
        if most is not None and len(found) > most:
            raise self.fault(name, f"has more than {most} items")
        return found

    def members(self, name: str, *, most: int | None = None) -> "list[Fields]":
        where = f"{self._where}.{name}"
        return [Fields(item, f"{where}[{at}]") for at, item in enumerate(self.items(name, most=most))]

    def texts(self, name: str, *, least: int = 0, most_length: int | None = None) -> tuple[str, ...]:
        found = self.items(name)
        if len(found) < least or any(not isinstance(item, str) for item in found):
            raise self.fault(name, "is no list of texts")
        if most_length is not None and any(len(item) > most_length for item in found):
            raise self.fault(name, "has an item that is too long")
        return tuple(found)

    def refuse_others(self, known: Collection[str]) -> None:
        """Nothing but the known members may stand here, where anything else could be a smuggled body."""
        if not set(self._value) <= set(known):
            raise NotAsPublishedError(f"{self._where} has members that are not published")


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_whole(text: str) -> bool:
    """Whether the text can be written as UTF-8, that is, holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def utf16_units(text: str) -> int:
    """The length that clients of other languages count."""
    return len(text.encode("utf-16-le")) // 2
