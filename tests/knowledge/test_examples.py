"""Saved questions: kept with what they should find, and noticed when an edit loses it."""

from collections.abc import Iterator

import pytest

from apps.kernel.errors import AppError
from apps.knowledge import examples, lookup, queries, services
from apps.knowledge.models import QueryCount, SearchExample, Source
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.factories import Tenant

PRICES = "صندوق بخور — 95 ريال\nدهن عود كمبودي — 520 ريال\nعسل سدر — 230 ريال"


@pytest.fixture(autouse=True)
def _in_shop(shop: Tenant) -> Iterator[None]:
    with project_scope(shop.id):
        yield


@pytest.fixture
def prices(shop: Tenant) -> Source:
    return add(shop, PRICES)


def add(tenant: Tenant, content: str, name: str = "الأسعار") -> Source:
    return services.create_source(tenant.id, name=name, kind="catalog", content=content, actor="operator")


def edit(source: Source, content: str) -> None:
    locked = queries.get_source(source.project_id, source.id, lock=True)
    services.update_source(locked, content=content, actor="operator")


def delete(source: Source) -> None:
    services.delete_source(
        queries.get_source(source.project_id, source.id, lock=True), detach=False, actor="operator"
    )


def keep(tenant: Tenant, question: str, source: Source | None, text: str) -> SearchExample:
    source_id = None if source is None else source.id
    return examples.keep_example(tenant.id, question=question, source_id=source_id, text=text, actor="user:1")


def outcome(example: SearchExample) -> tuple[str, int | None, str | None]:
    (checked,) = examples.check_examples([examples.get_example(example.project_id, example.id)])
    return checked.state, checked.place, checked.text


def test_what_is_there_is_found(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "كم سعر صندق البخور", prices, "صندوق بخور — 95 ريال")

    assert outcome(example) == ("found", 1, "صندوق بخور — 95 ريال")


def test_an_item_with_another_price_is_still_that_item(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "صندق بخور", prices, "صندوق بخور — 95 ريال")
    edit(prices, PRICES.replace("95", "101"))

    assert outcome(example) == ("changed", 1, "صندوق بخور — 101 ريال")


def test_an_item_that_is_gone_is_lost(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "صندق بخور", prices, "صندوق بخور — 95 ريال")
    edit(prices, "عسل سدر — 230 ريال")

    assert outcome(example) == ("lost", None, None)


def test_another_item_in_its_place_is_not_it(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "عسل", prices, "عسل سدر — 230 ريال")
    edit(prices, "شمع عسل طبيعي للبشرة الجافة والحساسة، علبة 90 مل")

    assert outcome(example)[0] == "lost"


def test_the_place_among_the_hits_is_told(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "عسل", prices, "عسل سدر — 230 ريال")
    edit(prices, f"عسل\nعسل\n{PRICES}")

    assert outcome(example)[:2] == ("found", 3)


def test_the_same_item_of_another_source_is_not_it(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "عسل سدر", prices, "عسل سدر — 230 ريال")
    add(shop, "عسل سدر — 230 ريال", "أخرى")
    edit(prices, "بخور")

    assert outcome(example)[0] == "lost"


def test_of_a_source_that_is_gone_the_item_may_be_in_any_other(shop: Tenant, prices: Source) -> None:
    example = keep(shop, "عسل سدر", prices, "عسل سدر — 230 ريال")
    add(shop, "عسل سدر — 230 ريال", "أخرى")
    delete(prices)

    assert outcome(example)[:2] == ("found", 1)


@pytest.mark.parametrize(
    ("content", "state"), [("مسك أبيض", "silent"), ("علبة شاحن", "silent"), ("شاحن هاتف سريع", "noisy")]
)
def test_a_question_may_be_kept_that_should_find_nothing(shop: Tenant, content: str, state: str) -> None:
    example = keep(shop, "شاحن هاتف", None, "")
    add(shop, content)

    assert outcome(example)[0] == state


def test_the_same_question_written_otherwise_gets_the_new_expectation(shop: Tenant, prices: Source) -> None:
    keep(shop, "صندق بخور", prices, "صندوق بخور — 95 ريال")
    keep(shop, "صَندق  بخور؟", prices, "دهن عود كمبودي — 520 ريال")

    assert [kept.text for kept in examples.list_examples(shop.id)] == ["دهن عود كمبودي — 520 ريال"]


