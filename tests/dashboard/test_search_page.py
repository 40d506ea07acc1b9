"""The search bench: what members find, and that content stays content."""

import pytest

from apps.knowledge import services
from apps.projects.models import User
from apps.projects.scoping import project_scope
from tests.dashboard.world import signed_in
from tests.factories import Tenant


def add_catalog(tenant: Tenant, content: str) -> None:
    with project_scope(tenant.id):
        services.create_source(tenant.id, name="الأسعار", kind="catalog", content=content, actor="operator")


def page(tenant: Tenant, user: User, **query: str) -> str:
    answer = signed_in(user).get(f"/p/{tenant.id}/search", query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.conformance("KA-051")
def test_a_member_searches_the_project(shop: Tenant, member: User) -> None:
    add_catalog(shop, "صندوق بخور — 95 ريال\nعسل سدر — 200 ريال")

    shown = page(shop, member, q="صندق بخور")

    assert "<mark>صندوق</mark>" in shown
    assert "عسل سدر" not in shown


def test_a_miss_says_what_it_means(shop: Tenant, member: User) -> None:
    add_catalog(shop, "صندوق بخور — 95 ريال")

    assert "Nothing found" in page(shop, member, q="شاحن")


@pytest.mark.conformance("U-5")
def test_content_is_escaped(shop: Tenant, member: User) -> None:
    add_catalog(shop, "<script>alert(1)</script> بخور")

    shown = page(shop, member, q="بخور")

    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.conformance("U-5")
def test_the_direction_of_lines_is_the_projects(shop: Tenant, member: User) -> None:
    add_catalog(shop, "Lacoste عطر رجالي")

    shown = page(shop, member, q="لاكوست")

    assert '<html lang="en" dir="ltr">' in shown
    assert '<p class="text" dir="rtl" lang="ar" data-content><bdi dir="rtl">' in shown


@pytest.mark.parametrize("query", ["\0", "\ud800", "🍯", "x" * 2000, "<b>", "%00", "' OR 1=1 --"])
def test_no_query_breaks_the_page(shop: Tenant, member: User, query: str) -> None:
    page(shop, member, q=query.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


def test_a_question_that_is_too_long_is_refused_in_words(shop: Tenant, member: User) -> None:
    assert "longer than 2,000 characters" in page(shop, member, q="x" * 2001)
