"""Times in a real browser: each reader's own, in the page's language and digits, and UTC without scripts."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Locator, Page

from apps.dashboard import digits
from apps.dashboard.texts import words_in
from apps.projects.models import Role
from tests.browser.conftest import Site, open_page
from tests.dashboard.rows import TABLE
from tests.dashboard.world import signed_in

# Hours and half an hour away, and a day ahead: neither the hour nor the day of it is that of UTC by chance.
ZONES = ["Asia/Riyadh", "Asia/Kolkata", "Pacific/Kiritimati"]
LANGUAGES = ["ar", "en"]


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reader(browser: Browser, site: Site, language: str, zone: str) -> Iterator[Page]:
    client = signed_in(site.shop.people[Role.OWNER])
    with open_page(browser, site.server, client, language=language, zone=zone) as page:
        yield page


def time_on(page: Page, site: Site, name: str) -> Locator:
    """The first time that a page shows."""
    page.goto(site.server.url + site.shop.address(TABLE[name]))
    return page.locator("main time").first


def in_zone(time: Locator, zone: tzinfo, language: str) -> str:
    """The instant of an element as the language writes it, on the clocks of a zone."""
    at = datetime.fromisoformat(time.get_attribute("datetime") or "")
    return digits.instant(at.astimezone(zone), language).removesuffix(" UTC")


def test_an_instant_is_told_in_the_zone_of_the_reader(reader: Page, site: Site, language: str, zone: str) -> None:
    time = time_on(reader, site, "audit")

    assert time.inner_text() == in_zone(time, ZoneInfo(zone), language)
    assert time.get_attribute("title") == f"{in_zone(time, ZoneInfo('UTC'), language)} UTC"


@pytest.mark.parametrize("zone", ZONES[:1], indirect=True)
def test_an_age_says_when_it_was_in_both_zones(reader: Page, site: Site, language: str, zone: str) -> None:
    site.shop.id_of("source_id")
    time = time_on(reader, site, "sources")

    own, utc = in_zone(time, ZoneInfo(zone), language), in_zone(time, ZoneInfo("UTC"), language)
    assert time.inner_text() == words_in(language)("shell.now")
    assert time.get_attribute("title") == f"{own} ({utc} UTC)"


def test_without_scripts_a_time_is_utc_and_says_so(browser: Browser, site: Site, language: str) -> None:
    client = signed_in(site.shop.people[Role.OWNER])
    with open_page(browser, site.server, client, language=language, scripts=False, zone=ZONES[0]) as page:
        time = time_on(page, site, "audit")

        assert time.inner_text() == f"{in_zone(time, ZoneInfo('UTC'), language)} UTC"


@pytest.mark.parametrize("zone", ZONES[:1], indirect=True)
def test_a_time_that_is_typed_is_meant_in_the_zone_of_the_reader(
    reader: Page, site: Site, language: str, zone: str
) -> None:
    reader.goto(site.server.url + site.shop.address(TABLE["new_key"]))

    assert reader.locator("input[name=zone]").input_value() == zone
    assert reader.locator("#id_expires_at_help").inner_text() == words_in(language)("keys.expires_own_help")
