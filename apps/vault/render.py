"""Header values that name secrets: ``Bearer {{secret.CATALOG_TOKEN}}`` is saved as written and filled when sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_NAME: Final = r"[A-Z][A-Z0-9_]{0,63}"
_REFERENCE: Final = re.compile(rf"\{{\{{secret\.({_NAME})\}}\}}", re.ASCII)


class MalformedReferenceError(ValueError):
    """Double braces that are no reference to a secret."""


@dataclass(frozen=True, slots=True)
class Template:
    """A header value as saved: literal texts, and between each two of them the name of a secret."""

    literals: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def is_literal(self) -> bool:
        """Whether the value names no secret, so that everything of it stands in clear."""
        return not self.names

    def render(self, values: Mapping[str, str]) -> str:
        """The value to send; raises `KeyError` for a name without a value."""
        filled = [values[name] + literal for name, literal in zip(self.names, self.literals[1:], strict=True)]
        return self.literals[0] + "".join(filled)


def is_secret_name(text: str) -> bool:
    return re.fullmatch(_NAME, text, re.ASCII) is not None


def parse_template(text: str) -> Template:
    """Read a header value; anything in double braces must be exactly ``{{secret.NAME}}``."""
    parts = _REFERENCE.split(text)
    literals, names = tuple(parts[::2]), tuple(parts[1::2])
    if any("{{" in literal or "}}" in literal for literal in literals):
        raise MalformedReferenceError
    return Template(literals, names)
