"""Pages by night: for whoever has a dark system they are dark, and as easy to read."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from apps.projects.models import Role
from tests.browser.conftest import Site, open_page
from tests.browser.looks import faults
from tests.dashboard.rows import TABLE
from tests.dashboard.world import signed_in

# Between them they show every kind of piece: notes, badges, forms, tables, charts, marks and differences.
SHOWN = [
    "overview",
    "search",
    "sources",
    "source",
    "source_revision",
    "new_feed",
    "agent",
    "agent_prompt",
    "settings",
]


@pytest.fixture(scope="module")
def owner_by_night(browser: Browser, site: Site) -> Iterator[Page]:
    client = signed_in(site.shop.people[Role.OWNER])
    with open_page(browser, site.server, client, language="ar", scheme="dark") as page:
        yield page


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_can_be_read_by_night(owner_by_night: Page, site: Site, name: str) -> None:
    owner_by_night.goto(site.server.url + site.shop.address(TABLE[name]))

    ground = owner_by_night.evaluate("getComputedStyle(document.body).backgroundColor")
    assert faults(owner_by_night, f"{name}-dark") == ""
    assert ground == "rgb(18, 24, 22)"
