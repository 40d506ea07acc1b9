"""Endpoints of customers, the events of a project, and one delivery for each pair that belongs together."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.scoping import ProjectOwned

URL_LENGTH = 2_048
TYPE_LENGTH = 64


def new_endpoint_id() -> str:
    return new_id("whe")


def new_event_id() -> str:
    return new_id("evt")


def new_delivery_id() -> str:
    return new_id("whd")


class DisabledReason(models.TextChoices):
    MANUAL = "manual"
    GONE = "gone"
    NO_SUCCESS = "no_success"
    FAILURES_IN_A_ROW = "failures_in_a_row"


class Endpoint(ProjectOwned):
    """A URL of the customer's that wants to know of some events, and how its last attempts went."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_endpoint_id)
    url = models.CharField(max_length=URL_LENGTH)
    events = ArrayField(models.CharField(max_length=TYPE_LENGTH))
    enabled = models.BooleanField(default=True)
    disabled_reason = models.CharField(max_length=20, null=True)  # noqa: DJ001 -- callers see null for "not disabled"
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "id"], name="endpoint_in_project")]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="endpoints_newest_first")]

    def __str__(self) -> str:
        return self.id


class SigningSecret(ProjectOwned):
    """A sealed key of an endpoint's signatures; a replaced one has an end."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    sealed = models.BinaryField()
    valid_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["project", "endpoint", "-created_at"], name="signing_secrets_of_endpoint")]

    def __str__(self) -> str:
        return f"signing secret of {self.endpoint_id}"


class Event(ProjectOwned):
    """Something that happened, as the very text that all its deliveries send and sign."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_event_id)
    type = models.CharField(max_length=TYPE_LENGTH)
    body = models.TextField()
    source_id = models.CharField(max_length=ID_LENGTH, null=True)  # noqa: DJ001 -- null: of no source
    run_id = models.CharField(max_length=ID_LENGTH, null=True)  # noqa: DJ001 -- null: of no run
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "id"], name="event_in_project"),
            models.UniqueConstraint(
                fields=["project", "run_id", "type"],
                condition=Q(run_id__isnull=False),
                name="one_event_of_a_type_a_run",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="events_newest_first"),
            models.Index(fields=["project", "source_id", "-created_at", "-id"], name="events_of_source"),
            models.Index(fields=["created_at"], name="events_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class DeliveryStatus(models.TextChoices):
    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


def no_attempts() -> list[dict[str, Any]]:
    return []


class Delivery(ProjectOwned):
    """One event on its way to one endpoint.

    `claims` numbers the attempts that were begun: whoever brings a result says for which, and that of an attempt
    which another worker has begun anew is dropped. `resume_at` keeps the schedule while a manual attempt runs.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_delivery_id)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    status = models.CharField(max_length=9, default=DeliveryStatus.PENDING)
    is_test = models.BooleanField(default=False)
    attempts = models.JSONField(default=no_attempts)
    scheduled_attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True)
    is_manual = models.BooleanField(default=False)
    resume_at = models.DateTimeField(null=True)
    succeeded_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    claims = models.PositiveIntegerField(default=0)
    lost_claims = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "event", "endpoint"], name="one_delivery_an_endpoint")
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at", "endpoint"], condition=Q(status="pending"), name="deliveries_due"
            ),
            models.Index(
                fields=["endpoint", "next_attempt_at"],
                condition=Q(status="pending"),
                name="deliveries_due_by_endpoint",
            ),
            models.Index(
                fields=["endpoint", "lease_until"],
                condition=Q(lease_until__isnull=False),
                name="deliveries_under_way",
            ),
            models.Index(fields=["project", "endpoint", "-created_at", "-id"], name="deliveries_newest_first"),
            models.Index(fields=["created_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.id}"
