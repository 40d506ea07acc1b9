"""The operator's commands: projects with their first key, and people with their place in one."""

import json
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from apps.projects import queries
from apps.projects.models import AuditEntry, Member, User
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant, make_user


def run(*arguments: str) -> str:
    said = StringIO()
    call_command(*arguments, stdout=said)
    return said.getvalue()


def role_of(tenant: Tenant, email: str) -> str:
    with project_scope(tenant.id):
        return Member.objects.for_project(tenant.id).get(user__email=email).role


@pytest.mark.django_db
def test_a_new_project_comes_with_a_key_of_every_scope() -> None:
    made = json.loads(run("create_project", "--name", "متجر", "--json"))

    shown = ApiClient(made["api_key"]).get("/v1/project").json()
    assert shown["id"] == made["project"]["id"]
    assert ApiClient(made["api_key"]).get("/v1/api_keys").json()["data"][0]["scopes"] == ["search", "read", "write"]


def test_a_new_person_gets_an_account_and_can_sign_in(shop: Tenant) -> None:
    said = run("add_member", shop.id, "New@Shop.example", "--role", "viewer")

    password = said.rsplit("Password: ", 1)[1].strip()
    assert role_of(shop, "new@shop.example") == "viewer"
    assert Client().login(username="new@shop.example", password=password)


def test_a_known_person_keeps_the_password(shop: Tenant) -> None:
    make_user("known@shop.example", "a long password")

    assert "Password" not in run("add_member", shop.id, "known@shop.example")
    assert User.objects.get(email="known@shop.example").check_password("a long password")


@pytest.mark.conformance("A-9")
def test_adding_a_person_is_audited(shop: Tenant) -> None:
    run("add_member", shop.id, "new@shop.example")

    with project_scope(shop.id):
        assert AuditEntry.objects.for_project(shop.id).filter(action="member.added").count() == 1


@pytest.mark.parametrize(
    ("project_id", "email"),
    [("", "no address"), ("", "a@b"), ("prj_x", "a@shop.example")],
)
def test_what_cannot_be_is_refused_with_a_sentence(shop: Tenant, project_id: str, email: str) -> None:
    with pytest.raises(CommandError, match=r"no e-mail address|There is no project"):
        run("add_member", project_id or shop.id, email)


def test_nobody_is_in_a_project_twice(shop: Tenant) -> None:
    run("add_member", shop.id, "new@shop.example")

    with pytest.raises(CommandError, match="is in it already"):
        run("add_member", shop.id, "new@shop.example")


@pytest.mark.conformance("I-8")
def test_the_project_is_told_what_an_operator_did(shop: Tenant) -> None:
    run("add_member", shop.id, "new@shop.example", "--role", "viewer")

    with project_scope(shop.id):
        assert "operator" in queries.entries_of(shop.id, about="member").values_list("actor", flat=True)


@pytest.mark.conformance("I-8")
def test_there_are_no_pages_on_which_an_operator_sees_projects() -> None:
    assert "django.contrib.admin" not in settings.INSTALLED_APPS
