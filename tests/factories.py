"""One maker a model, with just enough in it to be valid."""

from dataclasses import dataclass
from datetime import datetime

from apps.projects.accounts import create_person
from apps.projects.models import ApiKey, Project, Role, User
from apps.projects.scoping import project_scope
from apps.projects.services import ALL_SCOPES, OPERATOR, Grant, add_member, create_key, create_project


@dataclass(frozen=True)
class Tenant:
    """A project and the text of a key with every scope."""

    project: Project
    key: str

    @property
    def id(self) -> str:
        return self.project.id


def make_tenant(name: str = "متجر العود") -> Tenant:
    project, key = create_project(name=name)
    return Tenant(project, key)


def make_key(
    tenant: Tenant,
    *,
    scopes: tuple[str, ...] = ALL_SCOPES,
    source_ids: list[str] | None = None,
    expires_at: datetime | None = None,
    name: str = "a key",
) -> tuple[ApiKey, str]:
    """A key and its text."""
    grant = Grant(frozenset(scopes), None if source_ids is None else tuple(source_ids), None)
    with project_scope(tenant.id):
        key, text = create_key(tenant.id, name=name, grant=grant, own=None, actor=OPERATOR)
        if expires_at is not None:
            key.expires_at = expires_at
            key.save(update_fields=["expires_at"])
    return key, text


def make_user(email: str, password: str = "a long password") -> User:
    return create_person(email, password)


def make_member(tenant: Tenant, email: str, role: Role = Role.EDITOR) -> User:
    user = make_user(email)
    add_member(tenant.id, user=user, role=role, actor=OPERATOR)
    return user
