"""The sections of a document as rows: how deep each stands, how it begins and how much it says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from apps.sections import CompiledDocument, Selection

_LONGEST_BEGINNING: Final = 90
# Deeper rows are not set in further, so that a phone still shows them.
DEEPEST_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One section; `char_count` counts all below it too, and `path` leads to it from the outermost section."""

    id: str
    path: tuple[str, ...]
    beginning: str
    char_count: int

    @property
    def level(self) -> int:
        return len(self.path)

    @property
    def indent(self) -> int:
        return min(self.level, DEEPEST_SHOWN)


def rows_of(compiled: CompiledDocument) -> Iterator[Row]:
    """All sections in the order in which they begin."""
    beginnings = _beginnings(compiled)
    for section_id in compiled.section_ids:
        whole = compiled.read(Selection("subtree", (section_id,)))
        yield Row(
            id=section_id,
            path=compiled.section_path(section_id),
            beginning=beginnings.get(section_id, ""),
            char_count=len(whole.content),
        )


def own_char_count(compiled: CompiledDocument) -> int:
    """How much the document says outside of its sections."""
    return sum(len(passage.text) for passage in compiled.passages() if not passage.section_path)


def _beginnings(compiled: CompiledDocument) -> Mapping[str, str]:
    """The first line of each section that has a text of its own."""
    found: dict[str, str] = {}
    for passage in compiled.passages():
        if passage.section_path and passage.section_path[-1] not in found:
            found[passage.section_path[-1]] = _first_line(passage.text)
    return found


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= _LONGEST_BEGINNING else f"{line[:_LONGEST_BEGINNING]}…"


def outline_of(compiled: CompiledDocument) -> str:
    """All that a document says, each text under the names of its sections, for comparing two revisions."""
    lines: list[str] = []
    before: tuple[str, ...] = ()
    for path, text in compiled.passages():
        if path != before:
            lines += ["", f"§ {' › '.join(path)}"] if path else [""]
        lines.append(text)
        before = path
    return "\n".join(lines).strip("\n")
