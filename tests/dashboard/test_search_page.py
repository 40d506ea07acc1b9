"""The search bench: what a question finds and why, what a miss means, and questions that are kept."""

import re
from html import unescape

import pytest

from apps.knowledge import examples, intake, lookup, queries, services
from apps.knowledge.models import QueryCount, SearchExample
from apps.knowledge.transform import Transform, apply
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from tests.dashboard.making import PRICES, Visitor, add_source, change_source, only_source
from tests.factories import Tenant, make_member


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


def plain(page: str) -> str:
    """The page's words without marks and isolation."""
    return unescape(re.sub(r"</?(?:bdi|mark)[^>]*>", "", page))


# --- what is found ------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-051")
def test_a_member_searches_the_project(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)

    shown = visitor.see("search", q="صندق بخور")

    assert "<mark>صندوق</mark> <mark>بخور</mark>" in shown
    assert "عسل سدر" not in shown


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("صندق", "صندق: found صندوق, 1 letter apart"),
        ("الصندوق", "الصندوق: another form of the word (صندوق)"),
        ("١٢", "١٢: letters that count as equal (12)"),
        ("3asal", "3asal: sounds like عسل in the other script"),
        ("نص كيلو", "نص: the same amount (500 جرام)"),
        ("عسل أحمر", "Not in this line: أحمر"),
    ],
)
def test_a_hit_says_how_it_answers(shop: Tenant, visitor: Visitor, question: str, words: str) -> None:
    add_source(shop)

    assert words in plain(visitor.see("search", q=question))


@pytest.mark.parametrize(
    ("language", "words"),
    [("ar", "صندق: وُجدت صندوق بفرق حرف واحد"), ("en", "صندق: found صندوق, 1 letter apart")],
)
def test_it_explains_in_the_readers_language(shop: Tenant, member: User, language: str, words: str) -> None:
    add_source(shop)

    assert words in plain(Visitor(shop, member, language).see("search", q="صندق"))


def test_words_are_shown_with_what_may_differ_and_ignored_ones_by_name(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)

    shown = plain(visitor.see("search", q="كم سعر صندق 12"))

    assert re.findall(r"<strong>(\S+)</strong><span class=\"soft\">([^<]*)<", shown) == [
        ("صندق", "1 letter may differ"),
        ("12", "exactly as typed"),
    ]
    assert re.findall(r'<span class="badge">(كم|سعر)</span>', shown) == ["كم", "سعر"]


