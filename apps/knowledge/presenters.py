"""How sources, chunks and revisions look to callers."""

from typing import Any

from apps.kernel.times import to_iso
from apps.knowledge import warnings
from apps.knowledge.models import Feed, Revision, Source, SyncRun
from apps.knowledge.sync.faults import Fault
from apps.knowledge.transform import TransformResult
from apps.projects.models import Locale, Project
from apps.rest.pagination import Page
from apps.search.chunks import Chunk
from apps.search.stop_words import stop_words as search_stop_words


def listed_source(shown: Source, *, language: str) -> dict[str, Any]:
    """A source as lists show it, without its content."""
    revision, feed = shown.revision, feed_of(shown)
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
        "sync": None if feed is None else sync(feed, language=language),
        "warnings": warnings.shown(_doubts(shown), language),
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }


def source(shown: Source, *, language: str) -> dict[str, Any]:
    """A source as a single object."""
    revision = shown.revision
    content = None if revision is None else revision.content
    return {**listed_source(shown, language=language), "content": content}


def tagged_source(shown: Source) -> dict[str, Any]:
    """What a source's ETag stands for: codes instead of sentences, the revision instead of the content."""
    return {**listed_source(shown, language=Locale.ENGLISH), "warnings": _doubts(shown)}


def _doubts(shown: Source) -> list[str]:
    """The codes of the warnings that stand for the present copy."""
    feed = feed_of(shown)
    return shown.warnings if feed is None else [*shown.warnings, *feed.warnings]


def told_source(shown: Source, *, language: str) -> dict[str, Any]:
    """A source as events show it, which leave the service: without content and config."""
    told = listed_source(shown, language=language)
    del told["config"]
    return told


def language_of_project(project_id: str) -> str:
    """What events are written in: nobody asks for them in a language of theirs."""
    return Project.objects.values_list("locale", flat=True).get(id=project_id)


def feed_of(shown: Source) -> Feed | None:
    return shown.feed if shown.kind == "api" else None


def sync(shown: Feed, *, language: str) -> dict[str, Any]:
    """How a source stands with its feed."""
    error = None
    if shown.error_code is not None:
        error = {**fault(shown.error_code, shown.error_detail, language=language), "at": to_iso(shown.error_at)}
    return {
        "status": shown.status,
        "last_attempt_at": to_iso(shown.last_attempt_at),
        "last_success_at": to_iso(shown.last_success_at),
        "next_sync_at": to_iso(shown.next_sync_at),
        "consecutive_failures": shown.consecutive_failures,
        "error": error,
    }


def sync_run(shown: SyncRun, *, language: str) -> dict[str, Any]:
    error = None
    if shown.error_code is not None:
        error = fault(shown.error_code, shown.error_detail, language=language)
    return {
        "id": shown.id,
        "object": "sync_run",
        "source_id": shown.source_id,
        "trigger": shown.trigger,
        "status": shown.status,
        "created_at": to_iso(shown.created_at),
        "started_at": to_iso(shown.started_at),
        "finished_at": to_iso(shown.finished_at),
        "http_status": shown.http_status,
        "bytes": shown.bytes,
        "items": shown.items,
        "lines": shown.lines,
        "duration_ms": shown.duration_ms,
        "revision": shown.revision,
        "error": error,
    }


def fault(code: str, detail: dict[str, Any], *, language: str) -> dict[str, Any]:
    return {"code": code, "message": Fault(code, detail).message(language)}


def preview(result: TransformResult) -> dict[str, Any]:
    return {"lines": result.all_lines(), "items": result.items, "skipped": result.skipped}


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
