"""Documents, the revisions that callers gave them, and the snapshots that were stored of them."""

from django.db import models
from django.utils import timezone

from apps.projects.models import NAME_LENGTH
from apps.projects.scoping import ProjectOwned

# Ids of documents and names of revisions are the caller's.
HANDLE_LENGTH = 200
HANDLE_PATTERN = rf"[A-Za-z0-9._:-]{{1,{HANDLE_LENGTH}}}"
HANDLE_EXAMPLE = "return-policy"
LOCALE_LENGTH = 35
LOCALE_PATTERN = r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*"
_REFERENCE_LENGTH = 80


class DocumentStatus(models.TextChoices):
    PUBLISHED = "published"
    DRAFT = "draft"


class Document(ProjectOwned):
    """A document as it stands: its title and status, and the revision that is read unless another one is named."""

    # What callers call it; their `id`.
    handle = models.CharField(max_length=HANDLE_LENGTH)
    title = models.CharField(max_length=NAME_LENGTH)
    status = models.CharField(max_length=9, default=DocumentStatus.PUBLISHED)
    # Null only inside of the transaction that makes the document. The database checks this link and its way back,
    # both with the project; see the migration.
    revision = models.ForeignKey(
        "DocumentRevision", null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    created_at = models.DateTimeField(default=timezone.now)
    # Moves with the text only, as a source's does.
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "id"], name="document_in_project"),
            models.UniqueConstraint(fields=["project", "handle"], name="one_document_a_handle"),
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="document_newest_first")]

    def __str__(self) -> str:
        return self.handle


class DocumentRevision(ProjectOwned):
    """What a document said under one revision, never changed: one name stands for one text for good.

    When the text of an old revision is not kept any more its row stays, so that the name cannot be given to
    another text.
    """

    document = models.ForeignKey(
        Document, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    revision = models.CharField(max_length=HANDLE_LENGTH)
    locale = models.CharField(max_length=LOCALE_LENGTH, null=True)  # noqa: DJ001 -- null: it has none
    # The tree as plain data; null once it is not kept any more.
    parts = models.JSONField(null=True)
    # Over parts and locale.
    sha256 = models.CharField(max_length=64)
    section_ids = models.JSONField(default=list)
    char_count = models.IntegerField()
    chunk_count = models.IntegerField()
    token_estimate = models.IntegerField()
    # The compiled form that a search reads; only a current revision keeps it.
    segment = models.BinaryField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "id"], name="document_revision_in_project"),
            models.UniqueConstraint(fields=["project", "document", "revision"], name="one_text_a_revision"),
        ]
        indexes = [models.Index(fields=["project", "document", "-id"], name="doc_revision_newest_first")]

    def __str__(self) -> str:
        return f"{self.document_id} {self.revision}"


class Snapshot(ProjectOwned):
    """What somebody read and keeps, whatever becomes of the document.

    Its reference is made of identity and selection, so it is unique in a project only.
    """

    reference = models.CharField(max_length=_REFERENCE_LENGTH)
    handle = models.CharField(max_length=HANDLE_LENGTH)
    revision = models.CharField(max_length=HANDLE_LENGTH)
    locale = models.CharField(max_length=LOCALE_LENGTH, null=True)  # noqa: DJ001 -- null: it has none
    selection = models.JSONField()
    content = models.TextField()
    # Of the whole revision that it was read of.
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "reference"], name="one_snapshot_a_reference")]
        indexes = [models.Index(fields=["project", "handle", "revision"], name="snapshots_by_revision")]

    def __str__(self) -> str:
        return self.reference
