"""The first page: open to all, searching only for members, and only in their projects."""

import pytest
from django.test import Client

from apps.knowledge import services
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from apps.projects.services import add_member
from tests.factories import Tenant


def add_catalog(tenant: Tenant, content: str) -> None:
    with project_scope(tenant.id):
        services.create_source(tenant.id, name="الأسعار", kind="catalog", content=content, actor="operator")


def page(user: User | None, **query: str) -> str:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get("/", query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_stranger_sees_what_runs_and_where_to_sign_in(db: None) -> None:
    shown = page(None)

    assert "Database: running" in shown
    assert 'href="/docs"' in shown
    assert "Sign in" in shown
    assert 'name="q"' not in shown


def test_the_page_speaks_arabic_by_default(db: None) -> None:
    shown = Client().get("/").content.decode()

    assert '<html lang="ar" dir="rtl">' in shown


@pytest.mark.conformance("KA-051")
def test_a_member_searches_the_project(shop: Tenant, member: User) -> None:
    add_catalog(shop, "صندوق بخور — 95 ريال\nعسل سدر — 200 ريال")

    shown = page(member, q="صندق بخور")

    assert "<mark>صندوق</mark>" in shown
    assert "عسل" not in shown


def test_a_miss_says_what_it_means(shop: Tenant, member: User) -> None:
    add_catalog(shop, "صندوق بخور — 95 ريال")

    assert "Nothing found" in page(member, q="شاحن")


def test_an_outsider_cannot_search(shop: Tenant, outsider: User) -> None:
    add_catalog(shop, "صندوق بخور — 95 ريال")

    shown = page(outsider, q="بخور", project=shop.id)

    assert "You are not a member of a project yet" in shown
    assert "صندوق" not in shown


@pytest.mark.conformance("I-5")
def test_a_member_cannot_search_another_project_by_its_id(shop: Tenant, other_shop: Tenant, member: User) -> None:
    add_catalog(other_shop, "عسل سدر — 200 ريال")

    assert "عسل سدر" not in page(member, q="عسل", project=other_shop.id)


def test_a_member_of_two_projects_chooses(shop: Tenant, other_shop: Tenant, member: User) -> None:
    add_member(other_shop.id, user=member, role=Role.VIEWER, actor="operator")
    add_catalog(other_shop, "عسل سدر — 200 ريال")

    assert "<mark>عسل</mark>" in page(member, q="عسل", project=other_shop.id)


@pytest.mark.conformance("U-5")
def test_content_is_escaped(shop: Tenant, member: User) -> None:
    add_catalog(shop, "<script>alert(1)</script> بخور")

    shown = page(member, q="بخور")

    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.conformance("U-5")
def test_the_direction_of_lines_is_the_projects(shop: Tenant, member: User) -> None:
    add_catalog(shop, "Lacoste عطر رجالي")

    assert '<ol class="hits" dir="rtl">' in page(member, q="لاكوست")


@pytest.mark.parametrize("query", ["\0", "\ud800", "🍯", "x" * 2000, "<b>", "%00", "' OR 1=1 --"])
def test_no_query_breaks_the_page(shop: Tenant, member: User, query: str) -> None:
    page(member, q=query.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


def test_a_question_that_is_too_long_is_refused_in_words(shop: Tenant, member: User) -> None:
    assert "longer than 2,000 characters" in page(member, q="x" * 2001)


def test_it_only_answers_reads(db: None) -> None:
    assert Client().post("/").status_code == 405


@pytest.mark.conformance("A-6")
def test_pages_carry_a_strict_policy(db: None) -> None:
    answer = Client().get("/")

    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe-inline" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.conformance("A-6")
def test_nobody_signs_up_by_themselves(db: None) -> None:
    Client().post("/accounts/signup/", {"email": "a@b.example", "password1": "a long password"})

    assert not User.objects.exists()


@pytest.mark.conformance("A-6")
def test_signing_in_needs_the_form_of_this_site(member: User) -> None:
    client = Client(enforce_csrf_checks=True)

    answer = client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert answer.status_code == 403


@pytest.mark.conformance("A-6")
def test_a_wrong_password_and_an_unknown_address_look_alike(member: User) -> None:
    client = Client()

    wrong = client.post("/accounts/login/", {"login": member.email, "password": "not this one"})
    unknown = client.post("/accounts/login/", {"login": "nobody@shop.example", "password": "not this one"})

    assert wrong.status_code == unknown.status_code == 200
    assert wrong.content.decode().count('role="alert"') == unknown.content.decode().count('role="alert"') == 1


@pytest.mark.conformance("A-6")
def test_too_many_failed_logins_are_stopped(member: User) -> None:
    client = Client()
    for _ in range(6):
        client.post("/accounts/login/", {"login": member.email, "password": "not this one"})

    client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert "_auth_user_id" not in client.session
