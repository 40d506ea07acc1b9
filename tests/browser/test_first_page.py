"""What a newcomer does in a browser: look, sign in, search, and read the reference, without any outside host."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from apps.knowledge import services
from apps.projects.models import User
from apps.projects.scoping import project_scope
from tests.factories import Tenant

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the console says and every request that left our origin or failed."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("requestfailed", lambda request: heard.append(f"failed: {request.url}"))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("http://localhost", "http://127.0.0.1", "data:"))
            else heard.append(f"outside: {request.url}")
        ),
    )
    return heard


def test_a_member_signs_in_and_finds_through_a_slip(
    page: Page, complaints: list[str], live_server: LiveServer, shop: Tenant, member: User
) -> None:
    with project_scope(shop.id):
        services.create_source(
            shop.id, name="الأسعار", kind="catalog", content="صندوق بخور — 95 ريال\nعسل سدر", actor="operator"
        )

    page.goto(f"{live_server.url}/")
    page.get_by_role("link", name="دخول").click()
    page.fill("input[name=login]", member.email)
    page.fill("input[name=password]", "a long password")
    page.get_by_role("button", name="دخول").click()
    page.get_by_role("link", name="مختبر البحث").first.click()
    page.fill("input[name=q]", "كم سعر صندق البخور")
    page.get_by_role("button", name="ابحث").click()

    assert page.locator(".hits > li").count() == 1
    assert page.locator(".hits mark").all_inner_texts() == ["صندوق", "بخور"]
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert complaints == []


def test_the_language_can_be_switched(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/")

    page.get_by_role("button", name="English").click()

    assert page.locator("html").get_attribute("lang") == "en"
    assert page.evaluate("document.documentElement.dir") == "ltr"


def test_the_reference_opens_without_any_outside_host(
    page: Page, complaints: list[str], live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/docs")

    page.get_by_text("/v1/knowledge/search").first.wait_for()

    assert complaints == []
