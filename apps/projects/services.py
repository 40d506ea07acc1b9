"""Everything that changes projects, members and keys."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from apps.kernel import hooks
from apps.kernel.errors import AppError, FieldError
from apps.projects import audit, errors, keys, queries
from apps.projects.models import ApiKey, IdempotencyRecord, Locale, Member, Project, Role, User, new_project_id
from apps.projects.scoping import across_projects, project_scope

ROTATION_OVERLAP: Final = timedelta(hours=24)
IDEMPOTENCY_KEEPING_TIME: Final = timedelta(hours=24)
ALL_SCOPES: Final = ("search", "read", "write")
OPERATOR: Final = "operator"
MAX_PROJECTS_OF_A_PERSON: Final = 100


@dataclass(frozen=True, slots=True)
class Grant:
    """What a key may do: scopes, the sources it is limited to (None for all), and until when (None for ever)."""

    scopes: frozenset[str]
    source_ids: tuple[str, ...] | None
    expires_at: datetime | None

    def covers(self, other: "Grant") -> bool:
        """Whether the other grant is no stronger than this one in any respect."""
        return (
            other.scopes <= self.scopes
            and _sources_within(other.source_ids, self.source_ids)
            and _ends_by(other.expires_at, self.expires_at)
        )


def _sources_within(inner: tuple[str, ...] | None, outer: tuple[str, ...] | None) -> bool:
    return outer is None or (inner is not None and set(inner) <= set(outer))


def _ends_by(inner: datetime | None, outer: datetime | None) -> bool:
    return outer is None or (inner is not None and inner <= outer)


def create_project(*, name: str, locale: str = Locale.ARABIC) -> tuple[Project, str]:
    """A project and its first key, with every scope, in clear."""
    project = Project(id=new_project_id(), name=name, locale=locale)
    with project_scope(project.id):
        _insert_project(project, actor=OPERATOR)
        _, text = _insert_key(
            project.id, name="default", grant=Grant(frozenset(ALL_SCOPES), None, None), actor=OPERATOR
        )
    return project, text


def found_project(*, name: str, locale: str, owner: User) -> Project:
    """A person's new project, with them as its owner and no key yet.

    Raises `too_many_projects`.
    """
    if queries.owned_projects(owner.pk) >= MAX_PROJECTS_OF_A_PERSON:
        raise AppError(errors.TOO_MANY_PROJECTS, params={"limit": MAX_PROJECTS_OF_A_PERSON})
    project = Project(id=new_project_id(), name=name, locale=locale)
    with project_scope(project.id):
        _insert_project(project, actor=actor_of(owner))
        add_member(project.id, user=owner, role=Role.OWNER, actor=actor_of(owner))
    return project


def _insert_project(project: Project, *, actor: str) -> None:
    project.save(force_insert=True)
    audit.record(project.id, actor=actor, action="project.created", target=project.id)


def actor_of(person: User) -> str:
    """A person as the audit log names them."""
    return f"user:{person.pk}"


def update_project(project: Project, *, actor: str, name: str | None = None, locale: str | None = None) -> Project:
    """Change what is given; what is given as it was changes nothing, so nobody's `If-Match` fails for it."""
    wanted = {
        "name": project.name if name is None else name,
        "locale": project.locale if locale is None else locale,
    }
    if wanted == {"name": project.name, "locale": project.locale}:
        return project
    project.name, project.locale = wanted["name"], wanted["locale"]
    project.updated_at = timezone.now()
    project.save(update_fields=["name", "locale", "updated_at"])
    audit.record(project.id, actor=actor, action="project.changed", target=project.id)
    return project


def note_trial(project: Project) -> None:
    """Remember that a member has tried the search; of what was asked nothing is kept."""
    if project.search_tried_at is None:
        # Nothing when the project is gone meanwhile.
        Project.objects.filter(id=project.id, search_tried_at=None).update(search_tried_at=timezone.now())


def delete_project(project_id: str) -> None:
    """Remove a project with everything that is known of it, in the database and outside.

    Raises `Project.DoesNotExist`.
    """
    with across_projects():
        project = Project.objects.get(id=project_id)
        for erase in hooks.project_erasers:
            erase(project_id)
        project.delete()


