"""Writes down what a run was told, and on which contents of which sources that rested."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from apps.agents import context, errors, queries, search
from apps.agents.context import Prompt
from apps.agents.editions import Attached, AttachedDocument, Edition
from apps.agents.models import DocumentUse, RevisionUse, Run, Step, StepKind, new_run_id
from apps.agents.queries import REVISION_KEEPING_TIME, USE_PRECISION
from apps.agents.search import Content
from apps.kernel.errors import AppError
from apps.kernel.times import to_iso
from apps.projects.scoping import across_projects

RUN_KEEPING_TIME: Final = timedelta(days=90)
MAX_STEPS: Final = 200
_FORGET_AT_ONCE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Started:
    """A new run, its first step, and the prompt that this step records."""

    run: Run
    step: Step
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Looked:
    """The answer to a search of a run, the text of it for the model, and the step that records it."""

    result: dict[str, Any]
    content: Content
    step: Step


@transaction.atomic
def start_run(edition: Edition, *, client_instructions: str = "", run_id: str | None = None) -> Started:
    """A run of an edition that was read with its content; `run_id` is for whoever has an id for it already."""
    prompt = context.assemble(edition, client_instructions=client_instructions)
    run = Run.objects.add(
        id=run_id or new_run_id(),
        project_id=edition.project_id,
        agent_id=edition.agent_id,
        version=edition.version,
    )
    step = _record(
        run,
        StepKind.PROMPT,
        sources=[named_attached(one) for one in prompt.sources],
        detail={
            "locale": edition.locale,
            # Those of a version stay as they are; a draft's may change any moment.
            "instructions": edition.instructions if edition.version is None else None,
            "client_instructions": client_instructions,
            "text_sha256": hash_of(prompt.text),
            "token_estimate": prompt.token_estimate,
        },
    )
    return Started(run, step, prompt)


@transaction.atomic
def search_in_run(run: Run, edition: Edition, query: str, *, counted: bool = True) -> Looked:
    """Search for a run, locked by the caller, and write the step down; not `counted` where nobody really asked.

    Raises `knowledge_disabled` and `too_many_steps`.
    """
    if not edition.knowledge_enabled:
        raise AppError(errors.KNOWLEDGE_DISABLED)
    if queries.steps_of(run).count() >= MAX_STEPS:
        raise AppError(errors.TOO_MANY_STEPS, params={"limit": MAX_STEPS})
    result = search.search(edition, query, counted=counted)
    content = search.content_for_model(result, locale=edition.locale, max_tokens=edition.max_result_tokens)
    return Looked(result, content, record_search(run, edition, result, content))


def record_search(run: Run, edition: Edition, result: Mapping[str, Any], content: Content | None) -> Step:
    """The step of a search that `search.search` made; no content when others put what was found into words."""
    return _record(
        run,
        StepKind.SEARCH,
        sources=[
            *map(_of_searched, result["searched_sources"]),
            *map(_of_searched_document, result.get("searched_documents", ())),
        ],
        detail={
            "query": result["query"],
            "locale": edition.locale,
            "min_score": edition.min_score,
            "max_result_tokens": edition.max_result_tokens,
            "hits": [named_hit(hit) for hit in result["hits"]],
            "miss": result["miss"],
            "content": None if content is None else content.text,
            "truncated": content is not None and content.truncated,
        },
    )


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def named_hit(hit: Mapping[str, Any]) -> dict[str, Any]:
    """A hit by its place; its text is in the revision that the step names."""
    names = ["source_id", "position", "score", "full_match"]
    return {name: hit[name] for name in (names if hit["source_id"] is not None else [*names, *_NAMES_A_SECTION])}


_NAMES_A_SECTION: Final = ("document_id", "section_id")


def named_attached(attached: Attached) -> dict[str, Any]:
    """A source or a document as it was when it was used; of a document also what was attached of it."""
    named: dict[str, Any] = {
        "source_id": None if isinstance(attached, AttachedDocument) else attached.source_id,
        "source_name": attached.name,
        "updated_at": to_iso(attached.updated_at),
        "revision": attached.revision,
    }
    if isinstance(attached, AttachedDocument):
        named |= {"document_id": attached.document_id, "selection": attached.selection.as_mapping()}
    return named


def _of_searched(source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "source_id": source["id"],
        "source_name": source["name"],
        "updated_at": source["updated_at"],
        "revision": source["revision"],
    }


def _of_searched_document(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "source_id": None,
        "source_name": document["title"],
        "updated_at": document["updated_at"],
        "revision": document["revision"],
        "document_id": document["id"],
        "selection": document["selection"],
    }


def _record(run: Run, kind: StepKind, *, sources: Sequence[dict[str, Any]], detail: dict[str, Any]) -> Step:
    _wait_for_the_disk()
    _note_uses(run.project_id, sources)
    return Step.objects.add(project_id=run.project_id, run=run, kind=kind, sources=list(sources), detail=detail)


def _wait_for_the_disk() -> None:
    """A step is proof, so its transaction ends on the disk, although counting a search's query did without."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit TO DEFAULT")


