"""Agent clients of a business, the sessions that people let them have, and the jobs that they ask for."""

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.agents.models import RUN_ID_LENGTH
from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.models import NAME_LENGTH
from apps.projects.scoping import ProjectOwned

APP_ID_LENGTH = 64
ROUTE_LENGTH = 64
LABEL_LENGTH = 128
SUBJECT_LENGTH = 256
URL_LENGTH = 2_048
STATE_LENGTH = 1_024
REQUEST_ID_LENGTH = 128
WIRE_ID_LENGTH = 128
ERROR_LENGTH = 1_000
# Of credentials of agents there are many more than of keys, so the part that finds one of them is longer.
LOOKUP_LENGTH = 16


def new_client_id() -> str:
    return new_id("acl")


class AgentClient(ProjectOwned):
    """A program that may speak the agent protocol for this project: its public name and its backend's token."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_client_id)
    app_id = models.CharField(max_length=APP_ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    authorize_url = models.CharField(max_length=URL_LENGTH, null=True)  # noqa: DJ001 -- null: the consent page here
    allowed_routes = ArrayField(models.CharField(max_length=ROUTE_LENGTH))
    enabled = models.BooleanField(default=True)
    token_lookup = models.CharField(max_length=LOOKUP_LENGTH)
    token_digest = models.BinaryField(max_length=32)
    sealed_callback_secret = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            # Agents present this name before the project is known, so it is one of the whole deployment. That a
            # name is taken can be found out by trying to take it, as with names of hosts.
            models.UniqueConstraint(fields=["app_id"], name="agent_client_app_id"),
            models.UniqueConstraint(fields=["token_lookup"], name="agent_client_token_lookup"),
            models.UniqueConstraint(fields=["project", "id"], name="agent_client_in_project"),
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="agent_clients_newest_first")]

    def __str__(self) -> str:
        return self.app_id


def new_authorization_id() -> str:
    return new_id("aut")


class AuthorizationStatus(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"


class Authorization(ProjectOwned):
    """A login under way: what an agent asks for, what was decided, and the one-time code that came of it.

    One that nobody decided on in time is expired; that is read off `expires_at` and stands in no status.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_authorization_id)
    client = models.ForeignKey(AgentClient, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    redirect_uri = models.CharField(max_length=URL_LENGTH)
    state = models.CharField(max_length=STATE_LENGTH)
    requested_routes = ArrayField(models.CharField(max_length=ROUTE_LENGTH))
    device_label = models.CharField(max_length=LABEL_LENGTH)
    code_challenge = models.CharField(max_length=43)
    status = models.CharField(max_length=8, default=AuthorizationStatus.PENDING)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.CharField(max_length=64, null=True)  # noqa: DJ001 -- null: by nobody yet
    principal = models.JSONField(null=True)
    on_behalf_of = models.CharField(max_length=SUBJECT_LENGTH, null=True)  # noqa: DJ001 -- null: as above
    allowed_routes = ArrayField(models.CharField(max_length=ROUTE_LENGTH), null=True)
    code_lookup = models.CharField(max_length=LOOKUP_LENGTH, null=True)  # noqa: DJ001 -- null: no code was given
    code_digest = models.BinaryField(max_length=32, null=True)
    code_expires_at = models.DateTimeField(null=True)
    code_used_at = models.DateTimeField(null=True)
    # What the code opened, so that its second use can end it.
    session = models.ForeignKey(
        "AgentSession", on_delete=models.CASCADE, null=True, related_name="+", db_constraint=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code_lookup"], name="authorization_code_lookup"),
            models.UniqueConstraint(fields=["project", "id"], name="authorization_in_project"),
        ]
        indexes = [models.Index(fields=["expires_at"], name="authorizations_by_age")]

    def __str__(self) -> str:
        return f"{self.status} {self.id}"


def new_session_id() -> str:
    return new_id("ses")


class AgentSession(ProjectOwned):
    """A client acting for a person, from a login to its end; it may use the routes that were approved."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_session_id)
    client = models.ForeignKey(AgentClient, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    device_label = models.CharField(max_length=LABEL_LENGTH)
    principal = models.JSONField()
    on_behalf_of = models.CharField(max_length=SUBJECT_LENGTH)
    allowed_routes = ArrayField(models.CharField(max_length=ROUTE_LENGTH))
    opened_by = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_reason = models.CharField(max_length=20, null=True)  # noqa: DJ001 -- null: not revoked
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "id"], name="agent_session_in_project")]
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="agent_sessions_newest_first"),
            models.Index(fields=["project", "client", "-created_at", "-id"], name="agent_sessions_of_client"),
            models.Index(fields=["expires_at"], name="agent_sessions_by_age"),
        ]

    def __str__(self) -> str:
        return self.id


class RevokedReason(models.TextChoices):
    AGENT = "agent"
    BACKEND = "backend"
    PROJECT = "project"
    TOKEN_REUSED = "token_reused"  # noqa: S105 -- a reason, no secret
    CODE_REUSED = "code_reused"
    MEMBER_LEFT = "member_left"


class TokenKind(models.TextChoices):
    ACCESS = "access"
    REFRESH = "refresh"


class AgentToken(ProjectOwned):
    """The hash of one access or refresh token; used refresh tokens stay, so that their reuse is noticed."""

    session = models.ForeignKey(AgentSession, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    kind = models.CharField(max_length=7)
    lookup = models.CharField(max_length=LOOKUP_LENGTH)
    digest = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["lookup"], name="agent_token_lookup")]
        indexes = [
            models.Index(fields=["project", "session"], name="agent_tokens_of_session"),
            models.Index(fields=["expires_at"], name="agent_tokens_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} token of {self.session_id}"


class RunStatus(models.TextChoices):
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Turn(ProjectOwned):
    """One question of a person to an agent: what was asked for, the answer frozen for it, and how it ended.

    Its id is that of the agent's run. Of what the agent said only a fingerprint is kept.
    """

    id = models.CharField(primary_key=True, max_length=RUN_ID_LENGTH)
    session = models.ForeignKey(
        AgentSession, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    route = models.CharField(max_length=ROUTE_LENGTH)
    conversation_id = models.CharField(max_length=WIRE_ID_LENGTH)
    client_turn_id = models.CharField(max_length=WIRE_ID_LENGTH)
    request_hash = models.BinaryField(max_length=32)
    # JSON, as it was sent.
    answer = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)
    completed_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=9, null=True)  # noqa: DJ001 -- null: not completed
    assistant_message_id = models.CharField(max_length=WIRE_ID_LENGTH, null=True)  # noqa: DJ001 -- null: as above
    completion_hash = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "session", "route", "conversation_id", "client_turn_id"], name="one_turn_a_key"
            ),
            models.UniqueConstraint(
                fields=["project", "session", "route", "conversation_id", "assistant_message_id"],
                name="one_run_an_assistant_message",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "session", "route", "-created_at"],
                condition=Q(completed_at=None),
                name="open_turns_newest_first",
            ),
            models.Index(fields=["created_at"], name="turns_by_age"),
        ]

    def __str__(self) -> str:
        return f"turn {self.id}"


class JobStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    ERROR = "error"
    REJECTED = "rejected"


OPEN_JOB = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])


class CallbackStatus(models.TextChoices):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Job(ProjectOwned):
    """One input for which a worker prepares the grounded context, and where to tell that it is done.

    A worker holds a job, or the sending of its callback, by a lease; `claims` numbers both, so that whoever comes
    back late with a result is told apart.
    """

    # The protocol's clients take ids of versions 1 to 5 only.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    client = models.ForeignKey(AgentClient, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    request_id = models.CharField(max_length=REQUEST_ID_LENGTH)
    request_hash = models.BinaryField(max_length=32)
    route = models.CharField(max_length=ROUTE_LENGTH)
    input = models.TextField()
    metadata: Any = models.JSONField(null=True)
    status = models.CharField(max_length=8, default=JobStatus.QUEUED)
    result: Any = models.JSONField(null=True)
    report: Any = models.JSONField(null=True)
    usage: Any = models.JSONField(null=True)
    error = models.CharField(max_length=ERROR_LENGTH, null=True)  # noqa: DJ001 -- callers see null for "none"
    callback_url = models.CharField(max_length=URL_LENGTH, null=True)  # noqa: DJ001 -- null: tell nobody
    callback_status = models.CharField(max_length=9, null=True)  # noqa: DJ001 -- null: nothing to send
    callback_attempts = models.PositiveSmallIntegerField(default=0)
    next_callback_at = models.DateTimeField(null=True)
    called_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    claims = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "client", "request_id"], name="one_job_a_request"),
            models.UniqueConstraint(fields=["project", "id"], name="job_in_project"),
        ]
        indexes = [
            models.Index(fields=["created_at"], condition=OPEN_JOB, name="jobs_open"),
            models.Index(fields=["project", "client"], condition=OPEN_JOB, name="jobs_open_of_client"),
            models.Index(
                fields=["next_callback_at"], condition=Q(callback_status="pending"), name="job_callbacks_due"
            ),
            models.Index(fields=["created_at"], name="jobs_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.id}"
