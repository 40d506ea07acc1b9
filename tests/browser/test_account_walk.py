"""Securing an account in a browser: the second factor from its picture to signing in with a recovery code."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from apps.dashboard.texts import words_in
from apps.projects.models import User
from tests.browser.conftest import open_page
from tests.browser.looks import faults
from tests.dashboard.test_second_factor import code_for
from tests.dashboard.world import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long password"


@pytest.fixture(params=["ar", "en"])
def visitor(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    with open_page(browser, live_server, signed_in(None), language=request.param) as page:
        page.goto(f"{live_server.url}/accounts/login/")
        yield page


def sign_in(page: Page, email: str) -> None:
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", PASSWORD)
    page.locator("main button").click()


def test_a_person_keeps_a_second_factor(visitor: Page, live_server: LiveServer, outsider: User) -> None:
    t = words_in(visitor.evaluate("document.documentElement.lang"))
    sign_in(visitor, outsider.email)
    visitor.goto(f"{live_server.url}/accounts/2fa/totp/activate/")
    again = faults(visitor, "account_reauthenticate")
    visitor.fill("input[name=password]", PASSWORD)
    visitor.get_by_role("button", name=t("accounts.confirm")).click()
    activate = faults(visitor, "mfa_activate_totp")
    visitor.fill("input[name=code]", code_for(visitor.locator("main code").inner_text()))
    visitor.get_by_role("button", name=t("accounts.factor_activate")).click()
    codes = faults(visitor, "mfa_view_recovery_codes")
    code = visitor.locator("main code").first.inner_text()
    visitor.goto(f"{live_server.url}/accounts/2fa/")
    index = faults(visitor, "mfa_index_on")
    visitor.goto(f"{live_server.url}/accounts/2fa/totp/deactivate/")
    deactivate = faults(visitor, "mfa_deactivate_totp")

    visitor.context.clear_cookies()
    visitor.goto(f"{live_server.url}/accounts/login/")
    sign_in(visitor, outsider.email)
    ask = faults(visitor, "mfa_authenticate")
    visitor.fill("input[name=code]", code)
    visitor.locator("main button").first.click()
    visitor.goto(f"{live_server.url}/account")

    assert [again, activate, codes, index, deactivate, ask] == [""] * 6
    assert visitor.locator("main").get_by_text(outsider.email).is_visible()