# Runs of one agent name the same contents again and again. One that was named lately is left alone, unlocked.
_NOTE_USES: Final = """
INSERT INTO {table} (project_id, {name}, revision, named_at)
SELECT %s, named.id, named.revision, %s FROM unnest(%s::text[], %s::text[]) AS named (id, revision)
WHERE NOT EXISTS (
    SELECT FROM {table} AS use
    WHERE use.project_id = %s AND use.{name} = named.id AND use.revision = named.revision AND use.named_at > %s
)
ORDER BY named.id, named.revision
ON CONFLICT (project_id, {name}, revision) DO UPDATE SET named_at = excluded.named_at
"""
# By what names the thing in a step.
_NOTES: Final[Mapping[str, str]] = {
    "source_id": _NOTE_USES.format(table="agents_revisionuse", name="source_id"),
    "document_id": _NOTE_USES.format(table="agents_documentuse", name="document_id"),
}


def _note_uses(project_id: str, sources: Iterable[Mapping[str, Any]]) -> None:
    """Keep the contents that a step names readable."""
    named: dict[str, set[tuple[str, str]]] = {"source_id": set(), "document_id": set()}
    for source in sources:
        name = "document_id" if source["source_id"] is None else "source_id"
        if source["revision"] is not None:
            named[name].add((source[name], source["revision"]))
    for name, uses in named.items():
        _note(_NOTES[name], project_id, uses)


def _note(statement: str, project_id: str, uses: Collection[tuple[str, str]]) -> None:
    if not uses:
        return
    now = timezone.now()
    ids, revisions = zip(*uses, strict=True)
    parameters: list[Any] = [project_id, now, list(ids), list(revisions), project_id, now - USE_PRECISION]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


# --- keeping times ------------------------------------------------------------------------------------------


def forget_old_records() -> int:
    """Remove runs and notes of uses past their keeping times, of all projects; returns how many."""
    now = timezone.now()
    oldest_use = now - REVISION_KEEPING_TIME - USE_PRECISION
    removed = 0
    while deleted := _forget_runs(now - RUN_KEEPING_TIME):
        removed += deleted
    with across_projects():
        for uses in (RevisionUse, DocumentUse):
            deleted, _ = uses.objects.all_projects().filter(named_at__lt=oldest_use).delete()
            removed += deleted
    return removed


def _forget_runs(oldest: object) -> int:
    """A bounded number at a time, so that no transaction grows with the table; steps go with their runs."""
    with across_projects():
        runs = Run.objects.all_projects()
        old = runs.filter(created_at__lt=oldest).order_by("created_at").values("id")[:_FORGET_AT_ONCE]
        deleted, _ = runs.filter(id__in=old).delete()
    return deleted
