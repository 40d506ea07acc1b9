"""What an owner does with sources in a browser: paste a list and find through a slip, drop a file, connect a feed.

Each step that is no page of its own is looked at as the pages are, and its picture kept.
"""

import base64
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from apps.knowledge.models import SyncRun
from apps.knowledge.sync import run
from apps.projects.models import User
from apps.projects.scoping import project_scope
from tests.browser.conftest import SIZES, open_page
from tests.browser.looks import faults
from tests.dashboard.making import PRICES, add_source, change_source, content_of, only_source
from tests.dashboard.world import signed_in
from tests.factories import Tenant
from tests.fakes.feed import Feed, Says

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = "الصنف,السعر\nعسل سدر,230\nتمر سكري,45\nسمن بلدي,80"

each_language = pytest.mark.parametrize("language", ["ar", "en"])


# One of each: every page is looked at in all pairs elsewhere, and the owner's story has the other two.
SIZE_OF_LANGUAGE = {"ar": SIZES["laptop"], "en": SIZES["phone"]}


@pytest.fixture
def owner_page(
    browser: Browser, live_server: LiveServer, shop: Tenant, owner: User, *, language: str
) -> Iterator[Page]:
    client = signed_in(owner, language)
    with open_page(browser, live_server, client, language=language, size=SIZE_OF_LANGUAGE[language]) as page:
        page.goto(f"{live_server.url}/p/{shop.id}/sources")
        yield page


@pytest.fixture
def complaints(owner_page: Page) -> list[str]:
    """What the console says, and every request that left our origin or failed."""
    heard: list[str] = []
    owner_page.on("console", lambda message: heard.append(message.text))
    owner_page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


def words(page: Page, ar: str, en: str) -> str:
    return ar if page.locator("html").get_attribute("lang") == "ar" else en


def press(page: Page, ar: str, en: str) -> None:
    page.get_by_role("button", name=words(page, ar, en), exact=True).click()


def follow(page: Page, ar: str, en: str) -> None:
    page.locator("main").get_by_role("link", name=words(page, ar, en), exact=True).click()


@each_language
def test_a_price_list_is_pasted_and_found_through_a_slip(
    owner_page: Page, complaints: list[str], shop: Tenant
) -> None:
    page = owner_page
    follow(page, "اكتب أو الصق أو ارفع", "Type, paste or upload")
    page.fill("[name=name]", "قائمة الأسعار")
    page.fill("[name=content]", PRICES)
    expect(page.locator("#look li")).to_have_count(3)
    assert faults(page, "look-at-content") == ""
    press(page, "حفظ", "Save")
    follow(page, "جرّب البحث فيه", "Try a search in it")
    page.fill("[name=q]", "كم سعر صندق البخور")
    press(page, "ابحث", "Search")

    assert page.locator(".hits mark").all_inner_texts() == ["صندوق", "بخور"]
    assert faults(page, "explained-hits") == ""
    page.locator(".keeping button").first.click()
    page.goto(page.url.partition("/search")[0] + "/search/examples?check=1")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("status")).to_contain_text(words(page, "كل الأسئلة تجد ما يجب", "All questions find"))
    assert content_of(only_source(shop)) == PRICES
    assert complaints == []


@each_language
def test_what_looks_like_a_table_is_read_as_one_at_a_click(
    owner_page: Page, complaints: list[str], shop: Tenant
) -> None:
    page = owner_page
    follow(page, "اكتب أو الصق أو ارفع", "Type, paste or upload")
    page.fill("[name=name]", "قائمة الأسعار")
    page.fill("[name=content]", TABLE)
    press(page, "اقرأها جدولًا", "Read it as a table")

    expect(page.locator("#look th")).to_have_text(["الصنف", "السعر"])
    press(page, "حفظ", "Save")
    expect(page.locator("main tbody tr")).to_have_count(3)
    assert only_source(shop).config == {"format": "csv", "header": True}
    assert complaints == []


_DROP = """([text, name]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], name, { type: "text/csv" }));
    const place = document.querySelector("[data-drop] textarea");
    for (const type of ["dragover", "drop"]) {
        place.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
    }
}"""


@pytest.mark.parametrize("language", ["ar"])
def test_a_file_is_dropped_and_seen_before_it_is_saved(
    owner_page: Page, complaints: list[str], shop: Tenant
) -> None:
    page = owner_page
    page.goto(page.url + "/new")
    page.fill("[name=name]", "قائمة الأسعار")
    page.evaluate(_DROP, [base64.b64encode(TABLE.encode("cp1256")).decode(), "prices.csv"])

    expect(page.locator("#look td").first).to_have_text("عسل سدر")
    press(page, "حفظ", "Save")
    expect(page.locator("main tbody tr")).to_have_count(3)
    assert content_of(only_source(shop)) == TABLE
    assert complaints == []


