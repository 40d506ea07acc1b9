"""Everything that changes agents and publishes them.

A locked agent comes from `queries.get_agent(…, lock=True)`, in the transaction of the change.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.agents import errors, queries
from apps.agents.context import MAX_CLIENT_UNITS
from apps.agents.models import Agent, AgentVersion, Attachment
from apps.agents.queries import MAX_AGENTS, Attaching
from apps.kernel.errors import AppError, FieldError
from apps.knowledge.documents import attached as documents
from apps.knowledge.documents.queries import hold_documents
from apps.knowledge.queries import hold_sources
from apps.projects import audit
from apps.projects.errors import KNOWLEDGE_SOURCE_NOT_FOUND
from apps.projects.models import Project

# Agent clients mean "whichever fits" by it.
RESERVED_ROUTES: Final = frozenset({"auto"})

# The columns that hold what callers see in objects of their own.
_KNOWLEDGE: Final = {
    "enabled": "knowledge_enabled",
    "min_score": "min_score",
    "max_result_tokens": "max_result_tokens",
}
_AGENT_CLIENT: Final = {
    "enabled": "client_enabled",
    "audiences": "client_audiences",
    "instructions": "client_instructions",
}

# In order.
Attached = Sequence[Attaching]


@transaction.atomic
def create_agent(
    project_id: str,
    *,
    actor: str,
    name: str,
    instructions: str = "",
    knowledge: Mapping[str, Any] | None = None,
    route: str | None = None,
    agent_client: Mapping[str, Any] | None = None,
) -> Agent:
    """A new agent with a draft and no version. Missing keys of `knowledge` and `agent_client` get their defaults.

    Raises `too_many_agents`, `route_taken`, `route_reserved`, `knowledge_source_not_found`, `document_not_found`,
    `section_not_found`.
    """
    if Agent.objects.for_project(project_id).count() >= MAX_AGENTS:
        raise AppError(errors.TOO_MANY_AGENTS, params={"limit": MAX_AGENTS})
    values = _columns({"name": name, "instructions": instructions, "route": route}, knowledge, agent_client)
    now = timezone.now()
    agent = Agent(project=Project.objects.get(id=project_id), created_at=now, updated_at=now, **values)
    attached = _wanted(knowledge) or []
    _refuse_what_is_not_there(project_id, attached, held=_hold(project_id, attached))
    _save(agent, is_new=True)
    _attach(agent, attached, version=None)
    audit.record(project_id, actor=actor, action="agent.created", target=agent.id, name=name)
    return agent


@transaction.atomic
def update_agent(
    agent: Agent,
    *,
    actor: str,
    knowledge: Mapping[str, Any] | None = None,
    agent_client: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Agent:
    """Change what is given of a locked agent: `name`, `instructions`, `route`, and keys of the two objects.

    The list of sources is replaced whole. The same values again change nothing. Raises what `create_agent` raises.
    """
    attached = _wanted(knowledge)
    stood: Attached = []
    if attached is not None:
        # First, so that the draft that is read next cannot lose a source any more.
        held = _hold(agent.project_id, attached)
        stood = queries.draft_of(agent)
        _refuse_what_is_not_there(agent.project_id, attached, held=held, stood=stood)
    values = _columns(fields, knowledge, agent_client)
    changed = [column for column, value in values.items() if getattr(agent, column) != value]
    if attached is not None and attached != stood:
        changed.append("sources")
        _detach_draft(agent)
        _attach(agent, attached, version=None)
    if not changed:
        return agent
    for column, value in values.items():
        setattr(agent, column, value)
    agent.is_changed = _differs_from_published(agent)
    agent.updated_at = timezone.now()
    _save(agent)
    audit.record(agent.project_id, actor=actor, action="agent.updated", target=agent.id, changed=changed)
    return agent


@transaction.atomic
def publish(agent: Agent, *, actor: str) -> AgentVersion:
    """Freeze the draft of a locked agent as its next version; raises `prompt_too_large`."""
    _hold(agent.project_id, queries.draft_of(agent))
    # Once more: one that was being deleted is gone from the draft by now.
    attached = queries.draft_of(agent)
    _refuse_too_large_for_clients(agent)
    version = AgentVersion.objects.add(
        project_id=agent.project_id,
        agent=agent,
        number=(agent.published_version or 0) + 1,
        instructions=agent.instructions,
        min_score=agent.min_score,
        max_result_tokens=agent.max_result_tokens,
    )
    _attach(agent, attached, version=version.number)
    agent.published_version, agent.is_changed, agent.updated_at = version.number, False, timezone.now()
    _save(agent)
    audit.record(agent.project_id, actor=actor, action="agent.published", target=agent.id, version=version.number)
    return version


@transaction.atomic
def delete_agent(agent: Agent, *, actor: str) -> None:
    """Remove a locked agent with its versions and runs."""
    # They go with it by the database: Django would read them all first.
    Agent.objects.for_project(agent.project_id).filter(id=agent.id).delete()
    audit.record(agent.project_id, actor=actor, action="agent.deleted", target=agent.id, name=agent.name)


def detach_source(project_id: str, source_id: str) -> None:
    """Take a source out of every draft and every published version.

    The agents' rows stay as they are: whoever changes one may be waiting for the source, which its deleter holds.
    """
    queries.attachments_in_use(project_id, source_id).delete()


def detach_document(project_id: str, document_id: str) -> None:
    """The same for a document."""
    queries.document_attachments_in_use(project_id, document_id).delete()


# --- parts of a change --------------------------------------------------------------------------------------


def _columns(
    fields: Mapping[str, Any], knowledge: Mapping[str, Any] | None, agent_client: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The columns and values that a change names."""
    if fields.get("route") in RESERVED_ROUTES:
        raise AppError(errors.ROUTE_RESERVED, param="route")
    return {**fields, **_renamed(knowledge or {}, _KNOWLEDGE), **_renamed(agent_client or {}, _AGENT_CLIENT)}


