"""From the tree of a document back to a text with anchors, for whoever edits it as a text."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from apps.sections import DocumentError, parse_knowledge_document

_BETWEEN: Final = "\n\n"


class _Section(NamedTuple):
    id: str
    parts: list[Any]


def text_of(parts: Sequence[Any]) -> str | None:
    """The text that says the same as a checked tree; None when no text does.

    A program may give sections ids that no anchor can have, and texts that would be read as anchors.
    """
    tree = _as_read(parts)
    text = "\n".join(_lines(tree))
    try:
        parsed = parse_knowledge_document(id="-", revision="-", text=text)
    except DocumentError:
        return None
    return text if _as_read(parsed.as_mapping()["parts"]) == tree else None


def _as_read(parts: Sequence[Any]) -> list[Any]:
    """The tree without what makes no difference: neighbouring texts are one, and line ends of one kind."""
    read: list[Any] = []
    for part in parts:
        if not isinstance(part, str):
            read.append(_Section(part["id"], _as_read(part["parts"])))
        elif text := _clean(part):
            read.append(f"{read.pop()}{_BETWEEN}{text}" if read and isinstance(read[-1], str) else text)
    return read


def _clean(text: str) -> str:
    return "" if text.isspace() else text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def _lines(tree: Sequence[Any]) -> Iterator[str]:
    for part in tree:
        if isinstance(part, str):
            yield part
        else:
            yield f"<!-- agent-section:{part.id} -->"
            yield from _lines(part.parts)
            yield f"<!-- /agent-section:{part.id} -->"