@each_language
def test_a_feed_is_connected_breaks_and_recovers(
    owner_page: Page, complaints: list[str], workers: None, feed: Feed, *, shop: Tenant
) -> None:
    page = owner_page
    follow(page, "اربط متجرك أو نظامك", "Connect your shop or system")
    page.fill("[name=name]", "متجري")
    page.fill("[name=url]", feed.url)
    press(page, "اجلب عينة", "Fetch a sample")
    page.locator("[data-fills=items_path]").click()
    page.locator("[data-inserts=line]").first.click()
    expect(page.locator("#draft .pieces p").first).to_have_text("صندوق بخور")
    page.locator("[name=line]").press_sequentially(" — {price} ريال")
    expect(page.locator("#draft .pieces p").first).to_have_text("صندوق بخور — 95 ريال")
    assert faults(page, "draft-of-feed") == ""
    press(page, "احفظ وابدأ الجلب", "Save and start fetching")
    expect(page.locator(".pieces li").first).to_have_text("صندوق بخور — 95 ريال")

    feed.says = Says(b"<h1>closed</h1>")
    press(page, "اجلب الآن", "Fetch now")
    expect(page.get_by_role("alert")).to_contain_text(words(page, "ما العمل", "What to do"))
    expect(page.locator(".pieces li")).to_have_count(3)
    assert faults(page, "failed-feed") == ""

    feed.says = Says('{"products": [{"name": "مسك", "price": 5}]}'.encode())
    press(page, "اجلب الآن", "Fetch now")
    expect(page.locator(".pieces li")).to_have_text(["مسك — 5 ريال"])
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("rect.bar")).to_have_count(3)
    assert complaints == []


@pytest.mark.parametrize("language", ["ar"])
def test_a_page_shows_by_itself_when_a_fetch_is_over(
    owner_page: Page, complaints: list[str], feed: Feed, shop: Tenant
) -> None:
    source = add_source(shop, None, kind="api", config={"url": feed.url})
    owner_page.goto(f"{owner_page.url}/{source.id}")
    expect(owner_page.get_by_role("status")).to_contain_text("ينتظر عاملًا")
    assert faults(owner_page, "waiting-feed") == ""
    with project_scope(shop.id):
        run_id = SyncRun.objects.for_project(shop.id).get().id

    run.run_sync(shop.id, run_id)

    expect(owner_page.locator(".pieces li").first).to_contain_text("صندوق بخور")
    assert complaints == []


@each_language
def test_two_edits_at_once_are_laid_side_by_side(owner_page: Page, live_server: LiveServer, shop: Tenant) -> None:
    page = owner_page
    source = add_source(shop)
    page.goto(f"{live_server.url}/p/{shop.id}/sources/{source.id}/edit")
    expect(page.locator("main")).to_contain_text(
        words(page, "مباشر: يسري على كل الإصدارات", "Live: applies to all versions")
    )
    change_source(source, content=PRICES.replace("520", "555"))
    page.fill("[name=content]", PRICES.replace("95", "101"))
    press(page, "حفظ", "Save")

    assert faults(page, "edit-conflict") == ""
    press(page, "احفظ تعديلي", "Save my change")
    expect(page.locator(".pieces li").first).to_have_text("صندوق بخور — 101 ريال")
    assert content_of(source) == PRICES.replace("95", "101")


# Playwright types what it fills, which takes minutes for this much.
_PASTE = """(text) => {
    const box = document.querySelector("[name=content]");
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.mark.parametrize("language", ["ar"])
def test_a_large_paste_is_previewed_when_asked_for(owner_page: Page, complaints: list[str], shop: Tenant) -> None:
    page = owner_page
    page.goto(page.url + "/new")
    page.fill("[name=name]", "كبيرة")
    page.evaluate(_PASTE, "صندوق بخور ملكي — 95 ريال\n" * 15_000)
    expect(page.locator("#look")).to_contain_text("المحتوى كبير")

    press(page, "معاينة", "Preview")
    expect(page.locator("#look .badge").first).to_have_text("١٥٬٠٠٠ عنصر")
    assert complaints == []


@each_language
def test_all_of_it_works_without_scripts(
    browser: Browser,
    live_server: LiveServer,
    shop: Tenant,
    owner: User,
    *,
    workers: None,
    feed: Feed,
    language: str,
) -> None:
    client = signed_in(owner, language)
    with open_page(browser, live_server, client, language=language, scripts=False) as page:
        page.goto(f"{live_server.url}/p/{shop.id}/sources/new_feed")
        page.fill("[name=name]", "متجري")
        page.fill("[name=url]", feed.url)
        page.click("button[value=fetch]")
        expect(page.locator("[name=sample_id]")).to_have_value(re.compile("smp_"))
        page.click("button[value=look]")
        page.click("button[value=fill]")
        expect(page.locator("[name=line]")).to_have_value("{name} — {price}")
        press(page, "احفظ وابدأ الجلب", "Save and start fetching")
        expect(page.locator(".pieces li").first).to_be_visible()
        page.goto(f"{live_server.url}/p/{shop.id}/search?q=صندق")

        assert page.locator(".hits mark").all_inner_texts() == ["صندوق"]
