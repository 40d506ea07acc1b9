"""Who is in a project: inviting by e-mail, joining, changing roles, leaving.

A project always has an owner: a member whose place changes was read by `queries.lock_member`, so two owners cannot
leave in the same moment.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from apps.kernel.errors import AppError
from apps.kernel.hooks import departures
from apps.projects import audit, errors, links, queries
from apps.projects.models import Invitation, Member, Role, User
from apps.projects.scoping import across_projects, project_scope
from apps.projects.services import actor_of
from apps.projects.wakeup import send_invitation_on_commit

INVITATION_LIFE: Final = timedelta(days=7)
RESEND_PAUSE: Final = timedelta(minutes=5)
INVITATION_KEEPING_TIME: Final = timedelta(days=30)
MAX_MEMBERS: Final = 200


@transaction.atomic
def invite(project_id: str, *, email: str, role: Role, language: str, actor: str) -> Invitation:
    """Offer somebody a place; the mail with the link is sent after the commit.

    Raises `already_member`, `already_invited`, `too_many_members`.
    """
    queries.get_project(project_id, lock=True)
    address = email.strip().lower()
    members, invitations = queries.members_of(project_id), queries.invitations_of(project_id)
    if members.filter(user__email__iexact=address).exists():
        raise AppError(errors.ALREADY_MEMBER, param="email")
    if invitations.filter(email=address).exists():
        raise AppError(errors.ALREADY_INVITED, param="email")
    if members.count() + invitations.count() >= MAX_MEMBERS:
        raise AppError(errors.TOO_MANY_MEMBERS, params={"limit": MAX_MEMBERS})
    invitation = Invitation.objects.add(
        project_id=project_id,
        email=address,
        role=role,
        language=language,
        expires_at=timezone.now() + INVITATION_LIFE,
    )
    audit.record(project_id, actor=actor, action="member.invited", target=invitation.id, email=address, role=role)
    send_invitation_on_commit(project_id, invitation.id)
    return invitation


@transaction.atomic
def resend(invitation: Invitation, *, language: str, actor: str) -> None:
    """Send a locked invitation again, with a new link and a new expiry; raises `invitation_just_sent`."""
    now = timezone.now()
    if now < invitation.asked_at + RESEND_PAUSE:
        minutes = int(RESEND_PAUSE.total_seconds() // 60)
        raise AppError(errors.INVITATION_JUST_SENT, params={"minutes": minutes})
    invitation.language, invitation.asked_at, invitation.sent_at = language, now, None
    invitation.expires_at = now + INVITATION_LIFE
    invitation.save(update_fields=["language", "asked_at", "sent_at", "expires_at"])
    audit.record(
        invitation.project_id,
        actor=actor,
        action="member.invited_again",
        target=invitation.id,
        email=invitation.email,
    )
    send_invitation_on_commit(invitation.project_id, invitation.id)


@transaction.atomic
def withdraw(invitation: Invitation, *, actor: str) -> None:
    """Take a locked invitation back; its link ends."""
    audit.record(
        invitation.project_id,
        actor=actor,
        action="member.invitation_withdrawn",
        target=invitation.id,
        email=invitation.email,
    )
    invitation.delete()


def accept(token: str, *, person: User) -> str:
    """Take the place that a link offers; the project's id. Who is a member already stays what they are.

    Raises `invitation_not_found` and `invitation_of_another`.
    """
    promise = links.read_invitation(token)
    if promise is None:
        raise AppError(errors.INVITATION_NOT_FOUND)
    with project_scope(promise.project_id):
        invitation = queries.promised_invitation(promise, lock=True)
        if invitation.email != person.email.lower():
            raise AppError(errors.INVITATION_OF_ANOTHER)
        _join(invitation, person)
    return promise.project_id


def _join(invitation: Invitation, person: User) -> None:
    project_id, name = invitation.project_id, actor_of(person)
    if not queries.members_of(project_id).filter(user=person).exists():
        Member.objects.add(project_id=project_id, user=person, role=invitation.role)
        audit.record(
            project_id,
            actor=name,
            action="member.joined",
            target=name,
            role=invitation.role,
            invitation=invitation.id,
        )
    invitation.delete()


@transaction.atomic
def change_role(member: Member, *, role: Role, actor: str) -> Member:
    """Change what a locked member may do; raises `last_owner`."""
    if member.role == role:
        return member
    _require_another_owner(member)
    before, member.role = member.role, role
    member.save(update_fields=["role"])
    audit.record(
        member.project_id,
        actor=actor,
        action="member.role_changed",
        target=f"user:{member.user_id}",
        role=role.value,
        before=before,
    )
    return member


@transaction.atomic
def remove(member: Member, *, actor: str) -> None:
    """Take a locked member out of the project, or let one leave, with all that they let in; raises `last_owner`."""
    _require_another_owner(member)
    target = f"user:{member.user_id}"
    member.delete()
    action = "member.left" if actor == target else "member.removed"
    audit.record(member.project_id, actor=actor, action=action, target=target, role=member.role)
    for depart in departures:
        depart(member.project_id, target, actor)


def _require_another_owner(member: Member) -> None:
    if member.role != Role.OWNER:
        return
    if not queries.members_of(member.project_id).filter(role=Role.OWNER).exclude(pk=member.pk).exists():
        raise AppError(errors.LAST_OWNER)


def forget_old_invitations() -> int:
    """Remove invitations that expired long ago, of all projects; returns how many."""
    with across_projects():
        oldest = timezone.now() - INVITATION_KEEPING_TIME
        deleted, _ = Invitation.objects.all_projects().filter(expires_at__lt=oldest).delete()
    return deleted
