"""Accounts of people: those that somebody vouches for, and forgetting what nobody came back to."""

from datetime import timedelta
from importlib import import_module
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.projects import membership, queries
from apps.projects.models import User
from apps.projects.scoping import across_projects, project_scope
from apps.projects.services import actor_of

UNCONFIRMED_KEEPING_TIME: Final = timedelta(days=30)


@transaction.atomic
def create_person(email: str, password: str) -> User:
    """A person who can sign in at once; who signs up by themselves confirms the address by mail first."""
    person = User.objects.create_user(email, password)
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def remove_second_factor(person: User) -> bool:
    """Let somebody in by password alone who lost phone and recovery codes; whether there was a second factor."""
    deleted, _ = Authenticator.objects.filter(user=person).delete()
    return bool(deleted)


@transaction.atomic
def delete_person(person: User) -> None:
    """Remove a person with their places in projects and all their sessions; raises `last_owner`.

    What they did stays in the audit logs of the projects, under an id that names nobody any more.
    """
    for project in sorted(
        (project for project, _ in queries.projects_of(person.pk)), key=lambda project: project.id
    ):
        with project_scope(project.id):
            membership.remove(queries.lock_own_membership(project.id, person), actor=actor_of(person))
    for session in UserSession.objects.filter(user=person):
        session.end()
    # Django looks for their places before it removes them.
    with across_projects():
        person.delete()


def forget_unconfirmed_people() -> int:
    """Remove accounts whose address nobody confirmed in time; returns how many."""
    confirmed = EmailAddress.objects.filter(user_id=OuterRef("pk"), verified=True)
    waiting = User.objects.filter(~Exists(confirmed), date_joined__lt=timezone.now() - UNCONFIRMED_KEEPING_TIME)
    # They are in no project; Django looks for that before it removes them.
    with across_projects():
        _, by_model = waiting.delete()
    return by_model.get(User._meta.label, 0)  # noqa: SLF001 -- Django's public name of it


def forget_ended_sessions() -> None:
    """Remove sessions that expired, and what the list of sessions says of them."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    alive = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(alive)).delete()
