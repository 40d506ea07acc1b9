"""A project's secrets, sealed, and the data key that seals them, itself sealed under a key of the deployment."""

from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from apps.kernel.ids import ID_LENGTH, new_id
from apps.projects.scoping import ProjectOwned

NAME_LENGTH = 64
HOST_LENGTH = 253


def new_data_key_id() -> str:
    return uuid4().hex


class DataKey(ProjectOwned):
    """The one key under which everything of a project is sealed; `wrapped_by` names the key that seals it."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_data_key_id)
    wrapped = models.BinaryField()
    wrapped_by = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project"], name="one_data_key_a_project")]
        indexes = [models.Index(fields=["wrapped_by"], name="data_keys_by_wrapping_key")]

    def __str__(self) -> str:
        return f"data key of {self.project_id}"


class PersonalKey(models.Model):
    """The one key, in the one row, under which what belongs to people and to no project is sealed."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH)
    wrapped = models.BinaryField()
    wrapped_by = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return "data key of people"


def new_secret_id() -> str:
    return new_id("sec")


class Secret(ProjectOwned):
    """A value that leaves only in a header, and only to one of the allowed hosts."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_secret_id)
    name = models.CharField(max_length=NAME_LENGTH)
    allowed_hosts = ArrayField(models.CharField(max_length=HOST_LENGTH))
    sealed = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="secret_name_in_project")]
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="secrets_newest_first")]

    def __str__(self) -> str:
        return self.name
