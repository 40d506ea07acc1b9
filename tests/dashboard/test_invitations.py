"""Inviting somebody and joining: the link is for one address, for a while, and for once."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from apps.projects import invitation_mail, links, membership, queries
from apps.projects.models import Invitation, Role, User
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR
from tests.dashboard.world import signed_in
from tests.factories import Tenant, make_member, make_user

EMAIL = "new@shop.example"


@pytest.fixture
def invitation(shop: Tenant) -> Invitation:
    with project_scope(shop.id):
        return membership.invite(shop.id, email=EMAIL, role=Role.EDITOR, language="en", actor=OPERATOR)


def path_of(invitation: Invitation) -> str:
    return f"/invitations/{links.invitation_token(invitation)}"


def roles_in(tenant: Tenant) -> dict[str, str]:
    with project_scope(tenant.id):
        return {member.user.email: member.role for member in queries.members_of(tenant.id)}


def test_a_new_person_signs_up_by_the_link_without_a_second_mail(shop: Tenant, invitation: Invitation) -> None:
    client, path = signed_in(None), path_of(invitation)
    client.get(path)

    client.post("/accounts/signup/", {"email": EMAIL, "password1": "kahraman-and-oud", "next": path})
    joined = client.post(path)

    assert joined["Location"] == f"/p/{shop.id}"
    assert roles_in(shop) == {EMAIL: "editor"}
    assert mail.outbox == []


def test_somebody_with_an_account_signs_in_and_joins(shop: Tenant, invitation: Invitation) -> None:
    make_user(EMAIL)
    client, path = signed_in(None), path_of(invitation)

    client.post("/accounts/login/", {"login": EMAIL, "password": "a long password", "next": path})
    client.post(path)

    assert roles_in(shop) == {EMAIL: "editor"}


def test_an_invitation_opens_a_closed_sign_up_for_its_address(
    shop: Tenant, invitation: Invitation, settings: Settings
) -> None:
    settings.SIGNUP_OPEN = False
    client = signed_in(None)
    client.get(path_of(invitation))

    client.post("/accounts/signup/", {"email": "other@shop.example", "password1": "kahraman-and-oud"})
    client.post("/accounts/signup/", {"email": EMAIL, "password1": "kahraman-and-oud"})

    assert list(User.objects.values_list("email", flat=True)) == [EMAIL]


def test_the_link_is_for_the_invited_address_alone(shop: Tenant, invitation: Invitation, outsider: User) -> None:
    client = signed_in(outsider)

    shown, sent = client.get(path_of(invitation)), client.post(path_of(invitation))

    assert "for somebody else" in shown.content.decode()
    assert sent.status_code == 403
    assert roles_in(shop) == {}


def test_a_stranger_who_sends_the_form_signs_in_first(shop: Tenant, invitation: Invitation) -> None:
    answer = signed_in(None).post(path_of(invitation))

    assert answer["Location"].startswith("/accounts/login/?next=/invitations/")


def test_a_link_works_once(shop: Tenant, invitation: Invitation) -> None:
    client = signed_in(make_user(EMAIL))
    client.post(path_of(invitation))

    assert client.get(path_of(invitation)).status_code == 404


def test_a_link_works_for_a_week(shop: Tenant, invitation: Invitation) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1)):
        answer = signed_in(None).get(path_of(invitation))

    assert answer.status_code == 404
    assert "The invitation is no longer good" in answer.content.decode()


def test_a_withdrawn_invitation_is_gone(shop: Tenant, invitation: Invitation) -> None:
    path = path_of(invitation)
    with project_scope(shop.id):
        membership.withdraw(invitation, actor=OPERATOR)

    assert signed_in(None).get(path).status_code == 404


def test_sending_again_ends_the_link_before(shop: Tenant, invitation: Invitation) -> None:
    before = path_of(invitation)
    with time_machine.travel(timezone.now() + membership.RESEND_PAUSE), project_scope(shop.id):
        membership.resend(invitation, language="en", actor=OPERATOR)

    assert signed_in(None).get(before).status_code == 404
    assert signed_in(None).get(path_of(invitation)).status_code == 200


def _swapped(token: str) -> str:
    head, _, mark = token.partition(".")
    return f"{head}.{mark[::-1]}"


DAMAGES: Final[list[Callable[[str], str]]] = [
    lambda token: token[:-1],
    lambda token: token + "x",
    lambda token: "A" + token[1:],
    _swapped,
    lambda token: token.partition(".")[0],
    lambda token: "." + token,
    lambda token: token * 50,
    lambda token: "é" + token,
    lambda token: "%00" + token,
]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.conformance("A-6")
def test_a_damaged_link_is_no_link(damage: Callable[[str], str], invitation: Invitation) -> None:
    token = links.invitation_token(invitation)

    assert signed_in(None).get(f"/invitations/{damage(token)}").status_code == 404


def test_who_is_a_member_already_keeps_the_role(shop: Tenant, invitation: Invitation) -> None:
    person = make_member(shop, EMAIL, Role.OWNER)

    signed_in(person).post(path_of(invitation))

    assert roles_in(shop) == {EMAIL: "owner"}


def test_the_mail_is_sent_after_the_commit_with_a_link(
    shop: Tenant, owner: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        signed_in(owner).post(f"/p/{shop.id}/members/invite", {"email": EMAIL, "role": "viewer"})
    with project_scope(shop.id):
        made = queries.invitations_of(shop.id).get()

    invitation_mail.send(shop.id, made.id)

    assert len(callbacks) == 1
    assert mail.outbox[0].to == [EMAIL]
    assert path_of(made) in mail.outbox[0].body
    assert "viewer" in mail.outbox[0].body


def test_the_mail_is_sent_once(shop: Tenant, invitation: Invitation) -> None:
    assert invitation_mail.send(shop.id, invitation.id)
    assert not invitation_mail.send(shop.id, invitation.id)


@pytest.mark.parametrize("language", ["ar", "en"])
def test_the_mail_is_in_the_language_of_whoever_invites(shop: Tenant, language: str) -> None:
    with project_scope(shop.id):
        made = membership.invite(shop.id, email=EMAIL, role=Role.OWNER, language=language, actor=OPERATOR)

    invitation_mail.send(shop.id, made.id)

    assert bool(re.search(r"[ا-ي]", mail.outbox[0].body.replace(shop.project.name, ""))) == (language == "ar")


@pytest.mark.parametrize(
    ("email", "sentence"),
    [
        ("owner@shop.example", "is a member of the project already"),
        ("OWNER@shop.example", "is a member of the project already"),
        ("new@shop.example", "is invited already"),
        ("nothing", "Enter a valid email address"),
        ("", "This field is required"),
    ],
)
def test_who_cannot_be_invited_is_told_at_the_field(
    shop: Tenant, owner: User, invitation: Invitation, email: str, sentence: str
) -> None:
    answer = signed_in(owner).post(f"/p/{shop.id}/members/invite", {"email": email, "role": "viewer"})

    assert sentence in answer.content.decode()


def test_an_invitation_is_not_sent_again_at_once(shop: Tenant, owner: User, invitation: Invitation) -> None:
    answer = signed_in(owner).post(f"/p/{shop.id}/invitations/{invitation.id}/resend", follow=True)

    assert "Wait 5 minutes" in answer.content.decode()


@pytest.mark.conformance("A-6")
def test_nobody_mails_the_world(shop: Tenant, owner: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"invite": "1/d/user"}
    client, path = signed_in(owner), f"/p/{shop.id}/members/invite"
    client.post(path, {"email": EMAIL, "role": "viewer"})

    refused = client.post(path, {"email": "another@shop.example", "role": "viewer"})

    assert refused.status_code == 429
    assert "Go on tomorrow" in refused.content.decode()


def test_a_project_has_room_for_so_many(shop: Tenant, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "MAX_MEMBERS", 1)

    answer = signed_in(owner).post(f"/p/{shop.id}/members/invite", {"email": EMAIL, "role": "viewer"})

    assert "at most 1 members" in answer.content.decode()


def test_invitations_long_expired_are_forgotten(shop: Tenant, invitation: Invitation) -> None:
    with time_machine.travel(invitation.expires_at + membership.INVITATION_KEEPING_TIME + timedelta(seconds=1)):
        assert membership.forget_old_invitations() == 1
