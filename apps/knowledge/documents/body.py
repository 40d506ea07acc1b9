"""What a document says, taken from a request or a file: checked as a whole, with everything that is kept of it."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from apps.kernel.errors import AppError
from apps.knowledge import tokens
from apps.knowledge.documents import errors
from apps.knowledge.documents.refusals import as_refusal
from apps.knowledge.kinds import MAX_TEXT_LENGTH
from apps.search.chunks import Chunk, paragraphs
from apps.search.compiler import compile_segment
from apps.sections import CompiledDocument, DocumentError, Passage, compile_document, parse_knowledge_document

MAX_SECTIONS: Final = 5_000

# The checks of a text are the same whatever it is called, and what it is called is not known everywhere.
_NAMELESS: Final[Mapping[str, str]] = {"id": "-", "revision": "-"}


@dataclass(frozen=True)
class Body:
    """The tree of a document as plain data, its locale, and the compiled form."""

    parts: list[Any]
    locale: str | None
    compiled: CompiledDocument

    @cached_property
    def sha256(self) -> str:
        """What tells one body from another under the same revision."""
        said = {"locale": self.locale, "parts": self.parts}
        return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    @cached_property
    def chunks(self) -> list[Chunk]:
        return list(chunks_of(self.compiled.passages()))

    @cached_property
    def segment(self) -> bytes:
        return compile_segment(self.chunks)

    @property
    def token_estimate(self) -> int:
        return tokens.estimate(self.compiled.read({"mode": "document"}).content)


def of_text(text: str, locale: str | None) -> Body:
    """The body that a text with anchors is; raises `AppError` with the param ``text``."""
    if len(text) > MAX_TEXT_LENGTH:
        raise AppError("too_long", param="text", params={"limit": MAX_TEXT_LENGTH})
    try:
        parsed = parse_knowledge_document(**_NAMELESS, text=text)
        return _checked(parsed.as_mapping()["parts"], locale, compile_document(parsed), "text")
    except DocumentError as error:
        raise as_refusal(error) from error


def of_parts(parts: Any, locale: str | None) -> Body:
    """The body that a structure is; raises `AppError` with the path of what is wrong as param."""
    try:
        compiled = compile_document({**_NAMELESS, "parts": parts})
    except DocumentError as error:
        raise as_refusal(error) from error
    # A compiled document is no larger than its parts, but for what joins them; blank parts count as well.
    if sum(map(len, _texts(parts))) > MAX_TEXT_LENGTH:
        raise AppError("too_long", param="parts", params={"limit": MAX_TEXT_LENGTH})
    return _checked(parts, locale, compiled, "parts")


def _checked(parts: list[Any], locale: str | None, compiled: CompiledDocument, param: str) -> Body:
    if len(compiled.section_ids) > MAX_SECTIONS:
        raise AppError(errors.TOO_MANY_SECTIONS, param=param, params={"limit": MAX_SECTIONS})
    return Body(parts, locale, compiled)


def _texts(parts: list[Any]) -> Iterator[str]:
    """All texts of a checked tree, whose depth is bounded."""
    for part in parts:
        if isinstance(part, str):
            yield part
        else:
            yield from _texts(part["parts"])


# --- what a search finds ------------------------------------------------------------------------------------


def chunks_of(passages: Iterable[Passage]) -> Iterator[Chunk]:
    """The paragraphs of passages; the group of each says in which section it stands, see `path_of`."""
    for passage in passages:
        group = json.dumps(passage.section_path, ensure_ascii=False) if passage.section_path else None
        for paragraph in paragraphs(passage.text):
            yield Chunk(paragraph.text, group)


def path_of(group: str | None) -> list[str]:
    """The ids from the outermost section to the one in which a chunk stands; empty outside of sections."""
    path: list[str] = [] if group is None else json.loads(group)
    return path
