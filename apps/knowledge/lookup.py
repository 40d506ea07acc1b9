"""Searching a project's knowledge: what was found, in what, and what it means when nothing was."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from django.db import connection
from django.utils import timezone

from apps.kernel.errors import AppError
from apps.knowledge import corpus, searched, warnings
from apps.knowledge.documents import corpus as documents_corpus
from apps.knowledge.documents import sought
from apps.knowledge.documents.body import chunks_of, path_of
from apps.knowledge.documents.sought import SoughtDocuments, Wanted
from apps.knowledge.models import Revision
from apps.knowledge.searched import Searched, SearchedSource
from apps.knowledge.shelf import RevisionGoneError
from apps.projects.models import Project
from apps.search import engine
from apps.search.engine import Hit, Part, SearchResult
from apps.search.explain import explain
from apps.search.segment import Segment, compile_segment
from apps.sections import CompiledDocument, Selection

MOST_HITS: Final = engine.MOST_HITS
# The kind of hits in documents.
DOCUMENT: Final = "document"
# How often a search looks again when a content was replaced between seeing it and reading it.
_ATTEMPTS: Final = 5

GUIDANCE: Final[Mapping[tuple[str, bool], str]] = {
    ("en", True): (
        "Nothing matched, and the sources searched are complete lists. "
        "You may say that the business does not offer this."
    ),
    ("en", False): (
        "Nothing matched in the notes that were searched. "
        "This does not show that the business lacks it. "
        "Answer from what you know, or hand the question over to the team."
    ),
    ("ar", True): (
        "لم يُعثر على شيء، والمصادر التي جرى البحث فيها قوائم كاملة. يمكنك أن تقول إن هذا غير متوفر لدى المنشأة."
    ),
    ("ar", False): (
        "لم يُعثر على شيء في الملاحظات التي جرى البحث فيها. "
        "وهذا لا يدل على أنه غير متوفر لدى المنشأة. "
        "أجب مما تعرفه، أو حوّل السؤال إلى الفريق."
    ),
}


@dataclass(frozen=True, slots=True)
class _FoundIn:
    """What one search goes through: sources, and after them documents."""

    sources: Searched
    documents: SoughtDocuments

    def parts(self, project_id: str) -> list[Part]:
        """Raises `RevisionGoneError`."""
        of_sources = corpus.parts(project_id, self.sources) if self.sources.sources else []
        of_documents = documents_corpus.parts(project_id, self.documents) if self.documents.documents else []
        return [*of_sources, *of_documents]

    def shown(self, hit: Hit) -> dict[str, Any]:
        place = hit.source_rank - len(self.sources.sources)
        if place < 0:
            return _shown_hit(hit, self.sources.sources[hit.source_rank])
        document = self.documents.documents[place]
        return _shown_document_hit(hit, document.handle, document.title)


def search(
    project_id: str,
    query: str,
    source_ids: Sequence[str] | None = None,
    limit: int = MOST_HITS,
    *,
    visible: Collection[str] | None = None,
    min_score: float = 0.0,
    skip_missing: bool = False,
    counted: bool = True,
    documents: Sequence[Wanted] = (),
) -> dict[str, Any]:
    """Search a project, in its scope: what is given of sources and documents, or all sources that are visible.

    Hits below `min_score` are left out; a question that takes several searches is `counted` once. Raises
    `knowledge_source_not_found` for a given source that is not in the project, `document_not_found` and
    `document_is_draft` likewise, unless such are skipped, and `key_limited_to_sources` for what is not visible.
    """
    if documents and visible is not None:
        raise AppError("key_limited_to_sources", param="document_ids[0]")
    wanted_ids = () if documents and source_ids is None else source_ids

    def read() -> _FoundIn:
        sources = searched.read(project_id, wanted_ids, visible, skip_missing=skip_missing)
        first_rank = len(sources.sources)
        return _FoundIn(
            sources, sought.read(project_id, documents, first_rank=first_rank, skip_missing=skip_missing)
        )

    found_in, result = _search(project_id, read, query, limit)
    answer = _answer(project_id, query, found_in, result, min_score=min_score)
    if documents:
        answer["searched_documents"] = found_in.documents.shown
    if counted:
        _count(project_id, query, is_miss=answer["miss"] is not None)
    return answer


def try_search(project_id: str, query: str, source_ids: Sequence[str] | None = None) -> dict[str, Any]:
    """The same search by someone who looks after the sources: not counted, and every hit is explained.

    `if_missed` says what a miss would mean in these sources, be there one or not. Raises
    `knowledge_source_not_found` as `search` does.
    """
    found_in, result = _search(project_id, lambda: _sources_alone(project_id, source_ids), query, MOST_HITS)
    answer = _answer(project_id, query, found_in, result)
    for hit, explanation in zip(answer["hits"], explain(result), strict=True):
        hit["explanation"] = explanation
    return {**answer, "if_missed": _miss(project_id, found_in, replace(result, hits=[]))}


def try_searches(project_id: str, queries: Sequence[str]) -> list[list[dict[str, Any]]]:
    """The hits of several such searches of all sources, which are read once."""
    found_in, results = _search_all(project_id, lambda: _sources_alone(project_id, None), queries, MOST_HITS)
    return [[found_in.shown(hit) for hit in result.hits] for result in results]


def _sources_alone(project_id: str, source_ids: Sequence[str] | None) -> _FoundIn:
    return _FoundIn(searched.read(project_id, source_ids, None), sought.NOTHING)


def _answer(
    project_id: str, query: str, found_in: _FoundIn, result: SearchResult, *, min_score: float = 0.0
) -> dict[str, Any]:
    hits = [hit for hit in result.hits if hit.score >= min_score]
    return {
        "object": "knowledge_search",
        "query": query,
        "words": [{"word": word.word, "folded": word.folded, "max_edits": word.max_edits} for word in result.words],
        "ignored": result.ignored,
        "hits": [found_in.shown(hit) for hit in hits],
        "searched_sources": found_in.sources.shown,
        "miss": None if hits else _miss(project_id, found_in, result),
    }


def _search(project_id: str, read: Callable[[], _FoundIn], query: str, limit: int) -> tuple[_FoundIn, SearchResult]:
    found_in, (result,) = _search_all(project_id, read, [query], limit)
    return found_in, result


def _search_all(
    project_id: str, read: Callable[[], _FoundIn], queries: Sequence[str], limit: int
) -> tuple[_FoundIn, list[SearchResult]]:
    """What was searched as it was then; a content that is gone meanwhile starts it over."""
    for _ in range(_ATTEMPTS):
        found_in = read()
        with suppress(RevisionGoneError):
            parts = found_in.parts(project_id)
            return found_in, [engine.search(parts, query, limit=limit) for query in queries]
    raise AppError("service_unavailable")


class _Named(NamedTuple):
    """What a hit shows of its source."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Content:
    """A content to search, current or not: whose it is, the name it goes by, and its compiled form."""

    id: str
    name: str
    kind: str
    segment: Segment


