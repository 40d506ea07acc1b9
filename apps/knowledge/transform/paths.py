"""Dotted paths into JSON values: `data.products`, `price.amount`, `images.0.url`."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

MAX_POSITION_DIGITS: Final = 9


class Step(NamedTuple):
    rest: str  # All that is left of the path; a key that spells it out wins over walking.
    key: str
    position: int | None  # The key as a position in a list; nine digits are more than any list has.


@dataclass(frozen=True, slots=True)
class Path:
    steps: tuple[Step, ...]

    @classmethod
    def parse(cls, text: str) -> "Path":
        """An empty path is the root."""
        steps: list[Step] = []
        rest, dot = text.strip(), "."
        while dot and rest:
            key, dot, after = rest.partition(".")
            steps.append(Step(rest, key, _position(key)))
            rest = after
        return cls(tuple(steps))

    def of(self, value: Any) -> Any:
        """The value at the path; None when it is absent, since null and absent mean the same everywhere."""
        for step in self.steps:
            match value:
                case dict() if step.rest in value:
                    return value[step.rest]
                case dict():
                    value = value.get(step.key)
                case list() if step.position is not None and step.position < len(value):
                    value = value[step.position]
                case _:
                    return None
        return value

    def parents(self, value: Any) -> list[dict[str, Any]]:
        """The objects on the way to the path's value, from the root down."""
        found: list[dict[str, Any]] = []
        for step in self.steps:
            if isinstance(value, dict):
                found.append(value)
                if step.rest in value:
                    break
            value = Path((step,)).of(value)
        return found


ROOT: Final = Path(())


def _position(key: str) -> int | None:
    return int(key) if key.isascii() and key.isdigit() and len(key) <= MAX_POSITION_DIGITS else None
