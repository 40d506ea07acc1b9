"""Every page in a real browser, on a laptop and a phone, in both languages.

Nothing that axe-core finds serious, nothing wider than the screen.

Pictures of the pages stand in ``tests/browser/pictures`` afterwards.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page

from apps.projects.models import Role
from tests.browser.conftest import PICTURES, SIZES, Site, open_page
from tests.dashboard.rows import OPEN_ROWS, ROWS, OpenRow, Row
from tests.dashboard.world import signed_in

OPENED: Final = [row for row in ROWS if row.opens is not None and not row.is_file]
OPEN_TO_STRANGERS: Final = [row for row in OPEN_ROWS if row.stranger == 200]
OPEN_TO_PEOPLE: Final = [row for row in OPEN_ROWS if row.person == 200 and row.stranger != 200]
SERIOUS: Final = frozenset({"serious", "critical"})


def faults(page: Page, name: str) -> str:
    """What is wrong with a page on each size of screen; its pictures are taken."""
    return "".join(_faults_on(page, size, name) for size in SIZES)


def _faults_on(page: Page, size: str, name: str) -> str:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    language = page.evaluate("document.documentElement.lang")
    page.screenshot(path=PICTURES / f"{name}-{size}-{language}.png", full_page=True)
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return _findings(page) + (f"{excess} pixels wider than the {size}\n" if excess > 0 else "")


def _findings(page: Page) -> str:
    """What axe-core reports as serious, with the elements it is about."""
    found = Axe().run(page)
    grave = [violation for violation in found.response["violations"] if violation["impact"] in SERIOUS]
    return "".join(found.generate_report(violation["id"]) for violation in grave)


@pytest.fixture(scope="module", params=["ar", "en"])
def owners(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    """A browser in which the owner is signed in, in one language."""
    client = signed_in(site.shop.people[Role.OWNER])
    with open_page(browser, site.server, client, language=request.param) as page:
        yield page


@pytest.fixture(scope="module", params=["ar", "en"])
def strangers(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    with open_page(browser, site.server, signed_in(None), language=request.param) as page:
        yield page


@pytest.mark.parametrize("row", OPENED, ids=str)
def test_a_page_can_be_used_by_everybody(row: Row, owners: Page, site: Site) -> None:
    owners.goto(site.server.url + site.shop.address(row))

    assert faults(owners, row.name) == ""


@pytest.mark.parametrize("row", OPEN_TO_PEOPLE, ids=str)
def test_a_page_of_ones_own_can_be_used_by_everybody(row: OpenRow, owners: Page, site: Site) -> None:
    owners.goto(site.server.url + reverse(row.name, kwargs=row.arguments))

    assert faults(owners, row.name) == ""


@pytest.mark.parametrize("row", OPEN_TO_STRANGERS, ids=str)
def test_a_page_for_strangers_can_be_used_by_everybody(row: OpenRow, strangers: Page, site: Site) -> None:
    strangers.goto(site.server.url + reverse(row.name, kwargs=row.arguments))

    assert faults(strangers, f"{row.name}-stranger") == ""
