"""An owner's story in a browser: from signing up, over prices, questions and a feed, to an agent and a colleague.

Told in Arabic on a phone and in English on a laptop; a picture of every step stands in ``tests/browser/pictures``.
"""

import re
from collections.abc import Iterator
from itertools import count
from typing import Final

import pytest
from django.core import mail
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from apps.dashboard.texts import Words, words_in
from apps.projects import invitation_mail
from apps.projects.models import Invitation, User
from apps.projects.queries import invitations_of, projects_of
from apps.projects.scoping import project_scope
from tests.browser.conftest import PICTURES, SIZES, open_page
from tests.dashboard.world import signed_in
from tests.fakes.feed import Feed, Says

pytestmark = pytest.mark.django_db(transaction=True)

OWNER: Final = "owner@new.example"
COLLEAGUE: Final = "colleague@new.example"
PASSWORD: Final = "kahraman-and-oud"
PRICES: Final = "صندوق بخور — 95 ريال\nدهن عود كمبودي 12 مل — 520 ريال\nعسل سدر 500 جرام — 230 ريال"


class Story:
    """One telling: a browser of its own, the words of its language, and a picture of each step."""

    def __init__(self, page: Page, address: str, language: str, size: str) -> None:
        self.page, self.address, self.size = page, address, size
        self.t: Words = words_in(language)
        self._steps = count(1)
        self.heard: list[str] = []
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        """What the browser complains of; htmx tells of a preview that was given up for the next page."""
        if not message.text.startswith("htmx:"):
            self.heard.append(message.text)

    def open(self, path: str) -> None:
        self.page.goto(self.address + path)

    def picture(self, name: str) -> None:
        file = f"story-{self.t.language}-{self.size}-{next(self._steps):02}-{name}.png"
        self.page.screenshot(path=PICTURES / file, full_page=True)

    def follow(self, key: str) -> None:
        """Go where the first link with these words leads that is on the page itself, not in its frame."""
        self.page.locator("main").get_by_role("link", name=self.t(key)).first.click()

    def press(self, key: str) -> None:
        self.page.locator("main").get_by_role("button", name=self.t(key), exact=True).first.click()

    def sees(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()


@pytest.fixture(params=[("ar", "phone"), ("en", "laptop")], ids="-".join)
def story(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Story]:
    language, size = request.param
    with open_page(browser, live_server, signed_in(None), language=language, size=SIZES[size]) as page:
        yield Story(page, live_server.url, language, size)


def path_in_last_mail() -> str:
    found = re.findall(r"http://127\.0\.0\.1:8000(/\S+)", str(mail.outbox[-1].body))
    assert len(found) == 1
    return str(found[0])


def sign_up(story: Story, email: str) -> None:
    story.page.fill("input[name=email]", email)
    story.page.fill("input[name=password1]", PASSWORD)
    story.picture("sign-up")
    story.press("accounts.sign_up_title")


def join_by_mail(story: Story) -> None:
    """A colleague opens the link of the mail, in the same browser after the owner has left."""
    owner = User.objects.get(email=OWNER)
    [(project, _)] = projects_of(owner.pk)
    with project_scope(project.id):
        invitation: Invitation = invitations_of(project.id).get()
    invitation_mail.send(project.id, invitation.id)
    story.page.context.clear_cookies()
    story.open(path_in_last_mail())
    story.picture("invitation")
    story.follow("accounts.invitation_sign_up")
    sign_up(story, COLLEAGUE)
    story.press("accounts.invitation_accept")


def begin(story: Story) -> None:
    """From the first page to an empty project."""
    story.open("/")
    story.picture("welcome")
    story.follow("shell.sign_up")
    sign_up(story, OWNER)
    story.sees(story.t("accounts.verification_title"))
    story.open(path_in_last_mail())
    story.press("accounts.confirm")
    story.page.fill("input[name=name]", "متجر الورد")
    story.picture("first-project")
    story.press("accounts.create_project")
    story.sees(story.t("overview.steps"))
    story.picture("first-steps")


def put_prices_in(story: Story) -> None:
    story.follow("overview.step_source")
    story.page.fill("input[name=name]", "قائمة الأسعار")
    story.page.locator("input[name=kind][value=catalog]").check()
    story.page.fill("textarea[name=content]", PRICES)
    story.picture("source")
    story.press("shell.save")


def ask_as_a_customer(story: Story) -> None:
    story.open(project_path(OWNER, "/search"))
    story.page.fill("input[name=q]", "كم سعر صندق البخور؟")
    story.page.keyboard.press("Enter")
    story.page.locator("mark").first.wait_for()
    story.picture("search")


def connect_the_shop(story: Story, feed: Feed) -> None:
    """A feed, from its address to its lines, and what a failed fetch says."""
    story.open(project_path(OWNER, "/sources/new_feed"))
    story.page.fill("[name=name]", "أسعار المتجر الحية")
    story.page.fill("[name=url]", feed.url)
    story.press("sources.fetch_sample")
    story.page.locator("[data-fills=items_path]").click()
    story.page.locator("[data-inserts=line]").first.click()
    expect(story.page.locator("#draft .pieces p").first).to_have_text("صندوق بخور")
    story.picture("feed")
    story.press("sources.create_feed")
    expect(story.page.locator(".pieces li").first).to_have_text("صندوق بخور")
    feed.says = Says(b"<h1>closed</h1>")
    story.press("sources.sync_now")
    story.page.get_by_role("alert").wait_for()
    story.picture("feed-failed")


def let_an_agent_know(story: Story) -> None:
    """An agent that looks prices up: what it is told, its first version, and what it finds for a question."""
    story.open(project_path(OWNER, "/agents/new"))
    story.page.fill("[name=name]", "مساعد المتجر")
    story.press("agents.create")
    story.follow("agents.attach_first")
    story.page.get_by_label("قائمة الأسعار").check()
    story.page.locator("[name=mode][value=searchable]").check()
    story.press("agents.attach_now")
    story.picture("agent")
    story.page.get_by_role("link", name=story.t("agents.xray")).first.click()
    story.page.get_by_text("search_knowledge").first.wait_for(state="attached")
    story.picture("told")
    publish = story.t("agents.publish_n").partition("{")[0].strip()
    story.page.locator("main").get_by_role("link").filter(has_text=publish).first.click()
    story.page.locator("main").get_by_role("button").filter(has_text=publish).click()
    story.page.get_by_role("status").wait_for()
    story.page.get_by_role("link", name=story.t("agents.try"), exact=True).first.click()
    story.page.fill("[name=question]", "بكم دهن العود")
    story.press("agents.ask")
    expect(story.page.locator(".content-for-model")).to_contain_text("دهن عود كمبودي")
    story.picture("tried")


def invite_a_colleague(story: Story) -> None:
    story.open(project_path(OWNER, "/members/invite"))
    story.page.fill("input[name=email]", COLLEAGUE)
    story.page.select_option("select[name=role]", "viewer")
    story.press("members.invite_send")
    story.sees(COLLEAGUE)
    story.picture("members")


def test_the_whole_story_of_an_owner(story: Story, feed: Feed, workers: None) -> None:
    begin(story)
    put_prices_in(story)
    ask_as_a_customer(story)
    connect_the_shop(story, feed)
    let_an_agent_know(story)
    invite_a_colleague(story)
    story.open(project_path(OWNER, ""))
    story.picture("overview")
    join_by_mail(story)
    story.sees(story.t("accounts.invitation_joined"))
    story.picture("colleague")

    assert story.page.locator("main").get_by_role("link", name=story.t("overview.step_people")).count() == 0
    assert story.heard == []


def project_path(email: str, page: str) -> str:
    [(project, _)] = projects_of(User.objects.get(email=email).pk)
    return f"/p/{project.id}{page}"
