"""Everything that is read of agents, their versions and runs."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.agents import attachments, context, errors, readiness
from apps.agents.editions import Attached, AttachedDocument, AttachedSource, Edition, FeedState
from apps.agents.models import (
    Agent,
    AgentVersion,
    Attachment,
    DocumentUse,
    Mode,
    RevisionUse,
    Run,
    Step,
    StepKind,
)
from apps.agents.readiness import Issue
from apps.kernel.errors import AppError
from apps.kernel.hooks import SelectionUser, User
from apps.knowledge.documents import attached as documents
from apps.knowledge.documents.sought import Wanted
from apps.sections import Selection

MAX_AGENTS: Final = 500
MAX_ATTACHMENTS: Final = 100
# For so long after a run the contents that it names stay readable, and so old may the note of that be at most.
REVISION_KEEPING_TIME: Final = timedelta(days=30)
USE_PRECISION: Final = timedelta(days=1)


# --- agents and versions ------------------------------------------------------------------------------------


def agents_of(project_id: str) -> QuerySet[Agent]:
    """The project's agents, each with the project, in whose language they are told things."""
    return Agent.objects.for_project(project_id).select_related("project")


def get_agent(project_id: str, agent_id: str, *, lock: bool = False) -> Agent:
    """Raises `agent_not_found`; `lock` keeps others from changing the agent before this transaction ends."""
    agents = agents_of(project_id).filter(id=agent_id)
    agent = (agents.select_for_update(of=("self",), no_key=True) if lock else agents).first()
    if agent is None:
        raise AppError(errors.AGENT_NOT_FOUND)
    return agent


def workspaces_of(project_id: str) -> QuerySet[Agent]:
    """The agents that agent clients can work with, which have a route and are published, by route."""
    return agents_of(project_id).exclude(route=None).exclude(published_version=None).order_by("route")


def find_workspace(project_id: str, route: str) -> Agent | None:
    return workspaces_of(project_id).filter(route=route).first()


def versions_of(agent: Agent) -> QuerySet[AgentVersion]:
    return AgentVersion.objects.for_project(agent.project_id).filter(agent=agent)


def get_version(agent: Agent, number: int) -> AgentVersion:
    """Raises `agent_version_not_found`."""
    version = versions_of(agent).filter(number=number).first()
    if version is None:
        raise AppError(errors.AGENT_VERSION_NOT_FOUND, param="version")
    return version


def attachments_of(agent: Agent) -> QuerySet[Attachment]:
    """What the draft and all versions of an agent attach, in their orders."""
    return Attachment.objects.for_project(agent.project_id).filter(agent=agent).order_by("version", "position")


def attachments_by_version(agent: Agent, numbers: Collection[int]) -> dict[int, list[Attachment]]:
    """What some versions attach, in their orders."""
    found: dict[int, list[Attachment]] = {number: [] for number in numbers}
    for attachment in attachments_of(agent).filter(version__in=numbers):
        if attachment.version is not None:
            found[attachment.version].append(attachment)
    return found


class Attaching(NamedTuple):
    """What is to be attached, or is: a source, or with a selection a document; and how it is used."""

    attached_id: str
    mode: str
    # As a document's selection is stored; None for a source.
    selection: dict[str, Any] | None

    @property
    def is_document(self) -> bool:
        return self.selection is not None

    @property
    def wanted(self) -> Wanted:
        """The selection of a document."""
        return Wanted(self.attached_id, Selection.of(self.selection or {}))


def draft_of(agent: Agent) -> list[Attaching]:
    """Everything that the draft attaches, in its order."""
    return attached_by(agent, None)


def attached_by(agent: Agent, version: int | None) -> list[Attaching]:
    """Everything that a version attaches, or the draft (None), in its order."""
    rows = attachments_of(agent).filter(version=version).values_list("attached_id", "mode", "selection")
    return [Attaching(*row) for row in rows]


# --- editions -----------------------------------------------------------------------------------------------


def read_edition(agent: Agent, version: int | None, *, with_content: bool = False) -> Edition:
    """An agent as a version has it, or as its draft does (None), with what is attached as it is now.

    Raises `agent_version_not_found`, and with the content `prompt_too_large` when no prompt should hold so much.
    """
    frozen = agent if version is None else get_version(agent, version)
    rows = attachments.of_version(agent.project_id, agent.id, version, with_content=with_content)
    known = _documents(agent.project_id, rows, with_content=with_content)
    edition = _edition(agent, version, frozen, rows, known)
    if with_content:
        _refuse_too_much(edition)
    return edition


def _refuse_too_much(edition: Edition) -> None:
    size, limit = edition.always_characters, context.MAX_PROMPT_CHARACTERS
    if size > limit:
        raise AppError(errors.PROMPT_TOO_LARGE, params={"size": f"{size:,}", "limit": f"{limit:,}"})


