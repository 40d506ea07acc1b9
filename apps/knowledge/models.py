"""Sources, the contents they had and have, and how often what was asked."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.models import NAME_LENGTH
from apps.projects.scoping import ProjectOwned

MAX_COUNTED_QUERY_LENGTH = 200


def new_source_id() -> str:
    return new_id("ks")


class Source(ProjectOwned):
    """A named piece of a business's knowledge; what it says is in its current revision."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_source_id)
    name = models.CharField(max_length=NAME_LENGTH)
    kind = models.CharField(max_length=8)
    complete = models.BooleanField()
    # Whether a caller stated `complete`; what the kind assumes never overrides that.
    complete_is_stated = models.BooleanField()
    config = models.JSONField(null=True)
    # The database checks this link and its way back, both with the project; see the migration.
    revision = models.ForeignKey(
        "Revision", null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    # Codes of apps.knowledge.warnings that stand for the current content.
    warnings = ArrayField(models.CharField(max_length=32), default=list)
    # None for kinds that are not fetched from anywhere.
    sync_status = models.CharField(max_length=8, null=True)  # noqa: DJ001 -- answers show null, not ""
    created_at = models.DateTimeField(default=timezone.now)
    # Moves with the content only.
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "id"], name="source_in_project")]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="source_newest_first")]

    def __str__(self) -> str:
        return self.name


class Revision(ProjectOwned):
    """One content of a source, never changed; its row's id names exactly one content compiled in one way.

    A source has one row a content. When a content returns, or is cut into other chunks, its row is replaced by a
    new one, so whatever a process keeps by row id cannot be stale.
    """

    source = models.ForeignKey(
        Source, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    sha256 = models.CharField(max_length=64)
    content = models.TextField()
    char_count = models.IntegerField()
    chunk_count = models.IntegerField()
    token_estimate = models.IntegerField()
    # The compiled form that a search reads; only a current revision keeps it.
    segment = models.BinaryField(null=True)
    origin = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "id"], name="revision_in_project"),
            models.UniqueConstraint(fields=["project", "source", "sha256"], name="one_revision_a_content"),
        ]
        indexes = [models.Index(fields=["project", "source", "-id"], name="revision_newest_first")]

    def __str__(self) -> str:
        return f"{self.source_id} {self.sha256[:12]}"


class QueryCount(ProjectOwned):
    """How often a folded query was asked on a day and how often nothing was found; nothing of who asked."""

    day = models.DateField()
    query = models.CharField(max_length=MAX_COUNTED_QUERY_LENGTH)
    queries = models.IntegerField()
    misses = models.IntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "day", "query"], name="one_count_a_query")]
        indexes = [models.Index(fields=["day"], name="query_count_by_age")]

    def __str__(self) -> str:
        return f"{self.day} {self.query}"
