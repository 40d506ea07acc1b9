"""The line of an item: literal text with `{field}` placeholders, and nothing else of Python's formatting."""

import re
from dataclasses import dataclass
from typing import Any, Final

from apps.knowledge.transform.paths import Path
from apps.knowledge.transform.values import has_text, on_one_line, text_of

# Doubled braces first; `{}` and a brace that never closes match nothing and stay as they are.
_TOKENS: Final = re.compile(r"(?P<open>\{\{)|(?P<close>\}\})|\{(?P<path>[^{}]*[^{}\s][^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """`parts` are literal texts and indexes into `paths`, so that a value used twice is looked up once."""

    parts: tuple[str | int, ...]
    paths: tuple[Path, ...]

    @classmethod
    def parse(cls, text: str) -> "Template":
        parts: list[str | int] = []
        names: dict[str, int] = {}
        line = on_one_line(text)
        end = 0
        for token in _TOKENS.finditer(line):
            parts.append(line[end : token.start()])
            parts.append(_meaning(token, names))
            end = token.end()
        parts.append(line[end:])
        return cls(tuple(part for part in parts if part != ""), tuple(map(Path.parse, names)))

    def has_text(self, item: Any) -> bool:
        """Whether the item gives a line: some placeholder yields text, or there are none at all."""
        return not self.paths or any(has_text(path.of(item)) for path in self.paths)

    def texts(self, item: Any) -> list[str]:
        """The pieces of the item's line, not joined yet: their common length may have to be checked first."""
        values = [text_of(path.of(item)) for path in self.paths]
        return [part if isinstance(part, str) else values[part] for part in self.parts]


def _meaning(token: re.Match[str], names: dict[str, int]) -> str | int:
    if token["open"]:
        return "{"
    if token["close"]:
        return "}"
    return names.setdefault(token["path"].strip(), len(names))