@pytest.mark.parametrize("question", ["🍯", "؟؟؟", "في من", "x" * 2_000, "ع" * 2_000])
def test_any_question_can_be_kept(shop: Tenant, prices: Source, question: str) -> None:
    example = keep(shop, question, prices, "عسل سدر — 230 ريال")

    assert outcome(example)[0] in {"found", "lost"}


def test_where_nothing_is_kept_nothing_is_checked(shop: Tenant) -> None:
    assert examples.check_examples(examples.list_examples(shop.id)) == []


def test_all_are_checked_newest_first(shop: Tenant, prices: Source) -> None:
    keep(shop, "عسل", prices, "عسل سدر — 230 ريال")
    keep(shop, "طائرة", prices, "طائرة ورقية")

    checked = examples.check_examples(examples.list_examples(shop.id))

    assert [(outcome.example.question, outcome.is_good) for outcome in checked] == [
        ("طائرة", False),
        ("عسل", True),
    ]


def test_checking_counts_no_question(shop: Tenant, prices: Source) -> None:
    keep(shop, "طائرة", prices, "طائرة ورقية")
    examples.check_examples(examples.list_examples(shop.id))

    assert not QueryCount.objects.for_project(shop.id).exists()


def test_only_so_many_are_kept(shop: Tenant, prices: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "MAX_EXAMPLES", 1)
    keep(shop, "عسل", prices, "عسل سدر — 230 ريال")
    keep(shop, "عسل", prices, "عسل")

    with pytest.raises(AppError) as refused:
        keep(shop, "بخور", prices, "صندوق بخور — 95 ريال")

    assert refused.value.code == "too_many_search_examples"


def test_one_that_is_dropped_is_gone(shop: Tenant, prices: Source) -> None:
    examples.drop_example(keep(shop, "عسل", prices, "عسل سدر — 230 ريال"), actor="user:1")

    assert not examples.list_examples(shop.id).exists()


def test_keeping_and_dropping_are_remembered(shop: Tenant, prices: Source) -> None:
    examples.drop_example(keep(shop, "عسل", prices, "عسل سدر — 230 ريال"), actor="user:1")
    deeds = AuditEntry.objects.for_project(shop.id).filter(actor="user:1").order_by("id")

    assert [deed.action for deed in deeds] == ["search_example.kept", "search_example.dropped"]


@pytest.mark.conformance("I-5")
def test_a_question_of_another_project_is_none(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(other_shop.id):
        example = keep(other_shop, "عسل", add(other_shop, PRICES), "عسل سدر — 230 ريال")

    with pytest.raises(AppError) as missing:
        examples.get_example(shop.id, example.id)

    assert missing.value.code == "search_example_not_found"


@pytest.mark.conformance("I-5")
def test_a_source_of_another_project_is_none(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(other_shop.id):
        source = add(other_shop, PRICES)

    with pytest.raises(AppError) as missing:
        keep(shop, "عسل", source, "عسل سدر — 230 ريال")

    assert missing.value.code == "knowledge_source_not_found"


# --- what the search bench asks besides ---------------------------------------------------------------------


def test_a_trial_finds_what_a_search_finds_and_explains_it(shop: Tenant, prices: Source) -> None:
    (hit,) = lookup.try_search(shop.id, "صندق بخور")["hits"]

    (searched,) = lookup.search(shop.id, "صندق بخور")["hits"]
    assert {name: value for name, value in hit.items() if name != "explanation"} == searched
    assert [answer.way for answer in hit["explanation"].answers] == ["edits", "same"]


def test_a_trial_tells_what_a_miss_would_mean(shop: Tenant, prices: Source) -> None:
    add(shop, "مسك", "أخرى")
    services.update_source(queries.get_source(shop.id, prices.id, lock=True), complete=False, actor="operator")

    found = lookup.try_search(shop.id, "بخور")
    missed = lookup.try_search(shop.id, "طائرة")

    assert (found["miss"], found["if_missed"]["evidence"]) == (None, False)
    assert missed["miss"] == missed["if_missed"]
    assert [reason["code"] for reason in missed["miss"]["reasons"]] == ["source_incomplete"]


def test_the_questions_most_often_missed_are_told(shop: Tenant, prices: Source) -> None:
    for query in ("طائرة", "طائره", "شاحن", "عسل"):
        lookup.search(shop.id, query)
    today = QueryCount.objects.for_project(shop.id).first()
    assert today is not None

    found = queries.top_missed(shop.id, since=today.day, count=5)

    assert [(question.words, question.asked, question.missed) for question in found] == [
        ("طايره", 2, 2),
        ("شاحن", 1, 1),
    ]