def read_drafts(project_id: str, agents: Sequence[Agent]) -> list[Edition]:
    """The drafts of some agents, without content."""
    rows = attachments.of_drafts(project_id, [agent.id for agent in agents])
    known = _documents(project_id, rows, with_content=False)
    of_agent = _by_agent(rows)
    return [_edition(agent, None, agent, of_agent.get(agent.id, []), known) for agent in agents]


def read_published(project_id: str, agents: Sequence[Agent]) -> list[Edition]:
    """The published versions of those of some agents that have one, without content."""
    in_use = AgentVersion.objects.for_project(project_id).filter(number=F("agent__published_version"))
    frozen = {version.agent_id: version for version in in_use.filter(agent__in=agents)}
    rows = attachments.as_published(project_id, [agent.id for agent in agents])
    known = _documents(project_id, rows, with_content=False)
    of_agent = _by_agent(rows)
    return [
        _edition(agent, frozen[agent.id].number, frozen[agent.id], of_agent.get(agent.id, []), known)
        for agent in agents
        if agent.id in frozen
    ]


def _by_agent(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    return {agent_id: list(of_one) for agent_id, of_one in groupby(rows, key=lambda row: row["agent_id"])}


# By the attachment.
Documents = Mapping[int, AttachedDocument]


def _documents(project_id: str, rows: Sequence[Mapping[str, Any]], *, with_content: bool) -> Documents:
    """The documents that are attached as they are now, all of one moment, but for those that are gone."""
    of_documents = [row for row in rows if row["selection"] is not None]
    wanted = [Wanted(row["attached_id"], Selection.of(row["selection"])) for row in of_documents]

    def is_read(position: int) -> bool:
        return with_content and of_documents[position]["mode"] == Mode.ALWAYS

    found = documents.read(project_id, wanted, with_content=is_read)
    return {
        row["id"]: _document(document, row["mode"])
        for row, document in zip(of_documents, found, strict=True)
        if document is not None
    }


def _document(document: documents.AttachedDocument, mode: str) -> AttachedDocument:
    return AttachedDocument(
        document_id=document.document_id,
        selection=document.selection,
        mode=mode,
        name=document.title,
        updated_at=document.updated_at,
        revision=document.revision,
        char_count=document.char_count,
        token_estimate=document.token_estimate,
        is_draft=document.is_draft,
        is_visible=document.is_readable,
        missing_section_ids=document.missing_section_ids,
        content=document.content,
    )


def _edition(
    agent: Agent,
    version: int | None,
    frozen: Agent | AgentVersion,
    rows: Sequence[Mapping[str, Any]],
    known: Documents,
) -> Edition:
    attached = [(row, _attached_now(row, known)) for row in rows]
    missing = [row for row, now in attached if now is None]
    return Edition(
        project_id=agent.project_id,
        agent_id=agent.id,
        version=version,
        locale=agent.project.locale,
        knowledge_enabled=agent.knowledge_enabled,
        instructions=frozen.instructions,
        min_score=frozen.min_score,
        max_result_tokens=frozen.max_result_tokens,
        sources=tuple(now for _, now in attached if now is not None),
        missing=tuple(row["attached_id"] for row in missing if row["selection"] is None),
        missing_documents=tuple(row["attached_id"] for row in missing if row["selection"] is not None),
    )


def _attached_now(row: Mapping[str, Any], known: Documents) -> Attached | None:
    """What an attachment leads to; None when that was deleted."""
    if row["selection"] is not None:
        return known.get(row["id"])
    return None if row["source_id"] is None else _source(row)


def _source(row: Mapping[str, Any]) -> AttachedSource:
    return AttachedSource(
        source_id=row["source_id"],
        mode=row["mode"],
        name=row["name"],
        kind=row["kind"],
        complete=row["complete"],
        updated_at=row["updated_at"],
        revision=row["revision"],
        char_count=row["char_count"] or 0,
        chunk_count=row["chunk_count"] or 0,
        token_estimate=row["token_estimate"] or 0,
        content=row["content"],
        feed=None if row["failures"] is None else _feed(row),
    )


def _feed(row: Mapping[str, Any]) -> FeedState:
    unit = settings.SYNC_INTERVAL_UNIT_SECONDS
    return FeedState(
        is_failing=row["failures"] > 0,
        last_success_at=row["last_success_at"],
        interval=timedelta(seconds=row["refresh_minutes"] * unit),
    )


# --- prompts and readiness ----------------------------------------------------------------------------------


def client_units(agent: Agent, edition: Edition) -> int:
    """The length of an edition's prompt as agent clients get and count it.

    When its sources alone are past the limit by their characters, that number, and their texts stay unread.
    """
    if edition.always_characters > context.MAX_CLIENT_UNITS:
        return edition.always_characters
    full = read_edition(agent, edition.version, with_content=True)
    return context.client_units(context.assemble(full, client_instructions=agent.client_instructions).text)


def versions_in_use(agent: Agent) -> list[int | None]:
    """The published version, and the draft (None) unless it says the same."""
    if agent.published_version is None:
        return [None]
    return [agent.published_version, None] if agent.is_changed else [agent.published_version]


def issues_of(agent: Agent, versions: Sequence[int | None]) -> list[Issue]:
    """What keeps some versions of an agent from answering well, each issue once, errors first.

    Raises `agent_version_not_found`.
    """
    now = timezone.now()
    found: dict[Issue, None] = {}
    for version in versions:
        edition = read_edition(agent, version)
        found |= dict.fromkeys(readiness.judge(edition, client_units=client_units(agent, edition), now=now))
    return sorted(found, key=lambda issue: issue.severity != "error")


# --- runs ---------------------------------------------------------------------------------------------------


def runs_of(agent: Agent) -> QuerySet[Run]:
    return Run.objects.for_project(agent.project_id).filter(agent=agent)


def get_run(agent: Agent, run_id: str, *, lock: bool = False) -> Run:
    """A run of this agent and no other; raises `run_not_found`."""
    runs = runs_of(agent).filter(id=run_id)
    run = (runs.select_for_update(no_key=True) if lock else runs).first()
    if run is None:
        raise AppError(errors.RUN_NOT_FOUND)
    return run


class Searched(NamedTuple):
    """What a run searched for, and whether nothing was found."""

    query: str
    is_miss: bool


def searches_of(project_id: str, runs: Collection[Run]) -> dict[str, list[Searched]]:
    """What some runs searched for by the ids of these, the first one first."""
    found: dict[str, list[Searched]] = {run.id: [] for run in runs}
    steps = Step.objects.for_project(project_id).filter(run__in=runs, kind=StepKind.SEARCH)
    for run_id, query, miss in steps.order_by("created_at", "id").values_list(
        "run_id", "detail__query", "detail__miss"
    ):
        found[run_id].append(Searched(query, miss is not None))
    return found


def steps_of(run: Run) -> QuerySet[Step]:
    """The steps of a run, the first one first."""
    return Step.objects.for_project(run.project_id).filter(run=run).order_by("created_at", "id")


# --- what lower rooms ask through hooks ---------------------------------------------------------------------


def attachments_in_use(project_id: str, source_id: str) -> QuerySet[Attachment]:
    """What drafts and published versions attach of a source."""
    in_use = Q(version=None) | Q(version=F("agent__published_version"))
    return Attachment.objects.for_project(project_id).filter(in_use, source=source_id)


def users_of_source(project_id: str, source_id: str) -> list[User]:
    """The agents whose draft or published version attaches a source."""
    agent_ids = attachments_in_use(project_id, source_id).values("agent_id")
    agents = Agent.objects.for_project(project_id).filter(id__in=agent_ids).order_by("created_at", "id")
    return [User(*row) for row in agents.values_list("id", "name")]


def document_attachments_in_use(project_id: str, document_id: str) -> QuerySet[Attachment]:
    """What drafts and published versions attach of a document."""
    in_use = Q(version=None) | Q(version=F("agent__published_version"))
    return Attachment.objects.for_project(project_id).filter(in_use, document_id=document_id)


def users_of_document(project_id: str, document_id: str) -> list[SelectionUser]:
    """The selections that drafts and published versions attach of a document, each once an agent."""
    rows = document_attachments_in_use(project_id, document_id).order_by("agent__created_at", "agent_id", "version")
    found: list[SelectionUser] = []
    for agent_id, name, selection in rows.values_list("agent_id", "agent__name", "selection"):
        user = SelectionUser(agent_id, name, selection or {})
        if user not in found:
            found.append(user)
    return found


def document_revisions_in_use(project_id: str, document_id: str) -> set[str]:
    """The revisions of a document that the runs of the last days name."""
    oldest = timezone.now() - REVISION_KEEPING_TIME - USE_PRECISION
    uses = DocumentUse.objects.for_project(project_id).filter(document_id=document_id, named_at__gte=oldest)
    return set(uses.values_list("revision", flat=True))


def revisions_in_use(project_id: str, source_id: str) -> set[str]:
    """The contents of a source that the runs of the last days name."""
    oldest = timezone.now() - REVISION_KEEPING_TIME - USE_PRECISION
    uses = RevisionUse.objects.for_project(project_id).filter(source_id=source_id, named_at__gte=oldest)
    return set(uses.values_list("revision", flat=True))


def usage(project_id: str) -> dict[str, int]:
    return {"agents": Agent.objects.for_project(project_id).count()}


def limits() -> dict[str, int]:
    return {"agents": MAX_AGENTS, "sources_of_an_agent": MAX_ATTACHMENTS}
