"""Puts the best chunks of what was found into a turn, one item a parent, and marks where the room ended."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from apps.knowledge.lookup import parent_of

# Items and references together, as JSON.
MOST_BYTES: Final = 48 * 1024

CUT: Final[Mapping[str, str]] = {
    "en": "[Cut here: more was found than there is room for.]",
    "ar": "[قُطع هنا: وُجد أكثر مما يتسع له المكان.]",
}

Hit = Mapping[str, Any]
Shown = dict[str, Any]


def inlined(hits: Sequence[Hit], *, locale: str, max_bytes: int = MOST_BYTES) -> tuple[list[Shown], list[Shown]]:
    """The items, and the references that go with them, of as many of the first hits as there is room for."""
    for count in range(len(hits), 0, -1):
        mark = None if count == len(hits) else CUT[locale]
        items, references = _shown(hits[:count], mark)
        if len(msgspec.json.encode([items, references])) <= max_bytes:
            return items, references
    return [], []


def _shown(hits: Sequence[Hit], mark: str | None) -> tuple[list[Shown], list[Shown]]:
    by_parent: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        by_parent.setdefault(parent_of(hit), []).append(hit)
    texts = [[hit["text"] for hit in found] for found in by_parent.values()]
    if mark is not None:
        texts[-1].append(mark)
    names = [f"knowledge:{number}" for number in range(1, len(texts) + 1)]
    titles = [found[0]["source_name"] for found in by_parent.values()]
    items = [
        {"ref": name, "title": title, "content": "\n".join(lines)}
        for name, title, lines in zip(names, titles, texts, strict=True)
    ]
    references = [
        {"ref": name, "doc_id": parent_id, "title": title, "score": found[0]["score"]}
        for name, title, ((_, parent_id), found) in zip(names, titles, by_parent.items(), strict=True)
    ]
    return items, references
