"""Accounts of people whose address somebody vouches for: an operator, or the demo on this machine."""

from allauth.account.models import EmailAddress
from django.db import transaction

from apps.projects.models import User


@transaction.atomic
def create_person(email: str, password: str) -> User:
    """A person who can sign in at once; who signs up by themselves confirms the address by mail first."""
    person = User.objects.create_user(email, password)
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person
