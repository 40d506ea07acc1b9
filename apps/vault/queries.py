"""Everything that is read of secrets, except their values."""

from django.db.models import QuerySet

from apps.kernel.errors import AppError
from apps.vault import errors
from apps.vault.models import Secret


def secrets_of(project_id: str) -> QuerySet[Secret]:
    return Secret.objects.for_project(project_id)


def get_secret(project_id: str, secret_id: str, *, lock: bool = False) -> Secret:
    """Raises `secret_not_found`; `lock` keeps others from changing it before this transaction ends."""
    secrets = secrets_of(project_id)
    secret = (secrets.select_for_update() if lock else secrets).filter(id=secret_id).first()
    if secret is None:
        raise AppError(errors.SECRET_NOT_FOUND)
    return secret