def _renamed(given: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    return {columns[key]: value for key, value in given.items() if key in columns}


def _wanted(knowledge: Mapping[str, Any] | None) -> Attached | None:
    """What a change attaches; None when it names nothing."""
    if knowledge is None or "sources" not in knowledge:
        return None
    return [_attaching(given) for given in knowledge["sources"]]


def _attaching(given: Mapping[str, Any]) -> Attaching:
    if "document_id" in given:
        return Attaching(given["document_id"], given["mode"], given["selection"].as_mapping())
    return Attaching(given["source_id"], given["mode"], None)


def _refuse_what_is_not_there(
    project_id: str, attached: Attached, *, held: Collection[str], stood: Attached = ()
) -> None:
    """Refuse sources, documents and sections that the project does not have.

    Sections that a document lost since are no fault of a change that leaves their attachment as it `stood`.
    """
    faults = [
        FieldError(KNOWLEDGE_SOURCE_NOT_FOUND, f"{_place(position)}.source_id")
        for position, one in enumerate(attached)
        if not one.is_document and one.attached_id not in held
    ]
    selected = [(one.attached_id, one.selection) for one in stood]
    new = [place for place, one in enumerate(attached) if (one.attached_id, one.selection) not in selected]
    faults += _faults_of_documents(project_id, attached, new)
    if faults:
        raise AppError.of_fields(faults)


def _hold(project_id: str, attached: Attached) -> set[str]:
    """Those of the sources that exist; none of them can be deleted meanwhile, and none of the documents."""
    hold_documents(project_id, [one.attached_id for one in attached if one.is_document])
    return hold_sources(project_id, [one.attached_id for one in attached if not one.is_document])


def _faults_of_documents(project_id: str, attached: Attached, places: Iterable[int]) -> list[FieldError]:
    """What is wrong with the documents in some places."""
    places = [place for place in places if attached[place].is_document]
    wanted = [attached[position].wanted for position in places]
    return documents.faults(project_id, wanted, param=lambda number: _place(places[number]))


def _place(position: int) -> str:
    return f"knowledge.sources[{position}]"


def _detach_draft(agent: Agent) -> None:
    queries.attachments_of(agent).filter(version=None).delete()


def _attach(agent: Agent, attached: Attached, *, version: int | None) -> None:
    Attachment.objects.for_project(agent.project_id).bulk_create(
        Attachment(
            project_id=agent.project_id,
            agent=agent,
            version=version,
            position=position,
            attached_id=one.attached_id,
            source_id=None if one.is_document else one.attached_id,
            document_id=one.attached_id if one.is_document else None,
            selection=one.selection,
            mode=one.mode,
        )
        for position, one in enumerate(attached)
    )


def _save(agent: Agent, *, is_new: bool = False) -> None:
    """Raises `route_taken`."""
    try:
        with transaction.atomic():
            agent.save(force_insert=is_new)
    except IntegrityError as error:
        raise AppError(errors.ROUTE_TAKEN, param="route") from error


def _differs_from_published(agent: Agent) -> bool:
    """Whether publishing the agent as it is now would freeze something else than was frozen last."""
    if agent.published_version is None:
        return False
    version = queries.get_version(agent, agent.published_version)
    frozen = ("instructions", "min_score", "max_result_tokens")
    if any(getattr(agent, field) != getattr(version, field) for field in frozen):
        return True
    return queries.draft_of(agent) != queries.attached_by(agent, version.number)


def _refuse_too_large_for_clients(agent: Agent) -> None:
    units = queries.client_units(agent, queries.read_edition(agent, None))
    if units > MAX_CLIENT_UNITS:
        raise AppError(errors.PROMPT_TOO_LARGE, params={"size": f"{units:,}", "limit": f"{MAX_CLIENT_UNITS:,}"})