def add_member(project_id: str, *, user: User, role: Role, actor: str) -> Member:
    with project_scope(project_id):
        member = Member.objects.add(project_id=project_id, user=user, role=role)
        audit.record(project_id, actor=actor, action="member.added", target=f"user:{user.pk}", role=role.value)
    return member


def create_key(project_id: str, *, name: str, grant: Grant, own: Grant | None, actor: str) -> tuple[ApiKey, str]:
    """A new key and its text in clear. `own` is the grant of the key that asks, None for a member.

    Raises `key_stronger_than_own`, `expiry_in_the_past`, `knowledge_source_not_found`.
    """
    if grant.expires_at is not None and grant.expires_at <= timezone.now():
        raise AppError(errors.EXPIRY_IN_THE_PAST, param="expires_at")
    _require_cover(own, grant)
    _require_known_sources(project_id, grant)
    return _insert_key(project_id, name=name, grant=grant, actor=actor)


def revoke_key(key: ApiKey, *, actor: str) -> None:
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    audit.record(key.project_id, actor=actor, action="api_key.revoked", target=key.id)


def rotate_key(key: ApiKey, *, own: Grant | None, actor: str) -> tuple[ApiKey, str]:
    """A successor with the same name and grant; the old key ends after `ROTATION_OVERLAP` at the latest.

    Raises `key_stronger_than_own`: rotating shows the new key, so it must not lend more than the asker has.
    """
    grant = grant_of(key)
    _require_cover(own, grant)
    successor, text = _insert_key(key.project_id, name=key.name, grant=grant, actor=actor, rotated_from=key)
    overlap_end = timezone.now() + ROTATION_OVERLAP
    key.expires_at = overlap_end if key.expires_at is None else min(key.expires_at, overlap_end)
    key.save(update_fields=["expires_at"])
    return successor, text


def grant_of(key: ApiKey) -> Grant:
    source_ids = None if key.source_ids is None else tuple(key.source_ids)
    return Grant(frozenset(key.scopes), source_ids, key.expires_at)


def _require_cover(own: Grant | None, grant: Grant) -> None:
    if own is not None and not own.covers(grant):
        raise AppError(errors.KEY_STRONGER_THAN_OWN)


def _require_known_sources(project_id: str, grant: Grant) -> None:
    """Refuse ids that no source of the project has, like ids that do not exist, naming each."""
    if grant.source_ids is None:
        return
    known: set[str] = set()
    for look_up in hooks.known_sources:
        known |= look_up(project_id, list(grant.source_ids))
    unknown = [
        FieldError(errors.KNOWLEDGE_SOURCE_NOT_FOUND, f"source_ids[{position}]")
        for position, source_id in enumerate(grant.source_ids)
        if source_id not in known
    ]
    if unknown:
        raise AppError.of_fields(unknown)


def _insert_key(
    project_id: str, *, name: str, grant: Grant, actor: str, rotated_from: ApiKey | None = None
) -> tuple[ApiKey, str]:
    new = keys.new_key()
    with transaction.atomic():
        key = ApiKey.objects.add(
            project_id=project_id,
            name=name,
            lookup=new.lookup,
            digest=new.digest,
            last_four=new.last_four,
            scopes=_ordered(grant.scopes),
            source_ids=None if grant.source_ids is None else list(grant.source_ids),
            created_by=actor,
            expires_at=grant.expires_at,
            rotated_from=rotated_from,
        )
        audit.record(project_id, actor=actor, action="api_key.created", target=key.id, scopes=key.scopes)
    return key, new.text


def _ordered(scopes: Collection[str]) -> list[str]:
    return [scope for scope in ALL_SCOPES if scope in scopes]


def forget_old_idempotency_records() -> int:
    """Remove stored answers that may no longer be replayed, of all projects; returns how many."""
    with across_projects():
        oldest = timezone.now() - IDEMPOTENCY_KEEPING_TIME
        deleted, _ = IdempotencyRecord.objects.all_projects().filter(created_at__lt=oldest).delete()
    return deleted
