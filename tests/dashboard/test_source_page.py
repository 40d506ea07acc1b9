"""One source: its pieces, what it means when nothing is found, its content to take along, and its end."""

import csv
import io
from collections.abc import Callable

import pytest

from apps.kernel import hooks
from apps.kernel.hooks import HookPoint
from apps.knowledge.models import Source
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from tests.dashboard.making import PRICES, Visitor, add_source, content_of
from tests.factories import Tenant, make_member

FEED = {"url": "https://shop.example/feed.json"}


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


def test_the_pieces_stand_as_a_search_finds_them(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    shown = visitor.see(f"sources/{source.id}")

    assert '<li><bdi dir="rtl">صندوق بخور — 95 ريال</bdi></li>' in shown
    assert shown.count("<li><bdi dir=") == 3


def test_the_records_of_a_table_stand_in_columns(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "الصنف,السعر\nعسل,230", config={"format": "csv"})

    shown = visitor.see(f"sources/{source.id}")

    assert '<th scope="col"><bdi>السعر</bdi></th>' in shown
    assert "<td><bdi>230</bdi></td>" in shown


@pytest.mark.parametrize(
    ("first", "shown_first", "position"),
    [
        ("", "item 1.", "1 – 50 of 120"),
        ("51", "item 51.", "51 – 100 of 120"),
        ("120", "item 120.", "120 – 120 of 120"),
        ("121", "item 1.", "1 – 50 of 120"),
        ("0", "item 1.", "1 – 50 of 120"),
        ("-1", "item 1.", "1 – 50 of 120"),
        ("٥", "item 1.", "1 – 50 of 120"),
        ("9" * 400, "item 1.", "1 – 50 of 120"),
    ],
)
def test_many_pieces_come_in_pages(
    shop: Tenant, visitor: Visitor, first: str, shown_first: str, position: str
) -> None:
    source = add_source(shop, "\n".join(f"item {number}." for number in range(1, 121)))

    shown = visitor.see(f"sources/{source.id}", **{"from": first})

    assert f'<ol start="{position.partition(" ")[0]}"><li><bdi dir="rtl">{shown_first}</bdi>' in shown
    assert position in shown.replace("<bdi>", "").replace("</bdi>", "")


@pytest.mark.parametrize(
    ("complete", "words"),
    [(True, "What is not in this source, the business does not have."), (False, "an agent will not deny it")],
)
def test_completeness_is_explained(shop: Tenant, visitor: Visitor, complete: bool, words: str) -> None:
    source = add_source(shop, complete=complete)

    assert words in visitor.see(f"sources/{source.id}")


def test_warnings_are_shown(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "a,b,c\nd,e,f\ng,h,i")

    assert "The lines look like CSV." in visitor.see(f"sources/{source.id}")


def test_a_viewer_sees_no_button_that_changes_anything(shop: Tenant) -> None:
    source = add_source(shop, None, kind="api", config=FEED)

    shown = Visitor(shop, make_member(shop, "viewer@shop.example", Role.VIEWER)).see(f"sources/{source.id}")

    assert "/edit" not in shown
    assert "/delete" not in shown
    assert "Fetch now" not in shown


@pytest.mark.conformance("U-5")
def test_hostile_content_stays_text(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "<script>alert(1)</script>\n\u202egnisrever\n<bdi dir=ltr>x")

    shown = visitor.see(f"sources/{source.id}")

    assert "<script>alert" not in shown
    assert '<bdi dir="rtl">\u202egnisrever</bdi>' in shown
    assert "&lt;bdi dir=ltr&gt;x" in shown


# --- to take along ------------------------------------------------------------------------------------------


def test_the_content_comes_as_it_is_stored(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "- عسل\r\n=1+1")

    answer = visitor.ask(f"sources/{source.id}/download")

    assert answer.content.decode() == "- عسل\r\n=1+1"
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.conformance("U-7")
def test_exported_pieces_start_no_formula(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "=1+1\n- عسل — 230\n@x\nتمر")

    answer = visitor.ask(f"sources/{source.id}/export")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")

    assert [record[2] for record in csv.reader(io.StringIO(text))] == [
        "text",
        "'=1+1",
        "'- عسل — 230",
        "'@x",
        "تمر",
    ]
    assert content_of(source) == "=1+1\n- عسل — 230\n@x\nتمر"


@pytest.mark.parametrize("page", ["download", "export"])
def test_a_feed_without_content_gives_an_empty_file(shop: Tenant, visitor: Visitor, page: str) -> None:
    source = add_source(shop, None, kind="api", config=FEED)

    assert visitor.ask(f"sources/{source.id}/{page}").status_code == 200


@pytest.mark.parametrize("page", ["download", "export"])
@pytest.mark.parametrize("name", ["الأسعار", 'a"; filename="evil.exe', "../../etc/passwd", "a;b,c"])
def test_no_name_gets_out_of_the_name_of_the_file(shop: Tenant, visitor: Visitor, page: str, name: str) -> None:
    source = add_source(shop, name=name)

    told = visitor.ask(f"sources/{source.id}/{page}")["Content-Disposition"]

    assert told.startswith("attachment; filename")
    assert told.count('filename="') + told.count("filename*=") == 1


# --- the end ------------------------------------------------------------------------------------------------


@pytest.fixture
def users(monkeypatch: pytest.MonkeyPatch) -> list[hooks.User]:
    """Who uses a source, as an upper room would tell, and all of whom can be told to let go of it."""
    found: list[hooks.User] = []

    def find(_: str, __: str) -> list[hooks.User]:
        return list(found)

    def let_go(_: str, __: str) -> None:
        found.clear()

    finders: HookPoint[Callable[[str, str], list[hooks.User]]] = HookPoint("source_users")
    detachers: HookPoint[Callable[[str, str], None]] = HookPoint("source_detachers")
    finders.add(find)
    detachers.add(let_go)
    monkeypatch.setattr(hooks, "source_users", finders)
    monkeypatch.setattr(hooks, "source_detachers", detachers)
    return found


def exists(source: Source) -> bool:
    with project_scope(source.project_id):
        return Source.objects.for_project(source.project_id).filter(id=source.id).exists()


def test_deleting_asks_once_and_names_what_is_lost(shop: Tenant, visitor: Visitor, users: list[hooks.User]) -> None:
    source = add_source(shop)

    shown = visitor.see(f"sources/{source.id}/delete")

    assert "3 items" in shown
    assert "All its earlier contents" in shown
    assert "This cannot be undone." in shown
    assert exists(source)


def test_who_was_asked_deletes(shop: Tenant, visitor: Visitor, users: list[hooks.User]) -> None:
    source = add_source(shop)

    answer = visitor.send(f"sources/{source.id}/delete")

    assert answer["Location"] == f"/p/{shop.id}/sources"
    assert not exists(source)


def test_the_agents_that_use_it_are_named(shop: Tenant, visitor: Visitor, users: list[hooks.User]) -> None:
    source = add_source(shop)
    users += [hooks.User("agt_1", "مندوب المبيعات"), hooks.User("agt_2", "<b>Support</b>")]

    shown = visitor.see(f"sources/{source.id}/delete")

    assert "<bdi>مندوب المبيعات</bdi>" in shown
    assert "<bdi>&lt;b&gt;Support&lt;/b&gt;</bdi>" in shown
    assert "Take it out of the agents and delete it" in shown
    assert "<bdi>مندوب المبيعات</bdi>" in visitor.see(f"sources/{source.id}")


def test_agents_that_were_named_lose_the_source(shop: Tenant, visitor: Visitor, users: list[hooks.User]) -> None:
    source = add_source(shop)
    users.append(hooks.User("agt_1", "مندوب المبيعات"))

    visitor.send(f"sources/{source.id}/delete", detach=["agt_1"])

    assert not exists(source)
    assert users == []


def test_an_agent_that_was_not_named_keeps_the_source(
    shop: Tenant, visitor: Visitor, users: list[hooks.User]
) -> None:
    source = add_source(shop)
    users += [hooks.User("agt_1", "مندوب المبيعات"), hooks.User("agt_2", "جديد")]

    answer = visitor.send(f"sources/{source.id}/delete", detach=["agt_1"])

    assert answer.status_code == 409
    assert "changed since you opened the page" in answer.content.decode()
    assert exists(source)
    assert content_of(source) == PRICES
