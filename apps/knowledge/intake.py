"""Takes in a content: one pass that makes everything kept of it, from its hash to its compiled search segment.

What a person sees before saving, `look_at`, is the first part of that pass.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from apps.kernel.errors import AppError
from apps.knowledge import errors, tokens, warnings
from apps.knowledge.kinds import Config, Kind, takes_plain_lines
from apps.knowledge.models import Revision
from apps.knowledge.transform import TransformError, TransformResult
from apps.search.chunks import Chunk
from apps.search.compiler import compile_segment
from apps.search.runs import TooMuchTextError
from apps.search.tokens import Limits

# No list and no prose of five mebibytes has as many words, or such long ones. They bound what one answer takes of
# a worker's memory.
FEED_LIMITS: Final = Limits(words=1_500_000, stretch=1 << 16)

# What of a feed's text is no item: whether the first line is a header, and the numbers of the heading lines.
Layout = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Look:
    """What a content would be once it is saved, but for what a search needs of it."""

    chunks: Iterable[Chunk] = field(repr=False)
    chunk_count: int
    char_count: int
    token_estimate: int
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Intake:
    """A content and what was made of it."""

    content: str
    sha256: str
    char_count: int
    chunk_count: int
    token_estimate: int
    warnings: list[str]
    segment: bytes
    layout: Layout | None = None


def look_at(content: str, *, kind: Kind, config: Config | None) -> Look:
    """Raises the refusals of `cut`."""
    chunks = cut(content, kind=kind, config=config)
    return _look(content, chunks, len(chunks), plain_lines=takes_plain_lines(config))


def take(content: str, *, kind: Kind, config: Config | None) -> Intake:
    """Raises the refusals of `cut`."""
    return _taken(content, look_at(content, kind=kind, config=config))


def take_feed(result: TransformResult) -> Intake:
    """The text that a feed's answer became; raises `TransformError` past the limits."""
    layout = {"header": result.has_header, "headings": sorted(result.heading_lines)}
    look = _look(result.text, result.chunks(), result.lines)
    try:
        return _taken(result.text, look, layout=layout, limits=FEED_LIMITS)
    except TooMuchTextError:
        raise TransformError("too_large") from None


def take_again(revision: Revision, *, kind: Kind, config: Config | None) -> Intake:
    """An earlier content once more; raises the refusals of `cut`."""
    if revision.layout is None:
        return take(revision.content, kind=kind, config=config)
    chunks = cut_again(revision, kind=kind, config=config)
    look = _look(revision.content, chunks, revision.chunk_count)
    return _taken(revision.content, look, layout=revision.layout)


def cut_again(revision: Revision, *, kind: Kind, config: Config | None) -> Iterable[Chunk]:
    """The chunks of a stored content: a feed's as its own layout says, which a later config does not change."""
    if revision.layout is None:
        return cut(revision.content, kind=kind, config=config)
    stored = TransformResult(
        text=revision.content,
        items=revision.chunk_count,
        lines=revision.chunk_count,
        has_header=revision.layout["header"],
        heading_lines=frozenset(revision.layout["headings"]),
    )
    return stored.chunks()


def cut(content: str, *, kind: Kind, config: Config | None) -> list[Chunk]:
    """The chunks of a content; raises `empty_content` when there are none, and what the kind refuses."""
    chunks = kind.cut(content, config)
    if not chunks:
        raise AppError(errors.EMPTY_CONTENT, param="content")
    return chunks


def _look(content: str, chunks: Iterable[Chunk], chunk_count: int, *, plain_lines: bool = False) -> Look:
    return Look(
        chunks=chunks,
        chunk_count=chunk_count,
        char_count=len(content),
        token_estimate=tokens.estimate(content),
        warnings=warnings.of_text(content, plain_lines=plain_lines),
    )


def _taken(content: str, look: Look, *, layout: Layout | None = None, limits: Limits | None = None) -> Intake:
    return Intake(
        content=content,
        sha256=hash_of(content),
        char_count=look.char_count,
        chunk_count=look.chunk_count,
        token_estimate=look.token_estimate,
        warnings=look.warnings,
        segment=compile_segment(look.chunks, limits),
        layout=layout,
    )


def hash_of(content: str) -> str:
    """The revision of a content: SHA-256 of its UTF-8 bytes, in hex."""
    return hashlib.sha256(content.encode()).hexdigest()
