"""Every page in a real browser: no serious finding of axe-core in either direction, nothing wider than a phone.

Pictures of the pages stand in ``tests/browser/pictures`` afterwards.
"""

from collections.abc import Iterator
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from apps.projects.models import Role
from tests.browser.conftest import PICTURES, open_page
from tests.dashboard.rows import ROWS, Row
from tests.dashboard.world import Shop, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

OPENED = [row for row in ROWS if row.opens is not None and not row.is_file]
SIZES: Final = {"laptop": (1366, 800), "phone": (390, 844)}
SERIOUS: Final = frozenset({"serious", "critical"})


def findings(page: Page) -> str:
    """What axe-core reports as serious, with the elements it is about."""
    found = Axe().run(page)
    grave = [violation for violation in found.response["violations"] if violation["impact"] in SERIOUS]
    return "".join(found.generate_report(violation["id"]) for violation in grave)


@pytest.fixture
def opened(
    row: Row, look: tuple[str, str], browser: Browser, live_server: LiveServer, shown: Shop
) -> Iterator[Page]:
    """A row's page as the owner sees it, in one size and language; its picture is taken."""
    size, language = look
    client = signed_in(shown.people[Role.OWNER])
    with open_page(browser, live_server, client, language=language, size=SIZES[size]) as page:
        page.goto(live_server.url + shown.address(row))
        page.screenshot(path=PICTURES / f"{row.name}-{size}-{language}.png", full_page=True)
        yield page


@pytest.mark.parametrize("look", [(size, language) for size in SIZES for language in ("ar", "en")], ids="-".join)
@pytest.mark.parametrize("row", OPENED, ids=str)
def test_a_page_can_be_used_by_everybody(row: Row, look: tuple[str, str], opened: Page) -> None:
    assert findings(opened) == ""
    assert opened.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
