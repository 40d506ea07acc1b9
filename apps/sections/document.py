"""A document as a tree: its own text and its sections, in the order in which they are read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeGuard

from apps.sections import errors

MAX_DEPTH: Final = 32
MAX_ID_LENGTH: Final = 200


@dataclass(frozen=True)
class Section:
    """A part of a document with an id that stays when its text or title changes.

    Who is whose child is told by the nesting alone, never by the dots of an id.
    """

    id: str
    parts: "tuple[Part, ...]" = ()
    # Where a text opened it, for telling what is wrong.
    line: int | None = field(default=None, compare=False, repr=False)


Part: TypeAlias = str | Section


@dataclass(frozen=True)
class KnowledgeDocument:
    """One revision of a document. Whoever gives it says what its revision is called."""

    id: str
    revision: str
    parts: tuple[Part, ...] = ()
    locale: str | None = None

    def as_mapping(self) -> dict[str, Any]:
        """Return the document as the plain mapping that a catalog takes too."""
        return {"id": self.id, "revision": self.revision, "locale": self.locale, "parts": plain_parts(self.parts)}


def plain_parts(parts: tuple[Part, ...]) -> list[Any]:
    """Return parts as lists, mappings and texts; in a loop, because nobody has checked the depth yet."""
    plain: list[Any] = []
    frames: list[tuple[Iterator[Part], list[Any]]] = [(iter(parts), plain)]
    while frames:
        rest, into = frames[-1]
        part = next(rest, None)
        if part is None:
            frames.pop()
        elif isinstance(part, str):
            into.append(part)
        else:
            inner: list[Any] = []
            into.append({"id": part.id, "parts": inner})
            frames.append((iter(part.parts), inner))
    return plain


AnyDocument: TypeAlias = KnowledgeDocument | Mapping[str, Any]


def clean(text: str) -> str:
    """Return a text without the empty lines around it; one in which nobody sees anything is empty."""
    return "" if text.isspace() else text.strip("\r\n")


def check_identity(document_id: object, revision: object, locale: object) -> None:
    """Refuse what names no document, no revision, or no locale."""
    if not is_id(document_id):
        raise errors.InvalidIdError(document_id=document_id, place="id", limit=MAX_ID_LENGTH)
    if not isinstance(revision, str) or not 0 < len(revision) <= MAX_ID_LENGTH:
        raise errors.InvalidRevisionError(document_id=document_id, limit=MAX_ID_LENGTH)
    if locale is not None and not is_id(locale):
        raise errors.StructureError(document_id=document_id, place="locale", wanted="a text or nothing")


def is_id(value: object) -> TypeGuard[str]:
    """Whether a value can be an id: text that is not empty, not too long, and has no white space around it."""
    return isinstance(value, str) and 0 < len(value) <= MAX_ID_LENGTH and value == value.strip()