def test_a_hit_leads_to_its_place_in_the_source(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    assert f'href="/p/{shop.id}/sources/{source.id}?from=3#content-title"' in visitor.see("search", q="عسل")


def test_sources_can_be_chosen(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, "عسل سدر", name="first")
    other = add_source(shop, "عسل طلح", name="other")

    shown = visitor.see("search", q="عسل", source=other.id)

    assert "طلح" in shown
    assert "سدر" not in shown
    assert f'value="{other.id}" checked' in shown


@pytest.mark.conformance("I-5")
def test_a_source_of_another_project_cannot_be_chosen(shop: Tenant, other_shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)
    foreign = add_source(other_shop, "عسل سدر")

    assert visitor.ask("search", q="عسل", source=foreign.id).status_code == 404


def test_with_many_sources_the_newest_are_offered(shop: Tenant, visitor: Visitor) -> None:
    first = add_source(shop, "عسل", name="oldest")
    for number in range(101):
        add_source(shop, "عسل", name=f"source {number}.")

    shown = visitor.see("search", q="عسل", source=first.id)

    assert shown.count('type="checkbox"') == 101
    assert "<bdi>oldest</bdi>" in shown
    assert "The newest hundred are shown." in shown


def test_what_is_tried_is_not_counted_as_asked(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)
    visitor.see("search", q="شاحن")

    with project_scope(shop.id):
        assert not QueryCount.objects.for_project(shop.id).exists()


def test_without_sources_the_next_step_is_shown(visitor: Visitor) -> None:
    assert "There is nothing to search yet" in visitor.see("search")


# --- a miss -------------------------------------------------------------------------------------------------


def test_a_miss_in_complete_sources_is_evidence(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)

    shown = visitor.see("search", q="شاحن")

    assert "Nothing found" in shown
    assert "The agent may say that you do not have it" in shown
    assert lookup.GUIDANCE["ar", True] in shown


def test_another_miss_is_none_and_says_why(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, complete=False)

    shown = visitor.see("search", q="شاحن")

    assert "The agent will not deny it" in shown
    assert f'The source is not marked as complete: <a href="/p/{shop.id}/sources/{source.id}">' in shown
    assert lookup.GUIDANCE["ar", False] in shown


def test_what_a_miss_would_mean_is_told_beside_hits(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, complete=False)

    assert "When nothing is found in these sources" in visitor.see("search", q="عسل")


def test_many_reasons_are_counted(shop: Tenant, visitor: Visitor) -> None:
    for number in range(8):
        add_source(shop, "عسل", name=f"{number}", complete=False)

    assert "and 3 more reasons" in visitor.see("search", q="شاحن")


@pytest.mark.parametrize("question", ["🍯", "؟؟؟"])
def test_a_question_without_words_says_so(shop: Tenant, visitor: Visitor, question: str) -> None:
    add_source(shop)

    assert "There is no word in the question to search for." in visitor.see("search", q=question)


def test_the_questions_that_were_missed_lead_here(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop)
    with project_scope(shop.id):
        for question in ("شاحن", "شاحن", "طائرة", "عسل"):
            lookup.search(shop.id, question)

    shown = visitor.see("search")

    assert re.findall(r"<bdi>(شاحن|طايره|عسل)</bdi></a><span[^>]*>([^<]*)<", shown) == [
        ("شاحن", "2 times"),
        ("طايره", "once"),
    ]


# --- questions that are kept --------------------------------------------------------------------------------


def kept(tenant: Tenant) -> list[tuple[str, str]]:
    with project_scope(tenant.id):
        return [(example.question, example.text) for example in examples.list_examples(tenant.id)]


def test_a_question_is_kept_with_its_answer(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    answer = visitor.send(
        "search/examples/keep", question="صندق بخور", source_id=source.id, text="صندوق بخور — 95 ريال"
    )

    assert kept(shop) == [("صندق بخور", "صندوق بخور — 95 ريال")]
    assert "The question is kept." in visitor.client.get(answer["Location"]).content.decode()


def test_kept_questions_are_checked(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)
    for question, text in (("صندق", "صندوق بخور — 95 ريال"), ("عسل", "عسل سدر 500 جرام — 230 ريال"), ("شاحن", "")):
        visitor.send("search/examples/keep", question=question, source_id=source.id, text=text)
    change_source(source, content=PRICES.replace("عسل سدر 500 جرام — 230 ريال", "شاحن هاتف"))

    shown = plain(visitor.see("search/examples", check="1"))

    assert "2 questions do not find what they should." in shown
    assert re.findall(r'data-label="What it finds now"><div><span class="badge[^"]*">([^<]*)<', shown) == [
        "Something is found",
        "Lost",
        "Found",
    ]


def test_when_all_is_found_that_is_said(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)
    visitor.send("search/examples/keep", question="صندق", source_id=source.id, text="صندوق بخور — 95 ريال")
    change_source(source, content=PRICES.replace("95", "101"))

    shown = plain(visitor.see("search/examples", check="1"))

    assert "All questions find what they should." in shown
    assert "صندوق بخور — 101 ريال" in shown


def test_one_is_removed_after_asking(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)
    visitor.send("search/examples/keep", question="صندق", source_id=source.id, text="صندوق بخور — 95 ريال")
    with project_scope(shop.id):
        example = SearchExample.objects.for_project(shop.id).get()
    asked = visitor.see(f"search/examples/{example.id}/drop")
    visitor.send(f"search/examples/{example.id}/drop")

    assert "صندق" in asked
    assert kept(shop) == []


@pytest.mark.parametrize("question", ["", " ", "x" * 2_001])
def test_what_is_no_question_is_not_kept(shop: Tenant, visitor: Visitor, question: str) -> None:
    assert visitor.send("search/examples/keep", question=question, text="x").status_code == 302
    assert kept(shop) == []


def test_a_hit_that_is_shown_cut_cannot_be_kept(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, None, kind="api", config={"url": "https://shop.example/feed.json"})
    source = only_source(shop)
    with project_scope(shop.id):
        locked = queries.get_source(shop.id, source.id, lock=True)
        taken = intake.take_feed(apply([{"a": "عسل " + "س " * 3_000}], Transform.parse({"line": "{a}"})))
        services.take_synced_content(locked, taken, is_news=True)

    shown = visitor.see("search", q="عسل")

    assert "<mark>عسل</mark>" in shown
    assert "examples/keep" not in shown
    assert len(shown) < 40_000


def test_a_viewer_keeps_nothing(shop: Tenant) -> None:
    add_source(shop)

    shown = Visitor(shop, make_member(shop, "viewer@shop.example", Role.VIEWER)).see("search", q="عسل")

    assert "examples/keep" not in shown


# --- content stays content ----------------------------------------------------------------------------------


@pytest.mark.conformance("U-5")
def test_content_is_escaped(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, "<script>alert(1)</script> بخور", name="<b>x</b>")

    shown = visitor.see("search", q="بخور <i>")

    assert "<script>alert" not in shown
    assert "<b>x" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.conformance("U-5")
def test_the_direction_of_lines_is_the_projects(shop: Tenant, visitor: Visitor) -> None:
    add_source(shop, "Lacoste عطر رجالي")

    shown = visitor.see("search", q="لاكوست")

    assert '<html lang="en" dir="ltr">' in shown
    assert '<p class="text" dir="rtl" lang="ar" data-content><bdi dir="rtl">' in shown


@pytest.mark.parametrize("query", ["\0", "\ud800", "🍯", "x" * 2000, "<b>", "%00", "' OR 1=1 --"])
def test_no_query_breaks_the_page(shop: Tenant, visitor: Visitor, query: str) -> None:
    add_source(shop)

    visitor.see("search", q=query.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


def test_a_question_that_is_too_long_is_refused_in_words(visitor: Visitor) -> None:
    assert "longer than 2,000 characters" in visitor.see("search", q="x" * 2001)
