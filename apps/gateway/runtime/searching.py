"""Looks knowledge up for an agent: what answers, how well, and whether all that there is could be read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.db import Error as DatabaseError
from django.db import connection

from apps.agents.editions import Attached, AttachedDocument, AttachedSource
from apps.gateway.references import content_revision
from apps.gateway.runtime.workspaces import Workspace
from apps.knowledge import lookup
from apps.knowledge.documents.attached import SectionText, around
from apps.knowledge.documents.sought import Wanted

log = structlog.get_logger(__name__)

OK: Final = "ok"
DISABLED: Final = "disabled"
PARTIAL: Final = "partial"
UNAVAILABLE: Final = "unavailable"

Answer = Mapping[str, Any]
Hit = Mapping[str, Any]
# The field that names a source or a document, and its id there, as `lookup.parent_of` has it of a hit.
Parent = tuple[str, str]
# How often a search looks again when what it found was changed under it.
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Find:
    """What answers: its place among what is attached, the part of it that is read, and the lines found there.

    The part is 0 for a source, which is read whole.
    """

    place: int
    part: int
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


def look_up(workspace: Workspace, query: str, *, parents: int = 0) -> Findings:
    """What the searchable sources and documents say to a query: the best chunks of all of them.

    With `parents` also the finds in so many of them, each by the best chunks of its own, even when others have
    better ones by the dozen.
    """
    edition = workspace.edition
    if not edition.knowledge_enabled:
        return Findings(DISABLED)
    readable = [attached for attached in edition.searchable if attached.is_readable]
    if not readable:
        return Findings(UNAVAILABLE if edition.has_unreadable else OK)
    for _ in range(_ATTEMPTS):
        answers, failed = _ask(workspace, query, readable, parents)
        if failed == len(readable):
            break
        finds = _finds(workspace, answers, parents) if _are_current(workspace.project_id, answers) else None
        if finds is not None:
            status = PARTIAL if failed or edition.has_unreadable else OK
            return Findings(status, tuple(finds), answers[0])
    return Findings(UNAVAILABLE, has_failed=True)


# --- asking -------------------------------------------------------------------------------------------------


def _ask(workspace: Workspace, query: str, attached: Sequence[Attached], parents: int) -> tuple[list[Answer], int]:
    """The answers that say what was found, and how many of what is attached could not be searched."""
    try:
        return _ask_all(workspace, query, attached, parents), 0
    except DatabaseError:
        raise
    except Exception:
        log.exception("knowledge_search_failed", agent=workspace.agent.id)
        return _ask_each(workspace, query, attached)


def _ask_all(workspace: Workspace, query: str, attached: Sequence[Attached], parents: int) -> list[Answer]:
    """One search of all, then of those left while there may be more of them that answer and they are wanted."""
    answers = [_search(workspace, query, attached)]
    found = _found_in(answers)
    while 0 < len(found) < min(parents, len(attached)) and _may_hide_others(workspace, answers[-1]):
        left = [one for one in attached if _parent_of(one) not in found]
        answers.append(_search(workspace, query, left, counted=False))
        found = _found_in(answers)
    return answers


def _ask_each(workspace: Workspace, query: str, attached: Sequence[Attached]) -> tuple[list[Answer], int]:
    """Each by itself, so that one that cannot be searched does not hide the others."""
    answers: list[Answer] = []
    for one in attached:
        try:
            answers.append(_search(workspace, query, [one], counted=False))
        except DatabaseError:
            raise
        except Exception:
            log.exception("knowledge_search_of_one_failed", attached=_parent_of(one))
    return [_joined(answers)] if answers else [], len(attached) - len(answers)


def _joined(answers: Sequence[Answer]) -> Answer:
    """The answers of single searches as one, with the best hits of all."""
    hits = sorted((hit for answer in answers for hit in answer["hits"]), key=lambda hit: -hit["score"])
    return {
        **answers[0],
        "hits": hits[: lookup.MOST_HITS],
        "searched_sources": [one for answer in answers for one in answer["searched_sources"]],
        "searched_documents": [one for answer in answers for one in answer.get("searched_documents", ())],
        "miss": None if hits else answers[0]["miss"],
    }


def _search(workspace: Workspace, query: str, attached: Sequence[Attached], *, counted: bool = True) -> Answer:
    return lookup.search(
        workspace.project_id,
        query,
        [one.source_id for one in attached if isinstance(one, AttachedSource)],
        min_score=workspace.edition.min_score,
        skip_missing=True,
        counted=counted,
        documents=[Wanted(one.document_id, one.selection) for one in attached if isinstance(one, AttachedDocument)],
    )


def _may_hide_others(workspace: Workspace, answer: Answer) -> bool:
    """Whether others may have something that this answer had no room for."""
    had_room = len(answer["hits"]) < lookup.MOST_HITS
    return bool(answer["hits"]) and (not had_room or workspace.edition.min_score > 0)


def _parent_of(attached: Attached) -> Parent:
    if isinstance(attached, AttachedDocument):
        return "document_id", attached.document_id
    return "source_id", attached.source_id


def _found_in(answers: Iterable[Answer]) -> set[Parent]:
    return {lookup.parent_of(hit) for answer in answers for hit in answer["hits"]}


# --- what was found, as it is now ---------------------------------------------------------------------------


_NOW: Final = """
SELECT 'source_id', s.id, s.name, r.sha256
FROM knowledge_source s JOIN knowledge_revision r ON r.project_id = s.project_id AND r.id = s.revision_id
WHERE s.project_id = %(project)s AND s.id = ANY(%(source_id)s)
UNION ALL
SELECT 'document_id', d.handle, d.title, r.revision
FROM documents_document d JOIN documents_documentrevision r ON r.project_id = d.project_id AND r.id = d.revision_id
WHERE d.project_id = %(project)s AND d.handle = ANY(%(document_id)s) AND d.status = 'published'
"""


def _are_current(project_id: str, answers: Sequence[Answer]) -> bool:
    """Whether everything in which something was found still reads so now, under the name it was found by."""
    found = _found_in(answers)
    now = _read_now(project_id, found)
    return all(now.get(parent) == then for parent, then in _searched(answers).items() if parent in found)


def _read_now(project_id: str, found: Iterable[Parent]) -> dict[Parent, tuple[str, str]]:
    """Name and revision of each of these; what is gone, or not to be seen any more, is not among them."""
    ids: dict[str, list[str]] = {"source_id": [], "document_id": []}
    for field, one in found:
        ids[field].append(one)
    with connection.cursor() as cursor:
        cursor.execute(_NOW, {"project": project_id, **ids})
        return {(field, one): (name, revision) for field, one, name, revision in cursor.fetchall()}


def _searched(answers: Iterable[Answer]) -> dict[Parent, tuple[str, str]]:
    """Name and revision of each source and document as it was searched."""
    searched: dict[Parent, tuple[str, str]] = {}
    for answer in answers:
        for source in answer["searched_sources"]:
            searched["source_id", source["id"]] = source["name"], source["revision"]
        for document in answer.get("searched_documents", ()):
            searched["document_id", document["id"]] = document["title"], document["revision"]
    return searched


def _finds(workspace: Workspace, answers: Sequence[Answer], most: int) -> list[Find] | None:
    """The first finds; None when one of them is not there any more."""
    places = {_parent_of(attached): place for place, attached in enumerate(workspace.edition.sources)}
    searched = _searched(answers)
    hits: dict[Parent, list[Hit]] = {}
    for answer in answers:
        for hit in answer["hits"]:
            hits.setdefault(lookup.parent_of(hit), []).append(hit)
    finds = [
        _find(workspace, places[parent], searched[parent], found) for parent, found in list(hits.items())[:most]
    ]
    whole = [find for find in finds if find is not None]
    return whole if len(whole) == len(finds) else None


def _find(workspace: Workspace, place: int, searched: tuple[str, str], hits: Sequence[Hit]) -> Find | None:
    title, revision = searched
    attached = workspace.edition.sources[place]
    if isinstance(attached, AttachedDocument):
        return _find_in_document(workspace.project_id, place, attached, hits)
    lines = tuple(hit["text"] for hit in hits)
    return Find(place, 0, title, content_revision(title, revision), hits[0]["score"], lines)


def _find_in_document(project_id: str, place: int, attached: AttachedDocument, hits: Sequence[Hit]) -> Find | None:
    """The section of the best hit with all below it, as far as it is attached."""
    wanted = Wanted(attached.document_id, attached.selection)
    section = around(project_id, wanted, hits[0]["section_id"])
    if section is None:
        return None
    return Find(
        place=place,
        part=section.part,
        title=section.title,
        revision=content_revision(section.title, section.sha256),
        score=hits[0]["score"],
        lines=tuple(hit["text"] for hit in hits if _is_within(hit, section)),
    )


def _is_within(hit: Hit, section: SectionText) -> bool:
    path = hit["section_path"]
    return section.section_id in path if section.section_id is not None else not path
