"""Repeats the steps of a run from the contents they name, to show what was told then and that it was just that."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.agents import context, search
from apps.agents.models import AgentVersion, Run, Step, StepKind
from apps.agents.runs import hash_of, named_hit
from apps.kernel.errors import AppError
from apps.knowledge import lookup
from apps.knowledge.documents.attached import compiled_then
from apps.knowledge.lookup import Content
from apps.knowledge.models import Revision
from apps.sections import CompiledDocument, Selection


class Outcome(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    # A content that the step names is not kept any more.
    GONE = "gone"


def replay(run: Run, step: Step) -> Outcome:
    """Whether a step gives once more what it gave."""
    contents = _contents(step)
    if contents is None:
        return Outcome.GONE
    repeats = _prompt_is_same if step.kind == StepKind.PROMPT else _search_is_same
    return Outcome.SAME if repeats(run, step, contents) else Outcome.DIFFERENT


def prompt_text(run: Run, step: Step) -> str | None:
    """The whole prompt that a prompt step records; None when a content is not kept any more."""
    contents = _contents(step)
    return None if contents is None else _text(run, step, contents)


# --- what a step names --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SourceThen:
    """A source under the name and with the content that it had."""

    name: str
    revision: Revision

    @property
    def text(self) -> str:
        return self.revision.content

    def to_search(self) -> Content:
        """Raises what the kind refuses, when the config of today cannot read the content."""
        return lookup.content_of_source(self.name, self.revision)


@dataclass(frozen=True)
class DocumentThen:
    """A document under the name and with the text that it had, and what was attached of it."""

    name: str
    document_id: str
    document: CompiledDocument
    selection: Selection

    @property
    def text(self) -> str:
        return self.document.read_within(self.selection, self.selection)

    def to_search(self) -> Content:
        return lookup.content_of_document(self.name, self.document_id, self.document, self.selection)


Contents = Sequence[SourceThen | DocumentThen]


def _contents(step: Step) -> Contents | None:
    """What the step names, in its order; None when something of it is gone."""
    named = [source for source in step.sources if source["revision"] is not None]
    revisions = _revisions(step, [source for source in named if source["source_id"] is not None])
    found = [_then(step.project_id, source, revisions) for source in named]
    return None if None in found else [one for one in found if one is not None]


def _then(
    project_id: str, named: Mapping[str, Any], revisions: Mapping[tuple[str, str], Revision]
) -> SourceThen | DocumentThen | None:
    if named["source_id"] is not None:
        revision = revisions.get((named["source_id"], named["revision"]))
        return None if revision is None else SourceThen(named["source_name"], revision)
    document = compiled_then(project_id, named["document_id"], named["revision"])
    if document is None:
        return None
    return DocumentThen(named["source_name"], named["document_id"], document, Selection.of(named["selection"]))


def _revisions(step: Step, named: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], Revision]:
    rows = Revision.objects.for_project(step.project_id).select_related("source").defer("segment")
    wanted = rows.filter(
        source_id__in=[source["source_id"] for source in named],
        sha256__in=[source["revision"] for source in named],
    )
    return {(revision.source_id, revision.sha256): revision for revision in wanted}


# --- prompts ------------------------------------------------------------------------------------------------


def _text(run: Run, step: Step, contents: Contents) -> str:
    detail: Mapping[str, Any] = step.detail
    return context.text_of(
        detail["instructions"] if run.version is None else _instructions_of(run, run.version),
        detail["client_instructions"],
        [(content.name, content.text) for content in contents],
        detail["locale"],
    )


def _instructions_of(run: Run, version: int) -> str:
    versions = AgentVersion.objects.for_project(run.project_id).filter(agent_id=run.agent_id, number=version)
    return versions.values_list("instructions", flat=True).get()


def _prompt_is_same(run: Run, step: Step, contents: Contents) -> bool:
    recorded: str = step.detail["text_sha256"]
    return hash_of(_text(run, step, contents)) == recorded


# --- searches -----------------------------------------------------------------------------------------------


def _search_is_same(_: Run, step: Step, contents: Contents) -> bool:
    detail: Mapping[str, Any] = step.detail
    try:
        hits = lookup.search_contents(detail["query"], list(_to_search(contents)), min_score=detail["min_score"])
    except AppError:
        # The columns of a sheet are read by its config, which is no part of its content and has changed.
        return False
    recorded: list[dict[str, Any]] = detail["hits"]
    return [named_hit(hit) for hit in hits] == recorded and _content_is_same(detail, hits)


def _to_search(contents: Contents) -> Iterator[Content]:
    return (content.to_search() for content in contents)


def _content_is_same(detail: Mapping[str, Any], hits: Sequence[dict[str, Any]]) -> bool:
    """Of a search whose hits others put into words, the hits are all there is."""
    recorded: str | None = detail["content"]
    if recorded is None:
        return True
    result = {"hits": hits, "miss": detail["miss"]}
    content = search.content_for_model(result, locale=detail["locale"], max_tokens=detail["max_result_tokens"])
    return content.text == recorded
