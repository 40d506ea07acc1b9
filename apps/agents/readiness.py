"""Judges whether an agent can answer from its knowledge, and what keeps it from doing so well."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from apps.agents import advice
from apps.agents.advice import ADVISED_ALWAYS_TOKENS
from apps.agents.context import MAX_CLIENT_UNITS
from apps.agents.editions import Attached, AttachedDocument, AttachedSource, Edition, FeedState

Severity = Literal["error", "warning"]

# Past so many intervals without a good fetch, a feed's copy counts as old.
STALE_INTERVALS: Final = 3

SEVERITIES: Final[Mapping[str, Severity]] = {
    "knowledge_never_synced": "error",
    "source_missing": "error",
    "knowledge_empty": "error",
    "document_missing": "error",
    "document_is_draft": "error",
    "section_missing": "error",
    "prompt_too_large": "error",
    "knowledge_sync_failing": "warning",
    "knowledge_stale": "warning",
    "always_knowledge_large": "warning",
    "no_knowledge": "warning",
}


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that keeps an agent from answering, or from answering well; of one attachment, or of the whole."""

    code: str
    source_id: str | None = None
    # What its sentence names.
    values: Mapping[str, Any] = field(default_factory=dict, compare=False)
    document_id: str | None = None

    @property
    def severity(self) -> Severity:
        return SEVERITIES[self.code]


def is_ready(issues: Sequence[Issue]) -> bool:
    return all(issue.severity != "error" for issue in issues)


def judge(edition: Edition, *, client_units: int, now: datetime) -> list[Issue]:
    """The issues of an edition; `client_units` is the length of its prompt as agent clients count it."""
    return [*_of_size(client_units), *_of_knowledge(edition, now)]


def _of_size(client_units: int) -> Iterator[Issue]:
    if client_units > MAX_CLIENT_UNITS:
        yield Issue("prompt_too_large", None, {"units": f"{client_units:,}", "limit": f"{MAX_CLIENT_UNITS:,}"})


def _of_knowledge(edition: Edition, now: datetime) -> Iterator[Issue]:
    if not edition.knowledge_enabled or not (edition.sources or edition.missing or edition.missing_documents):
        yield Issue("no_knowledge")
        return
    yield from missing(edition.missing, edition.missing_documents)
    for attached in edition.sources:
        if isinstance(attached, AttachedDocument):
            yield from of_document(attached)
        else:
            yield from _of_source(attached, now)
    yield from large(edition.always)


def missing(source_ids: Iterable[str], document_ids: Iterable[str]) -> Iterator[Issue]:
    """The issues of what was deleted."""
    for source_id in source_ids:
        yield Issue("source_missing", source_id, {"source_id": source_id})
    for document_id in document_ids:
        yield Issue("document_missing", None, {"document_id": document_id}, document_id)


def of_document(document: AttachedDocument) -> Iterator[Issue]:
    """What keeps agents from getting all that is attached of a document."""
    values = {"name": document.name, "sections": ", ".join(document.missing_section_ids)}
    holds = {
        "document_is_draft": document.is_draft,
        "section_missing": bool(document.missing_section_ids),
        "knowledge_empty": document.is_visible and not document.char_count,
    }
    for code, does in holds.items():
        if does:
            yield Issue(code, None, values, document.document_id)


def large(always: Sequence[Attached]) -> list[Issue]:
    """The advice on a prompt that is too long for comfort; none when it is not."""
    chosen = advice.worth_searching(always)
    if not chosen:
        return []
    values = {
        "tokens": f"{advice.tokens_of(always):,}",
        "advised": f"{ADVISED_ALWAYS_TOKENS:,}",
        "names": ", ".join(source.name for source in chosen),
        "source_ids": [one.source_id for one in chosen if isinstance(one, AttachedSource)],
        "document_ids": [one.document_id for one in chosen if isinstance(one, AttachedDocument)],
    }
    return [Issue("always_knowledge_large", None, values)]


def _of_source(source: AttachedSource, now: datetime) -> Iterator[Issue]:
    holds = {
        "knowledge_never_synced": source.revision is None,
        "knowledge_empty": source.revision is not None and not source.chunk_count,
        "knowledge_sync_failing": source.feed is not None and source.feed.is_failing,
        "knowledge_stale": source.feed is not None and _is_stale(source.feed, now),
    }
    for code, does in holds.items():
        if does:
            yield Issue(code, source.source_id, {"name": source.name})


def _is_stale(feed: FeedState, now: datetime) -> bool:
    return feed.last_success_at is not None and now - feed.last_success_at > STALE_INTERVALS * feed.interval
