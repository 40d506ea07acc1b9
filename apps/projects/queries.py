"""Everything that is read of projects, members and keys."""

import re
from collections.abc import Collection
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.projects import errors
from apps.projects.links import Promise
from apps.projects.models import ApiKey, AuditEntry, Invitation, Member, Project, Role, User
from apps.projects.scoping import across_projects

_NUMBER: Final = re.compile(r"[0-9]{1,18}", re.ASCII)


def get_project(project_id: str, *, lock: bool = False) -> Project:
    # Not `FOR UPDATE`: that would hold up whoever inserts a row of the project.
    projects = Project.objects.select_for_update(no_key=True) if lock else Project.objects.all()
    return projects.get(id=project_id)


def usage(project_id: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for count in hooks.usage_counters:
        counts.update(count(project_id))
    return counts


def limits() -> dict[str, int]:
    shown = {
        "requests_per_minute_per_key": settings.RATE_LIMIT_PER_KEY,
        "requests_per_minute_per_project": settings.RATE_LIMIT_PER_PROJECT,
    }
    for read in hooks.limit_readers:
        shown.update(read())
    return shown


def live_keys(project_id: str) -> QuerySet[ApiKey]:
    """Keys that were not revoked; expired ones stay visible until someone removes them."""
    return ApiKey.objects.for_project(project_id).filter(revoked_at=None)


def get_key(project_id: str, key_id: str, *, lock: bool = False) -> ApiKey:
    keys = live_keys(project_id)
    key = (keys.select_for_update() if lock else keys).filter(id=key_id).first()
    if key is None:
        raise AppError(errors.API_KEY_NOT_FOUND)
    return key


def projects_of(user_id: int) -> list[tuple[Project, str]]:
    """The projects a person is a member of, with the role, by name."""
    with across_projects():
        places = Member.objects.all_projects().filter(user_id=user_id).select_related("project")
        return sorted(((place.project, place.role) for place in places), key=lambda pair: pair[0].name)


def entries_of(project_id: str, *, about: str | None = None) -> QuerySet[AuditEntry]:
    """The project's audit log; `about` names the kind of thing that was dealt with, such as ``secret``."""
    entries = AuditEntry.objects.for_project(project_id)
    return entries if about is None else entries.filter(action__startswith=f"{about}.")


def names_of_actors(project_id: str, actors: Collection[str]) -> dict[str, str]:
    """People by their address and keys by their name; who is gone, or is neither, has no entry."""
    people = {actor.removeprefix("user:") for actor in actors if actor.startswith("user:")}
    users = User.objects.filter(pk__in=[pk for pk in people if _NUMBER.fullmatch(pk)])
    keys = ApiKey.objects.for_project(project_id).filter(id__in=[actor for actor in actors if ":" not in actor])
    return {**{f"user:{user.pk}": user.email for user in users}, **{key.id: key.name for key in keys}}


def owned_projects(user_id: int) -> int:
    """How many projects a person owns."""
    with across_projects():
        return Member.objects.all_projects().filter(user_id=user_id, role=Role.OWNER).count()


def only_owned(person: User) -> list[Project]:
    """The projects that would be left without an owner, by name."""
    with across_projects():
        members = Member.objects.all_projects()
        others = members.filter(project=OuterRef("project"), role=Role.OWNER).exclude(user=person)
        own = members.filter(user=person, role=Role.OWNER).exclude(Exists(others)).select_related("project")
        return sorted((place.project for place in own), key=lambda project: project.name)


def members_of(project_id: str) -> QuerySet[Member]:
    """The members with their accounts, those who came first at the top."""
    return Member.objects.for_project(project_id).select_related("user").order_by("id")


def lock_member(project_id: str, member_id: str) -> Member:
    """A member, while nobody else can change who is in the project; raises `member_not_found`."""
    get_project(project_id, lock=True)
    member = members_of(project_id).filter(id=int(member_id)).first() if _NUMBER.fullmatch(member_id) else None
    if member is None:
        raise AppError(errors.MEMBER_NOT_FOUND)
    return member


def lock_own_membership(project_id: str, person: User) -> Member:
    """The same for a person's own place."""
    get_project(project_id, lock=True)
    member = members_of(project_id).filter(user=person).first()
    if member is None:
        raise AppError(errors.MEMBER_NOT_FOUND)
    return member


def invitations_of(project_id: str) -> QuerySet[Invitation]:
    return Invitation.objects.for_project(project_id).select_related("project").order_by("-created_at", "-id")


def get_invitation(project_id: str, invitation_id: str, *, lock: bool = False) -> Invitation:
    """Raises `invitation_not_found`."""
    invitations = invitations_of(project_id)
    invitation = (
        (invitations.select_for_update(of=("self",)) if lock else invitations).filter(id=invitation_id).first()
    )
    if invitation is None:
        raise AppError(errors.INVITATION_NOT_FOUND)
    return invitation


def promised_invitation(promise: Promise, *, lock: bool = False) -> Invitation:
    """The invitation of a link, in its project's scope, while link and invitation are good.

    Raises `invitation_not_found`.
    """
    invitation = get_invitation(promise.project_id, promise.invitation_id, lock=lock)
    expires_at = invitation.expires_at
    if expires_at.timestamp() != promise.expires_at or expires_at <= timezone.now():
        raise AppError(errors.INVITATION_NOT_FOUND)
    return invitation
