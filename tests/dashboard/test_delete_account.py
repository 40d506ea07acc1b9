"""Deleting one's own account: the password again, no project without an owner, and what stays behind."""

import re

import pytest
from django.core import mail

from apps.projects.membership import change_role
from apps.projects.models import AuditEntry, Member, Role, User
from apps.projects.queries import lock_own_membership
from apps.projects.scoping import across_projects, project_scope
from tests.dashboard.test_account import PASSWORD, is_in, on_a_device
from tests.dashboard.world import signed_in
from tests.factories import Tenant, make_member


@pytest.fixture
def editor(shop: Tenant, owner: User) -> User:
    return make_member(shop, "leaving@shop.example", Role.EDITOR)


def delete(person: User, password: str = PASSWORD) -> int:
    return on_a_device(person).post("/account/delete", {"password": password}).status_code


def exists(person: User) -> bool:
    return User.objects.filter(pk=person.pk).exists()


def test_an_account_goes_with_its_places_and_sessions(editor: User) -> None:
    there, here = on_a_device(editor), on_a_device(editor)

    answer = here.post("/account/delete", {"password": PASSWORD}, follow=True)

    assert "Your account was deleted." in answer.content.decode()
    assert not exists(editor)
    assert (is_in(here), is_in(there)) == (False, False)
    with across_projects():
        assert not Member.objects.all_projects().filter(user_id=editor.pk).exists()


def test_nobody_can_sign_in_with_it_any_more(editor: User) -> None:
    delete(editor)

    assert not is_in(on_a_device(editor))


@pytest.mark.parametrize("password", ["", "a wrong password"])
def test_without_the_password_nothing_is_deleted(editor: User, password: str) -> None:
    assert delete(editor, password) == 200
    assert exists(editor)


def test_signing_in_a_moment_ago_does_not_stand_for_the_password(editor: User) -> None:
    assert signed_in(editor).post("/account/delete").status_code == 200
    assert exists(editor)


def test_the_only_owner_of_a_project_stays_and_is_told_why(shop: Tenant, owner: User) -> None:
    answer = on_a_device(owner).post("/account/delete", {"password": PASSWORD})

    assert answer.status_code == 409
    assert exists(owner)
    assert "while you are the only owner" in answer.content.decode()
    assert f'href="/p/{shop.id}/members"' in answer.content.decode()


def test_an_owner_beside_another_one_may_go(shop: Tenant, owner: User, editor: User) -> None:
    with project_scope(shop.id):
        change_role(lock_own_membership(shop.id, editor), role=Role.OWNER, actor="operator")

    delete(owner)

    assert not exists(owner)


def test_what_they_did_stays_in_the_log_under_their_id(shop: Tenant, owner: User, editor: User) -> None:
    delete(editor)

    with project_scope(shop.id):
        left = AuditEntry.objects.for_project(shop.id).get(action="member.left")
    assert (left.actor, left.target) == (f"user:{editor.pk}", f"user:{editor.pk}")
    log = signed_in(owner).get(f"/p/{shop.id}/audit").content.decode()
    assert f'<code class="small">user:{editor.pk}</code>' in log
    assert editor.email not in log


def test_the_address_is_told(editor: User) -> None:
    mail.outbox.clear()

    delete(editor)

    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        ([editor.email], "Your account at Mawrid was deleted")
    ]


def test_the_page_leads_there_and_says_what_is_lost(editor: User) -> None:
    client = signed_in(editor)

    assert 'href="/account/delete"' in client.get("/account").content.decode()
    assert re.search("You leave all your projects", client.get("/account/delete").content.decode())
