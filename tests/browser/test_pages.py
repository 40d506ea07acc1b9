"""Every page in a real browser, on a laptop and a phone, in both languages.

Nothing that axe-core finds serious, nothing wider than the screen.

Pictures of the pages stand in ``tests/browser/pictures`` afterwards.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from apps.projects.models import Role
from tests.browser.conftest import Site, open_page
from tests.browser.looks import faults
from tests.dashboard.rows import OPEN_ROWS, ROWS, OpenRow, Row
from tests.dashboard.world import signed_in

OPENED: Final = [row for row in ROWS if row.opens is not None and not row.is_file]
OPEN_TO_STRANGERS: Final = [row for row in OPEN_ROWS if row.stranger == 200]
OPEN_TO_PEOPLE: Final = [row for row in OPEN_ROWS if row.person == 200 and row.stranger != 200]


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
