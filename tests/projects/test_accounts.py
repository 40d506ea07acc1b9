"""Accounts: who is forgotten and when, and how somebody without phone and codes gets in again."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.projects import accounts
from apps.projects.models import User
from tests.factories import make_user

LATER = accounts.UNCONFIRMED_KEEPING_TIME + timedelta(seconds=1)


def sign_up(email: str) -> None:
    Client().post("/accounts/signup/", {"email": email, "password1": "kahraman-and-oud"})


def test_an_account_that_nobody_confirmed_is_forgotten(db: None) -> None:
    sign_up("new@shop.example")

    with time_machine.travel(timezone.now() + LATER):
        assert accounts.forget_unconfirmed_people() == 1
    assert not User.objects.exists()
    assert not EmailAddress.objects.exists()


def test_until_then_it_waits(db: None) -> None:
    sign_up("new@shop.example")

    assert accounts.forget_unconfirmed_people() == 0


def test_people_with_a_confirmed_address_stay(member: User, outsider: User) -> None:
    with time_machine.travel(timezone.now() + LATER):
        assert accounts.forget_unconfirmed_people() == 0
    assert User.objects.count() == 2


def test_ended_sessions_are_forgotten(outsider: User) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": outsider.email, "password": "a long password"})

    accounts.forget_ended_sessions()
    before = (Session.objects.count(), UserSession.objects.count())
    with time_machine.travel(timezone.now() + timedelta(days=20)):
        accounts.forget_ended_sessions()

    assert before == (1, 1)
    assert (Session.objects.count(), UserSession.objects.count()) == (0, 0)


def test_an_operator_removes_a_second_factor(outsider: User) -> None:
    TOTP.activate(outsider, "A" * 32)
    RecoveryCodes.activate(outsider)

    call_command("remove_second_factor", outsider.email.upper(), verbosity=0)

    assert not Authenticator.objects.exists()


@pytest.mark.parametrize(
    ("email", "sentence"), [("nobody@shop.example", "Nobody"), ("known@shop.example", "no second")]
)
def test_where_there_is_none_to_remove_it_says_so(db: None, email: str, sentence: str) -> None:
    make_user("known@shop.example")

    with pytest.raises(CommandError, match=sentence):
        call_command("remove_second_factor", email)
