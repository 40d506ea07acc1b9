"""Writes down what a run was told, and on which contents of which sources that rested."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from apps.agents import context, errors, queries, search
from apps.agents.context import Prompt
from apps.agents.editions import AttachedSource, Edition
from apps.agents.models import RevisionUse, Run, Step, StepKind, new_run_id
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
        sources=[_of_attached(source) for source in prompt.sources],
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
def search_in_run(run: Run, edition: Edition, query: str) -> Looked:
    """Search for a run, locked by the caller, and write the step down.

    Raises `knowledge_disabled` and `too_many_steps`.
    """
    if not edition.knowledge_enabled:
        raise AppError(errors.KNOWLEDGE_DISABLED)
    if queries.steps_of(run).count() >= MAX_STEPS:
        raise AppError(errors.TOO_MANY_STEPS, params={"limit": MAX_STEPS})
    result = search.search(edition, query)
    content = search.content_for_model(result, locale=edition.locale, max_tokens=edition.max_result_tokens)
    return Looked(result, content, record_search(run, edition, result, content))


def record_search(run: Run, edition: Edition, result: Mapping[str, Any], content: Content | None) -> Step:
    """The step of a search that `search.search` made; no content when others put what was found into words."""
    return _record(
        run,
        StepKind.SEARCH,
        sources=[_of_searched(source) for source in result["searched_sources"]],
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
    return {name: hit[name] for name in ("source_id", "position", "score", "full_match")}


def _of_attached(source: AttachedSource) -> dict[str, Any]:
    return {
        "source_id": source.source_id,
        "source_name": source.name,
        "updated_at": to_iso(source.updated_at),
        "revision": source.revision,
    }


def _of_searched(source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "source_id": source["id"],
        "source_name": source["name"],
        "updated_at": source["updated_at"],
        "revision": source["revision"],
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
INSERT INTO agents_revisionuse (project_id, source_id, revision, named_at)
SELECT %s, named.source_id, named.revision, %s FROM unnest(%s::text[], %s::text[]) AS named (source_id, revision)
WHERE NOT EXISTS (
    SELECT FROM agents_revisionuse AS use
    WHERE use.project_id = %s AND use.source_id = named.source_id AND use.revision = named.revision
      AND use.named_at > %s
)
ORDER BY named.source_id, named.revision
ON CONFLICT (project_id, source_id, revision) DO UPDATE SET named_at = excluded.named_at
"""


def _note_uses(project_id: str, sources: Iterable[Mapping[str, Any]]) -> None:
    """Keep the contents that a step names readable."""
    named = [(source["source_id"], source["revision"]) for source in sources if source["revision"] is not None]
    if not named:
        return
    now = timezone.now()
    source_ids, revisions = zip(*named, strict=True)
    parameters: list[Any] = [project_id, now, list(source_ids), list(revisions), project_id, now - USE_PRECISION]
    with connection.cursor() as cursor:
        cursor.execute(_NOTE_USES, parameters)


# --- keeping times ------------------------------------------------------------------------------------------


def forget_old_records() -> int:
    """Remove runs and notes of uses past their keeping times, of all projects; returns how many."""
    now = timezone.now()
    oldest_use = now - REVISION_KEEPING_TIME - USE_PRECISION
    removed = 0
    while deleted := _forget_runs(now - RUN_KEEPING_TIME):
        removed += deleted
    with across_projects():
        uses, _ = RevisionUse.objects.all_projects().filter(named_at__lt=oldest_use).delete()
    return removed + uses


def _forget_runs(oldest: object) -> int:
    """A bounded number at a time, so that no transaction grows with the table; steps go with their runs."""
    with across_projects():
        runs = Run.objects.all_projects()
        old = runs.filter(created_at__lt=oldest).order_by("created_at").values("id")[:_FORGET_AT_ONCE]
        deleted, _ = runs.filter(id__in=old).delete()
    return deleted