def content_of_source(name: str, revision: Revision) -> Content:
    """A content of a source; raises what its kind refuses, when the config of today cannot read it."""
    return Content(revision.source_id, name, revision.source.kind, corpus.compile_again(revision))


def content_of_document(name: str, document_id: str, document: CompiledDocument, selection: Selection) -> Content:
    """What a selection of a document holds."""
    segment = Segment(compile_segment(chunks_of(document.passages(selection))))
    return Content(document_id, name, DOCUMENT, segment)


def search_contents(
    query: str, contents: Sequence[Content], *, limit: int = MOST_HITS, min_score: float = 0.0
) -> list[dict[str, Any]]:
    """The hits of a query in contents; nothing is counted."""
    parts = [Part(content.segment, [rank]) for rank, content in enumerate(contents)]
    result = engine.search(parts, query, limit=limit)
    return [_shown_in(contents[hit.source_rank], hit) for hit in result.hits if hit.score >= min_score]


def _shown_in(content: Content, hit: Hit) -> dict[str, Any]:
    if content.kind == DOCUMENT:
        return _shown_document_hit(hit, content.id, content.name)
    return _shown_hit(hit, _Named(content.id, content.name, content.kind))


def parent_of(hit: Mapping[str, Any]) -> tuple[str, str]:
    """What a hit is of: the field that names it, and its id there."""
    return ("document_id", hit["document_id"]) if hit["source_id"] is None else ("source_id", hit["source_id"])


