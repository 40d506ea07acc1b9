"""Agents with their versions, the sources these attach, and the runs that say what an answer rested on."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.knowledge.models import Source
from apps.projects.models import NAME_LENGTH
from apps.projects.scoping import ProjectOwned

ROUTE_LENGTH = 64
AUDIENCE_LENGTH = 64
DEFAULT_RESULT_TOKENS = 2_000
# A turn of an agent client is a run under the wire's own UUID, written with its dashes.
RUN_ID_LENGTH = 36
_ATTACHED_ID_LENGTH = 200
_REVISION_LENGTH = 64
# What callers name revisions of documents.
_DOCUMENT_REVISION_LENGTH = 200


def new_agent_id() -> str:
    return new_id("agt")


def new_run_id() -> str:
    return new_id("run")


def new_step_id() -> str:
    return new_id("step")


def internal_audience() -> list[str]:
    return ["internal"]


class Mode(models.TextChoices):
    ALWAYS = "always"
    SEARCHABLE = "searchable"


class StepKind(models.TextChoices):
    PROMPT = "prompt"
    SEARCH = "search_knowledge"


class Agent(ProjectOwned):
    """An agent: its draft, which publishing freezes, and its live switches, which hold for every version."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_agent_id)
    name = models.CharField(max_length=NAME_LENGTH)
    # The draft; what it attaches are the attachments without a version.
    instructions = models.TextField(default="")
    min_score = models.FloatField(default=0.0)
    max_result_tokens = models.PositiveIntegerField(default=DEFAULT_RESULT_TOKENS)
    # The switches.
    knowledge_enabled = models.BooleanField(default=True)
    route = models.CharField(max_length=ROUTE_LENGTH, null=True)  # noqa: DJ001 -- callers see null for "no workspace"
    client_enabled = models.BooleanField(default=True)
    client_audiences = ArrayField(models.CharField(max_length=AUDIENCE_LENGTH), default=internal_audience)
    client_instructions = models.TextField(default="")
    published_version = models.PositiveIntegerField(null=True)
    # Whether the draft says something else than the published version.
    is_changed = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "id"], name="agent_in_project"),
            models.UniqueConstraint(fields=["project", "route"], name="one_agent_a_route"),
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="agents_newest_first")]

    def __str__(self) -> str:
        return self.name

    @property
    def version(self) -> int:
        """The number that the draft has, or gets when it is published."""
        return (self.published_version or 0) + (self.published_version is None or self.is_changed)


class AgentVersion(ProjectOwned):
    """What was published once; it never changes, but for the sources that are deleted."""

    agent = models.ForeignKey(
        Agent, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    number = models.PositiveIntegerField()
    instructions = models.TextField()
    min_score = models.FloatField()
    max_result_tokens = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "agent", "number"], name="one_version_a_number")]
        indexes = [models.Index(fields=["project", "agent", "-created_at", "-id"], name="versions_newest_first")]

    def __str__(self) -> str:
        return f"{self.agent_id} version {self.number}"


class Attachment(ProjectOwned):
    """A source that an agent's draft, or one version of it, uses in one way; or a selection of a document.

    The database keeps both ends in one project, and empties the link when what it leads to is deleted; what was
    attached is still known by its id, so that an older version can name what it lost.
    """

    agent = models.ForeignKey(
        Agent, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    # Null: of the draft.
    version = models.PositiveIntegerField(null=True)
    position = models.PositiveSmallIntegerField()
    attached_id = models.CharField(max_length=_ATTACHED_ID_LENGTH)
    source = models.ForeignKey(
        Source, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    document_id = models.CharField(max_length=_ATTACHED_ID_LENGTH, null=True)  # noqa: DJ001 -- null: no document
    # Of a document alone: which part of it.
    selection = models.JSONField(null=True)
    mode = models.CharField(max_length=10)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "agent", "version", "position"],
                nulls_distinct=False,
                name="one_attachment_a_place",
            ),
            models.CheckConstraint(
                condition=Q(source=None) | Q(document_id=None), name="a_source_or_a_document_is_attached"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "source"], name="attachments_of_source"),
            models.Index(fields=["project", "document_id"], name="attachments_of_document"),
        ]

    def __str__(self) -> str:
        return f"{self.attached_id} of {self.agent_id}"


class Run(ProjectOwned):
    """One conversation turn of an agent, as one of its versions or as its draft."""

    id = models.CharField(primary_key=True, max_length=RUN_ID_LENGTH, default=new_run_id)
    agent = models.ForeignKey(
        Agent, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    # Null: the draft.
    version = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "id"], name="run_in_project")]
        indexes = [
            models.Index(fields=["project", "agent", "-created_at", "-id"], name="agent_runs_newest_first"),
            models.Index(fields=["created_at"], name="agent_runs_by_age"),
        ]

    def __str__(self) -> str:
        return self.id


class Step(ProjectOwned):
    """What a run was told: its prompt, or the answer to one search, and on which contents that rested.

    `detail` holds whatever those contents do not say, so that the two together give the step once more.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_step_id)
    run = models.ForeignKey(Run, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    kind = models.CharField(max_length=16)
    sources = models.JSONField(default=list)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["project", "run", "created_at", "id"], name="steps_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.run_id}"


class DocumentUse(ProjectOwned):
    """When a run last named a revision of a document, as `RevisionUse` says it of sources."""

    document_id = models.CharField(max_length=_ATTACHED_ID_LENGTH)
    revision = models.CharField(max_length=_DOCUMENT_REVISION_LENGTH)
    named_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "document_id", "revision"], name="one_use_a_document_revision"
            )
        ]
        indexes = [models.Index(fields=["named_at"], name="document_uses_by_age")]

    def __str__(self) -> str:
        return f"{self.document_id} {self.revision}"


class RevisionUse(ProjectOwned):
    """When a run last named a content of a source: one row a content, however many runs do.

    It is no link to the source, so that no run waits for whoever is changing that.
    """

    source_id = models.CharField(max_length=ID_LENGTH)
    revision = models.CharField(max_length=_REVISION_LENGTH)
    named_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "source_id", "revision"], name="one_use_a_revision")
        ]
        indexes = [models.Index(fields=["named_at"], name="revision_uses_by_age")]

    def __str__(self) -> str:
        return f"{self.source_id} {self.revision[:12]}"
