"""Roles, removing and leaving: a project always keeps an owner, and every change is in the audit log."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.projects import queries
from apps.projects.models import AuditEntry, Member, Role, User
from apps.projects.scoping import project_scope
from tests.dashboard.world import signed_in
from tests.factories import Tenant, make_member


def place_of(tenant: Tenant, person: User) -> Member:
    with project_scope(tenant.id):
        return queries.members_of(tenant.id).get(user=person)


def send(tenant: Tenant, by: User, page: str, **form: Any) -> str:
    answer = signed_in(by).post(f"/p/{tenant.id}/members/{page}", form, follow=True)
    return answer.content.decode()


def audited(tenant: Tenant) -> list[str]:
    with project_scope(tenant.id):
        entries = AuditEntry.objects.for_project(tenant.id).filter(action__startswith="member.").order_by("id")
        return [f"{entry.actor} {entry.action} {entry.target}" for entry in entries]


@pytest.mark.conformance("A-9")
def test_an_owner_changes_a_role(shop: Tenant, owner: User, member: User) -> None:
    send(shop, owner, f"{place_of(shop, member).pk}/role", role="viewer")

    assert place_of(shop, member).role == Role.VIEWER
    assert audited(shop)[-1] == f"user:{owner.pk} member.role_changed user:{member.pk}"


@pytest.mark.conformance("A-9")
def test_an_owner_removes_a_member_who_then_sees_nothing(shop: Tenant, owner: User, member: User) -> None:
    send(shop, owner, f"{place_of(shop, member).pk}/remove")

    assert signed_in(member).get(f"/p/{shop.id}").status_code == 404
    assert audited(shop)[-1] == f"user:{owner.pk} member.removed user:{member.pk}"


@pytest.mark.conformance("A-9")
def test_a_member_leaves(shop: Tenant, owner: User, member: User) -> None:
    assert "You have left the project" in send(shop, member, "leave")
    assert audited(shop)[-1] == f"user:{member.pk} member.left user:{member.pk}"


@pytest.mark.parametrize("page", ["leave", "{pk}/remove"])
def test_the_last_owner_cannot_go(shop: Tenant, owner: User, member: User, page: str) -> None:
    answer = send(shop, owner, page.format(pk=place_of(shop, owner).pk))

    assert "only owner" in answer
    assert place_of(shop, owner).role == Role.OWNER


def test_the_last_owner_cannot_step_down(shop: Tenant, owner: User) -> None:
    assert "only owner" in send(shop, owner, f"{place_of(shop, owner).pk}/role", role="viewer")
    assert place_of(shop, owner).role == Role.OWNER


def test_one_of_two_owners_can_go(shop: Tenant, owner: User) -> None:
    second = make_member(shop, "second@shop.example", Role.OWNER)

    send(shop, second, "leave")

    with project_scope(shop.id):
        assert [member.user_id for member in queries.members_of(shop.id)] == [owner.pk]


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_leave_at_once_do_not_both_go(shop: Tenant, owner: User) -> None:
    owners = [owner, make_member(shop, "second@shop.example", Role.OWNER)]
    together = threading.Barrier(2)

    def leave(person: User) -> None:
        client = signed_in(person)
        together.wait()
        client.post(f"/p/{shop.id}/members/leave")
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(leave, owners))

    with project_scope(shop.id):
        assert queries.members_of(shop.id).filter(role=Role.OWNER).count() == 1


@pytest.mark.parametrize("role", ["admin", "", "OWNER"])
def test_an_unknown_role_changes_nothing(shop: Tenant, owner: User, member: User, role: str) -> None:
    send(shop, owner, f"{place_of(shop, member).pk}/role", role=role)

    assert place_of(shop, member).role == Role.EDITOR


def test_a_page_asks_before_a_member_is_removed(shop: Tenant, owner: User, member: User) -> None:
    page = signed_in(owner).get(f"/p/{shop.id}/members/{place_of(shop, member).pk}/remove").content.decode()

    assert "What is lost" in page
    assert f"<bdi>{member.email}</bdi> loses access" in page
    assert place_of(shop, member).role == Role.EDITOR


def test_only_owners_see_invitations_and_buttons(shop: Tenant, owner: User, member: User) -> None:
    assert "Invite somebody" in signed_in(owner).get(f"/p/{shop.id}/members").content.decode()
    assert "Invite somebody" not in signed_in(member).get(f"/p/{shop.id}/members").content.decode()


# --- founding projects --------------------------------------------------------------------------------------


def test_whoever_creates_a_project_owns_it(outsider: User) -> None:
    answer = signed_in(outsider).post("/projects/new", {"name": "متجر جديد", "locale": "ar"})

    [(project, role)] = queries.projects_of(outsider.pk)
    assert (answer["Location"], project.name, role) == (f"/p/{project.id}", "متجر جديد", "owner")


@pytest.mark.conformance("U-4")
@pytest.mark.parametrize("name", ["", " ", "\u200b", "a\u202eb", "x" * 201, "a\x07b"])
def test_a_project_has_a_name_that_can_be_read(outsider: User, name: str) -> None:
    answer = signed_in(outsider).post("/projects/new", {"name": name, "locale": "ar"})

    assert answer.status_code == 200
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not queries.projects_of(outsider.pk)


def test_a_person_owns_so_many_projects(outsider: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.projects.services.MAX_PROJECTS_OF_A_PERSON", 1)
    client = signed_in(outsider)
    client.post("/projects/new", {"name": "first", "locale": "en"})

    answer = client.post("/projects/new", {"name": "second", "locale": "en"})

    assert "You own 1 projects already" in answer.content.decode()


def test_the_switcher_names_all_projects_of_a_person(shop: Tenant, other_shop: Tenant, member: User) -> None:
    with project_scope(other_shop.id):
        Member.objects.add(project_id=other_shop.id, user=member, role=Role.VIEWER)

    page = signed_in(member).get(f"/p/{shop.id}").content.decode()

    assert f'href="/p/{other_shop.id}"' in page