# --- what a miss means --------------------------------------------------------------------------------------


def _miss(project_id: str, found_in: _FoundIn, result: SearchResult) -> dict[str, Any]:
    reasons = _reasons(found_in, result)
    locale = Project.objects.values_list("locale", flat=True).get(id=project_id)
    evidence = not reasons
    return {"evidence": evidence, "reasons": reasons, "guidance": GUIDANCE[locale, evidence]}


def _reasons(found_in: _FoundIn, result: SearchResult) -> list[dict[str, Any]]:
    """Everything that keeps a miss from showing that there is no such thing."""
    sources, documents = found_in.sources.sources, found_in.documents.documents
    general = {
        "no_sources": not sources and not documents,
        # They are prose: what they do not mention may well be there.
        "documents_searched": bool(documents),
        "no_words": result.no_words,
        "only_stop_words": result.only_stop_words,
        # What was found and left out is no sign that there is nothing.
        "below_min_score": bool(result.hits),
    }
    reasons: list[dict[str, Any]] = [{"code": code, "source_id": None} for code, holds in general.items() if holds]
    for source in sources:
        reasons += [{"code": code, "source_id": source.id} for code in _doubts(source)]
    return reasons


def _doubts(source: SearchedSource) -> list[str]:
    doubts = {
        "source_incomplete": not source.complete,
        "never_synced": source.is_never_synced,
        "sync_failing": source.is_failing,
        "items_capped": source.is_capped,
        "source_warning": not warnings.SPOIL_EVIDENCE.isdisjoint(source.warnings),
    }
    return [code for code, holds in doubts.items() if holds]


# --- how it is shown ----------------------------------------------------------------------------------------


def _shown_hit(hit: Hit, source: SearchedSource | _Named) -> dict[str, Any]:
    return {
        "source_id": source.id,
        "source_name": source.name,
        "kind": source.kind,
        "position": hit.position,
        "text": hit.text,
        "group": hit.group,
        "fields": hit.fields,
        "matched_words": hit.matched_words,
        "total_words": hit.total_words,
        "full_match": hit.full_match,
        "edits": hit.edits,
        "score": hit.score,
        "highlights": hit.highlights,
    }


def _shown_document_hit(hit: Hit, document_id: str, title: str) -> dict[str, Any]:
    path = path_of(hit.group)
    return {
        **_shown_hit(hit, _Named("", title, DOCUMENT)),
        "source_id": None,
        "document_id": document_id,
        "section_id": path[-1] if path else None,
        "section_path": path,
        "group": None,
    }


# --- daily counts -------------------------------------------------------------------------------------------

# The last statement of its transaction, so the row of a popular query is locked for a moment only. A count that is
# lost in a crash is no loss, so the answer does not wait for the disk.
_COUNT: Final = """
INSERT INTO knowledge_querycount (project_id, day, query, queries, misses)
SELECT %s, %s, %s, 1, %s FROM (SELECT set_config('synchronous_commit', 'off', true)) AS relaxed
ON CONFLICT (project_id, day, query) DO UPDATE
SET queries = knowledge_querycount.queries + 1, misses = knowledge_querycount.misses + excluded.misses
"""


def _count(project_id: str, query: str, *, is_miss: bool) -> None:
    """Count a query by its folded words and the day, and keep nothing else of it."""
    folded = engine.fold_query(query)
    if not folded:
        return
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [project_id, timezone.now().date(), folded, int(is_miss)])
