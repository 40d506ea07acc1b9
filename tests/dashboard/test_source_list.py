"""The list of sources: what it says of each, what narrows it, and how it stays quick with many."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.knowledge.models import Feed
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from tests.dashboard.making import Visitor, add_source
from tests.factories import Tenant, make_member

FEED = {"url": "https://shop.example/feed.json", "transform": {"line": "{name}"}}


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


@pytest.mark.conformance("KA-022")
def test_a_source_is_listed_with_its_size_tokens_and_state(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    shown = visitor.see("sources")

    assert f'href="/p/{shop.id}/sources/{source.id}"' in shown
    assert "3 items" in shown
    assert source.revision is not None
    assert f'class="number">{source.revision.token_estimate}</td>' in shown
    assert "Saved" in shown


def test_a_text_counts_paragraphs(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, "الفقرة الأولى\n\nالثانية", kind="text")

    assert "2 paragraphs" in visitor.see("sources")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("never", "Not fetched yet"),
        ("queued", "Waiting"),
        ("running", "Being fetched"),
        ("ok", "Up to date"),
        ("failing", "Failing"),
    ],
)
def test_a_feed_says_how_it_stands(shop: Tenant, visitor: Visitor, status: str, words: str) -> None:
    source = add_source(shop, None, kind="api", config=FEED)
    hour_ago = timezone.now() - timedelta(hours=1, minutes=1)
    with project_scope(shop.id):
        Feed.objects.for_project(shop.id).filter(source=source).update(status=status, last_success_at=hour_ago)

    shown = visitor.see("sources")

    assert words in shown.partition("<tbody>")[2]
    assert "1 hour ago" in shown


def test_content_in_doubt_is_to_be_looked_into(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, "????? ????\n???? — 95")

    assert "Look into it" in visitor.see("sources")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["prices", "policy", "feed"]),
        ({"kind": "catalog"}, ["prices"]),
        ({"kind": "text"}, ["policy"]),
        ({"kind": "api", "sync_status": "queued"}, ["feed"]),
        ({"sync_status": "ok"}, []),
        ({"q": "OLI"}, ["policy"]),
        ({"kind": "no such kind"}, ["prices", "policy", "feed"]),
        ({"q": "\0"}, ["prices", "policy", "feed"]),
    ],
)
def test_the_list_is_narrowed(shop: Tenant, visitor: Visitor, query: dict[str, str], names: list[str]) -> None:
    add_source(shop, name="prices")
    add_source(shop, name="policy", kind="text")
    add_source(shop, None, name="feed", kind="api", config=FEED)

    rows = visitor.see("sources", **query).partition("<tbody>")[2]

    assert [name for name in ("prices", "policy", "feed") if f"<bdi>{name}</bdi>" in rows] == names


def test_what_narrows_to_nothing_says_so(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)

    assert "No source fits what you chose" in visitor.see("sources", q="absent")


def test_many_sources_come_in_pages(shop: Tenant, visitor: Visitor) -> None:
    for number in range(27):
        add_source(shop, name=f"source {number}.")

    first = visitor.see("sources")
    older = first.partition('rel="next"')[0].rpartition("?cursor=")[2].partition('"')[0]
    second = visitor.see("sources", cursor=older)

    assert (first.count("<tr>"), second.count("<tr>")) == (26, 3)
    assert "source 26." in first
    assert "source 0." in second


@pytest.mark.parametrize("cursor", ["x", "x.y", "\0", "é" * 400])
def test_a_made_up_place_in_the_list_is_refused_in_words(shop: Tenant, visitor: Visitor, cursor: str) -> None:
    answer = visitor.ask("sources", cursor=cursor)

    assert answer.status_code == 400
    assert "This did not work" in answer.content.decode()


def test_more_sources_take_no_more_queries(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)
    with CaptureQueriesContext(connection) as few:
        visitor.see("sources")
    for number in range(12):
        add_source(shop, None, name=f"feed {number}", kind="api", config=FEED)
    with CaptureQueriesContext(connection) as many:
        visitor.see("sources")

    assert len(many) == len(few)


@pytest.mark.parametrize(("role", "invites"), [(Role.VIEWER, False), (Role.EDITOR, True), (Role.OWNER, True)])
def test_an_empty_list_teaches_the_next_step(shop: Tenant, role: Role, invites: bool) -> None:
    shown = Visitor(shop, make_member(shop, "new@shop.example", role)).see("sources")

    assert "No sources yet" in shown
    assert ("sources/new" in shown) is invites


@pytest.mark.conformance("U-5")
def test_names_are_escaped_and_kept_apart(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, name="<script>alert(1)</script>")

    shown = visitor.see("sources")

    assert "<script>alert" not in shown
    assert "<bdi>&lt;script&gt;" in shown
