"""Tenants, the people in them, their keys, and what must be remembered of requests and deeds."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.scoping import ProjectOwned

NAME_LENGTH = 200


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save()
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser):
    """A person, known by e-mail address, who may be a member of several projects."""

    email = models.EmailField(unique=True)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    def __str__(self) -> str:
        return self.email


class Locale(models.TextChoices):
    ARABIC = "ar"
    ENGLISH = "en"


def new_project_id() -> str:
    return new_id("prj")


class Project(models.Model):
    """A tenant: everything else belongs to exactly one."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_project_id)
    name = models.CharField(max_length=NAME_LENGTH)
    locale = models.CharField(max_length=2, default=Locale.ARABIC)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    # When a member first tried the search; what members try is counted nowhere else.
    search_tried_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"


class Member(ProjectOwned):
    """A person's place in a project."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=6)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_place_in_a_project")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.project_id}"


def new_invitation_id() -> str:
    return new_id("inv")


class Invitation(ProjectOwned):
    """A place in a project that waits for the person with an address; gone when it is taken or withdrawn."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_invitation_id)
    email = models.EmailField()
    role = models.CharField(max_length=6)
    # The language of the page on which somebody was invited, and so of the mail.
    language = models.CharField(max_length=2)
    created_at = models.DateTimeField(default=timezone.now)
    # The link in the mail names this time too, so a new one ends the links before it.
    expires_at = models.DateTimeField()
    asked_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "email"], name="one_invitation_an_address")]
        indexes = [models.Index(fields=["expires_at"], name="invitations_by_expiry")]

    def __str__(self) -> str:
        return f"{self.email} as {self.role} of {self.project_id}"


def new_key_id() -> str:
    return new_id("key")


class ApiKey(ProjectOwned):
    """A project's key: its look-up part, the hash of the whole, and what it may do. The key itself is not kept."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_key_id)
    name = models.CharField(max_length=NAME_LENGTH)
    lookup = models.CharField(max_length=8)
    digest = models.BinaryField(max_length=32)
    last_four = models.CharField(max_length=4)
    scopes = ArrayField(models.CharField(max_length=6))
    source_ids = ArrayField(models.CharField(max_length=ID_LENGTH), null=True)
    created_by = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    rotated_from = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="+", db_constraint=False
    )

    class Meta:
        constraints = [
            # The look-up part finds the project, so it must be unique before the project is known. It is random
            # and no tenant chooses it, so a clash tells nobody anything.
            models.UniqueConstraint(fields=["lookup"], name="api_key_lookup"),
            models.UniqueConstraint(fields=["project", "id"], name="api_key_in_project"),
        ]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="api_key_newest_first")]

    def __str__(self) -> str:
        return f"{self.name} (…{self.last_four})"


class IdempotencyRecord(ProjectOwned):
    """One POST with an Idempotency-Key: claimed while it runs, holding its sealed answer afterwards."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=512)
    key_hash = models.BinaryField(max_length=32)
    body_hash = models.BinaryField(max_length=32)
    claim = models.CharField(max_length=ID_LENGTH)
    claimed_until = models.DateTimeField()
    sealed_answer = models.BinaryField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "api_key", "method", "path", "key_hash"], name="one_answer_a_key"
            )
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotency_by_age")]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class AuditEntry(ProjectOwned):
    """What was done to keys, secrets, members, endpoints and contents, by whom and when."""

    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=64)
    action = models.CharField(max_length=64)
    target = models.CharField(max_length=64)
    details = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["project", "-at"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
