"""Looks knowledge up for an agent: which sources answer, how well, and whether all that there is could be read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.db import Error as DatabaseError

from apps.gateway.references import content_revision
from apps.gateway.runtime.workspaces import Workspace
from apps.knowledge import lookup
from apps.knowledge.models import Source

log = structlog.get_logger(__name__)

OK: Final = "ok"
DISABLED: Final = "disabled"
PARTIAL: Final = "partial"
UNAVAILABLE: Final = "unavailable"

Answer = Mapping[str, Any]
# How often a search looks again when what it found was changed under it.
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Find:
    """A source that answers: its place among the agent's, what it is called, and its lines, the best first."""

    place: int
    source_id: str
    title: str
    revision: str
    score: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search came to; `answer` is that of the search itself, None when there was none or it failed whole."""

    status: str
    finds: tuple[Find, ...] = ()
    answer: Answer | None = None
    has_failed: bool = False


def look_up(workspace: Workspace, query: str, *, parents: int | None = None) -> Findings:
    """What the searchable sources say to a query.

    With `parents` these are the best so many sources, each by its own best chunks, even when other sources have
    better ones by the dozen; without it, the sources of the best chunks of all.
    """
    edition = workspace.edition
    if not edition.knowledge_enabled:
        return Findings(DISABLED)
    readable = [source.source_id for source in edition.searchable if source.revision is not None]
    has_unreadable = bool(edition.missing) or len(readable) < len(edition.searchable)
    if not readable:
        return Findings(UNAVAILABLE if has_unreadable else OK)
    for _ in range(_ATTEMPTS):
        answers, failed = _ask(workspace, query, readable, parents)
        if failed == len(readable):
            break
        if _are_current(workspace.project_id, answers):
            status = PARTIAL if failed or has_unreadable else OK
            return Findings(status, tuple(_finds(workspace, answers))[:parents], answers[0])
    return Findings(UNAVAILABLE, has_failed=True)


def _ask(
    workspace: Workspace, query: str, source_ids: Sequence[str], parents: int | None
) -> tuple[list[Answer], int]:
    """The answers that say what was found, and how many sources could not be searched."""
    try:
        return _ask_all(workspace, query, source_ids, parents or 0), 0
    except DatabaseError:
        raise
    except Exception:
        log.exception("knowledge_search_failed", agent=workspace.agent.id)
        return _ask_each(workspace, query, source_ids)


def _ask_all(workspace: Workspace, query: str, source_ids: Sequence[str], parents: int) -> list[Answer]:
    """One search of all, then of those left while there may be more of them that answer and they are wanted."""
    answers = [_search(workspace, query, source_ids)]
    found = _found_in(answers)
    while 0 < len(found) < min(parents, len(source_ids)) and _may_hide_others(workspace, answers[-1]):
        left = [source_id for source_id in source_ids if source_id not in found]
        answers.append(_search(workspace, query, left, counted=False))
        found = _found_in(answers)
    return answers


def _ask_each(workspace: Workspace, query: str, source_ids: Sequence[str]) -> tuple[list[Answer], int]:
    """Each source by itself, so that one that cannot be searched does not hide the others."""
    answers: list[Answer] = []
    for source_id in source_ids:
        try:
            answers.append(_search(workspace, query, [source_id], counted=False))
        except DatabaseError:
            raise
        except Exception:
            log.exception("knowledge_source_search_failed", source=source_id)
    return [_joined(answers)] if answers else [], len(source_ids) - len(answers)


def _joined(answers: Sequence[Answer]) -> Answer:
    """The answers of single sources as one, with the best hits of all."""
    hits = [hit for answer in answers for hit in answer["hits"]]
    hits.sort(key=lambda hit: -hit["score"])
    sources = [source for answer in answers for source in answer["searched_sources"]]
    miss = None if hits else answers[0]["miss"]
    return {**answers[0], "hits": hits[: lookup.MOST_HITS], "searched_sources": sources, "miss": miss}


def _search(workspace: Workspace, query: str, source_ids: Sequence[str], *, counted: bool = True) -> Answer:
    return lookup.search(
        workspace.project_id,
        query,
        source_ids,
        min_score=workspace.edition.min_score,
        skip_missing=True,
        counted=counted,
    )


def _may_hide_others(workspace: Workspace, answer: Answer) -> bool:
    """Whether further sources may have something that this answer had no room for."""
    had_room = len(answer["hits"]) < lookup.MOST_HITS
    return bool(answer["hits"]) and (not had_room or workspace.edition.min_score > 0)


def _found_in(answers: Iterable[Answer]) -> set[str]:
    return {hit["source_id"] for answer in answers for hit in answer["hits"]}


def _are_current(project_id: str, answers: Sequence[Answer]) -> bool:
    """Whether every source in which something was found still says so now, under the name it was found by."""
    found = _found_in(answers)
    rows = Source.objects.for_project(project_id).filter(id__in=found)
    now = {row[0]: row[1:] for row in rows.values_list("id", "name", "revision__sha256")}
    return all(now.get(source_id) == then for source_id, then in _searched(answers).items() if source_id in found)


def _searched(answers: Iterable[Answer]) -> dict[str, tuple[str, str]]:
    """Name and revision of each source as it was searched."""
    return {
        source["id"]: (source["name"], source["revision"])
        for answer in answers
        for source in answer["searched_sources"]
    }


def _finds(workspace: Workspace, answers: Sequence[Answer]) -> Iterable[Find]:
    places = {source.source_id: place for place, source in enumerate(workspace.edition.sources)}
    searched = _searched(answers)
    hits: dict[str, list[Mapping[str, Any]]] = {}
    for answer in answers:
        for hit in answer["hits"]:
            hits.setdefault(hit["source_id"], []).append(hit)
    for source_id, found in hits.items():
        title, revision = searched[source_id]
        yield Find(
            place=places[source_id],
            source_id=source_id,
            title=title,
            revision=content_revision(title, revision),
            score=found[0]["score"],
            lines=tuple(hit["text"] for hit in found),
        )
