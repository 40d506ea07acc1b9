"""How sources, chunks and revisions look to callers."""

from typing import Any

from apps.kernel.times import to_iso
from apps.knowledge import warnings
from apps.knowledge.models import Revision, Source
from apps.rest.pagination import Page
from apps.search.chunks import Chunk
from apps.search.stop_words import stop_words as search_stop_words


def listed_source(shown: Source, *, language: str) -> dict[str, Any]:
    """A source as lists and events show it, without its content."""
    revision = shown.revision
    return {
        "id": shown.id,
        "object": "knowledge_source",
        "name": shown.name,
        "kind": shown.kind,
        "complete": shown.complete,
        "config": shown.config,
        "revision": None if revision is None else revision.sha256,
        "char_count": 0 if revision is None else revision.char_count,
        "chunk_count": 0 if revision is None else revision.chunk_count,
        "token_estimate": 0 if revision is None else revision.token_estimate,
        "sync": None,
        "warnings": warnings.shown(shown.warnings, language),
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }


def source(shown: Source, *, language: str) -> dict[str, Any]:
    """A source as a single object."""
    revision = shown.revision
    content = None if revision is None else revision.content
    return {**listed_source(shown, language=language), "content": content}


def chunk(shown: tuple[int, Chunk]) -> dict[str, Any]:
    """A chunk with its position, which counts from 1."""
    position, piece = shown
    return {"position": position, "text": piece.text, "group": piece.group, "fields": piece.fields}


def listed_revision(shown: Revision) -> dict[str, Any]:
    return {
        "object": "knowledge_revision",
        "revision": shown.sha256,
        "source_id": shown.source_id,
        "char_count": shown.char_count,
        "origin": shown.origin,
        "created_at": to_iso(shown.created_at),
    }


def revision(shown: Revision) -> dict[str, Any]:
    return {**listed_revision(shown), "content": shown.content}


def stop_words() -> dict[str, Any]:
    """The list in use, whole, in the form of a list's only page."""
    return Page([entry.word for entry in search_stop_words()], None).body()
