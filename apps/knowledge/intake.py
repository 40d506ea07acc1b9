"""Takes in a content: one pass that makes everything kept of it, from its hash to its compiled search segment."""

import hashlib
from dataclasses import dataclass

from apps.kernel.errors import AppError
from apps.knowledge import errors, tokens, warnings
from apps.knowledge.kinds import Config, Kind, takes_plain_lines
from apps.search.chunks import Chunk
from apps.search.segment import compile_segment


@dataclass(frozen=True, slots=True)
class Intake:
    """A content and what was made of it."""

    content: str
    sha256: str
    chunk_count: int
    token_estimate: int
    warnings: list[str]
    segment: bytes

    @property
    def char_count(self) -> int:
        return len(self.content)


def take(content: str, *, kind: Kind, config: Config | None) -> Intake:
    """Raises the refusals of `cut`."""
    chunks = cut(content, kind=kind, config=config)
    return Intake(
        content=content,
        sha256=hash_of(content),
        chunk_count=len(chunks),
        token_estimate=tokens.estimate(content),
        warnings=warnings.of_text(content, plain_lines=takes_plain_lines(config)),
        segment=compile_segment(chunks),
    )


def cut(content: str, *, kind: Kind, config: Config | None) -> list[Chunk]:
    """The chunks of a content; raises `empty_content` when there are none, and what the kind refuses."""
    chunks = kind.cut(content, config)
    if not chunks:
        raise AppError(errors.EMPTY_CONTENT, param="content")
    return chunks


def hash_of(content: str) -> str:
    """The revision of a content: SHA-256 of its UTF-8 bytes, in hex."""
    return hashlib.sha256(content.encode()).hexdigest()
