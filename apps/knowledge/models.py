"""Sources, the contents they had and have, and how often what was asked."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.models import NAME_LENGTH
from apps.projects.scoping import ProjectOwned

MAX_COUNTED_QUERY_LENGTH = 200

# Codes and tokens of syncs; the longest is secret_host_not_allowed.
_CODE_LENGTH = 32
_HOST_LENGTH = 253
_CHARSET_LENGTH = 64
_VALIDATOR_LENGTH = 4_096


def new_source_id() -> str:
    return new_id("ks")


def new_run_id() -> str:
    return new_id("sync")


def new_example_id() -> str:
    return new_id("exm")


def new_sample_id() -> str:
    return new_id("smp")


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
    # Which lines of a feed's text are no items, see `intake`; null for what callers wrote.
    layout = models.JSONField(null=True)
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


class SearchExample(ProjectOwned):
    """A question that someone keeps with what it should find, so that edits which lose it are noticed.

    `text` is the item or paragraph as it stood then; an empty one says that nothing should be found.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_example_id)
    question = models.TextField()
    # The folded words of the question: the same question written otherwise is the same example.
    key = models.CharField(max_length=MAX_COUNTED_QUERY_LENGTH)
    # The database empties it when the source is deleted; the question is then asked of all others.
    source = models.ForeignKey(
        Source, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_example_a_question")]
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="examples_newest_first"),
            models.Index(fields=["project", "source"], name="examples_by_source"),
        ]

    def __str__(self) -> str:
        return self.question


class FeedStatus(models.TextChoices):
    NEVER = "never"
    QUEUED = "queued"
    RUNNING = "running"
    OK = "ok"
    FAILING = "failing"


class RunTrigger(models.TextChoices):
    CREATE = "create"
    CONFIG_CHANGE = "config_change"
    SCHEDULE = "schedule"
    MANUAL = "manual"


class RunStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    UNCHANGED = "unchanged"
    FAILED = "failed"


OPEN_RUN = Q(status__in=[RunStatus.QUEUED, RunStatus.RUNNING])
# What is written while a run is open; such a feed is not due.
BUSY = (FeedStatus.QUEUED, FeedStatus.RUNNING)
_BUSY_FEED = Q(status__in=list(BUSY))


class Feed(ProjectOwned):
    """How an API source stands with its feed: when it is fetched, how that went, and who is fetching it.

    The lease says which worker may write the result of the running fetch; whoever lost it has nothing to say. The
    version of the config tells a result of today's config from one of yesterday's.
    """

    source = models.OneToOneField(
        Source,
        primary_key=True,
        on_delete=models.DO_NOTHING,
        related_name="feed",
        db_constraint=False,
    )
    status = models.CharField(max_length=8, default=FeedStatus.NEVER)
    last_attempt_at = models.DateTimeField(null=True)
    last_success_at = models.DateTimeField(null=True)
    next_sync_at = models.DateTimeField(null=True)
    consecutive_failures = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=_CODE_LENGTH, null=True)  # noqa: DJ001 -- null: no error
    error_detail = models.JSONField(default=dict)
    error_at = models.DateTimeField(null=True)
    config_version = models.PositiveIntegerField(default=1)
    target_host = models.CharField(max_length=_HOST_LENGTH)
    # The hash of what the last good sync brought, whatever was restored since, and what the feed calls that answer.
    synced_sha256 = models.CharField(max_length=64, null=True)  # noqa: DJ001 -- null: never synced
    etag = models.CharField(max_length=_VALIDATOR_LENGTH, null=True)  # noqa: DJ001 -- null: the feed gave none
    last_modified = models.CharField(max_length=_VALIDATOR_LENGTH, null=True)  # noqa: DJ001 -- as above
    # What the last answer leaves in doubt: codes of apps.knowledge.warnings, and whether `max_items` cut it.
    warnings = ArrayField(models.CharField(max_length=_CODE_LENGTH), default=list)
    is_capped = models.BooleanField(default=False)
    lease_token = models.CharField(max_length=_CODE_LENGTH, null=True)  # noqa: DJ001 -- null: nobody is fetching
    lease_until = models.DateTimeField(null=True)
    lost_claims = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["next_sync_at"], condition=~_BUSY_FEED, name="feeds_due"),
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="feeds_leased"),
            # For a clock that was set back.
            models.Index(fields=["-last_attempt_at"], name="feeds_by_last_attempt"),
            models.Index(fields=["project", "status"], name="feeds_by_status"),
        ]

    def __str__(self) -> str:
        return f"feed of {self.source_id}"


class SyncRun(ProjectOwned):
    """One fetch of a feed, from being wanted to what came of it."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_run_id)
    source = models.ForeignKey(
        Source, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    trigger = models.CharField(max_length=13)
    status = models.CharField(max_length=9, default=RunStatus.QUEUED)
    created_at = models.DateTimeField(default=timezone.now)
    # When a worker was last called for a queued run; null while it waits for others to end.
    called_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    bytes = models.PositiveIntegerField(null=True)
    items = models.PositiveIntegerField(null=True)
    lines = models.PositiveIntegerField(null=True)
    duration_ms = models.PositiveIntegerField(null=True)
    revision = models.CharField(max_length=64, null=True)  # noqa: DJ001 -- null: it brought none
    error_code = models.CharField(max_length=_CODE_LENGTH, null=True)  # noqa: DJ001 -- null: no error
    error_detail = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "source"], condition=OPEN_RUN, name="one_open_run_a_source")
        ]
        indexes = [
            models.Index(fields=["project", "source", "-created_at", "-id"], name="runs_newest_first"),
            models.Index(fields=["project", "started_at"], name="runs_by_start"),
            models.Index(fields=["created_at"], condition=Q(status="queued"), name="runs_queued"),
            models.Index(fields=["finished_at"], name="runs_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.id}"


class SampleStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


class FeedSample(ProjectOwned):
    """One answer of a feed that is being set up: fetched once by a worker, kept for an hour, looked at as a draft.

    It counts against the limits of fetches as syncs do; its lease says until when.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_sample_id)
    url = models.TextField()
    # Values name secrets, as in a source's config.
    headers = models.JSONField(default=dict)
    target_host = models.CharField(max_length=_HOST_LENGTH)
    status = models.CharField(max_length=7, default=SampleStatus.QUEUED)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(null=True)
    charset = models.CharField(max_length=_CHARSET_LENGTH, null=True)  # noqa: DJ001 -- null: the answer names none
    error_code = models.CharField(max_length=_CODE_LENGTH, null=True)  # noqa: DJ001 -- null: no error
    error_detail = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-created_at"], name="samples_newest_first"),
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="samples_leased"),
            models.Index(fields=["created_at"], name="samples_by_age"),
        ]

    def __str__(self) -> str:
        return f"sample {self.id}"
