"""Everything that changes secrets."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.kernel import hooks
from apps.kernel.errors import AppError, FieldError
from apps.projects import audit
from apps.vault import envelope, errors
from apps.vault.models import Secret, new_secret_id
from apps.vault.values import canonical_hosts, value_fault

VALUE_FIELD: Final = "value"
_SHOWN_USERS: Final = 10


def create_secret(project_id: str, *, name: str, value: str, allowed_hosts: Sequence[str], actor: str) -> Secret:
    """Raises `secret_name_taken` and the refusals of values and hosts, all of them at once."""
    hosts = _checked(value, allowed_hosts)
    secret_id = new_secret_id()
    now = timezone.now()
    try:
        with transaction.atomic():
            secret = Secret.objects.add(
                id=secret_id,
                project_id=project_id,
                name=name,
                allowed_hosts=hosts,
                sealed=envelope.seal(project_id, secret_id, VALUE_FIELD, value),
                created_at=now,
                updated_at=now,
            )
    except IntegrityError as error:
        raise AppError(errors.SECRET_NAME_TAKEN, param="name") from error
    audit.record(project_id, actor=actor, action="secret.created", target=secret.id, name=name, hosts=hosts)
    return secret


def update_secret(
    secret: Secret, *, value: str | None = None, allowed_hosts: Sequence[str] | None = None, actor: str
) -> Secret:
    """Change what is given; every user of the secret gets the new value with its next request."""
    hosts = _checked(value, allowed_hosts)
    if value is not None:
        secret.sealed = envelope.seal(secret.project_id, secret.id, VALUE_FIELD, value)
        audit.record(secret.project_id, actor=actor, action="secret.value_changed", target=secret.id)
    if allowed_hosts is not None:
        _audit_hosts(secret, hosts, actor)
        secret.allowed_hosts = hosts
    secret.updated_at = timezone.now()
    secret.save(update_fields=["sealed", "allowed_hosts", "updated_at"])
    return secret


def delete_secret(secret: Secret, *, actor: str) -> None:
    """Raises `secret_in_use`, naming what uses it."""
    users = [user for find in hooks.secret_users for user in find(secret.project_id, secret.name)]
    if users:
        shown = ", ".join(user.name for user in users[:_SHOWN_USERS])
        raise AppError(errors.SECRET_IN_USE, params={"users": shown + (" …" if len(users) > _SHOWN_USERS else "")})
    audit.record(secret.project_id, actor=actor, action="secret.deleted", target=secret.id, name=secret.name)
    secret.delete()


def _checked(value: str | None, allowed_hosts: Sequence[str] | None) -> list[str]:
    """The hosts in canonical form; raises one refusal with all faults of value and hosts."""
    fault = None if value is None else value_fault(value)
    hosts, host_faults = canonical_hosts(
        allowed_hosts or (),
        own_host=urlsplit(settings.PUBLIC_URL).hostname or "",
        trusted_origins=settings.OUTBOUND_TRUSTED_ORIGINS,
    )
    faults: list[FieldError] = [*([fault] if fault else []), *host_faults]
    if faults:
        raise AppError.of_fields(faults)
    return hosts


def _audit_hosts(secret: Secret, hosts: list[str], actor: str) -> None:
    """Where a secret may go decides who can learn it, so a wider list can be told apart in the audit log."""
    added = [host for host in hosts if host not in secret.allowed_hosts]
    removed = [host for host in secret.allowed_hosts if host not in hosts]
    if not added and not removed:
        return
    audit.record(
        secret.project_id,
        actor=actor,
        action="secret.hosts_widened" if added else "secret.hosts_narrowed",
        target=secret.id,
        added=added,
        removed=removed,
    )
