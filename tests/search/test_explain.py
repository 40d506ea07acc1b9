"""How a hit answers each word of a query, for people to read."""

import pytest

from apps.search.explain import Answer, Explanation, explain
from tests.search.searches import search_catalog

SHOP = """صندوق بخور — 95 ريال
دهن عود كمبودي 12 مل — 520 ريال
مبخرة كهربائية — 75 ريال
عسل سدر 500 جرام — 230 ريال
Lacoste عطر رجالي
ماء ورد
كيبل شحن آيفون"""


def explained(query: str, text: str = SHOP) -> Explanation:
    """How the best hit answers a query."""
    return explain(search_catalog(text, query))[0]


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("بخور", Answer("بخور", "بخور", "same")),
        ("lacoste", Answer("lacoste", "Lacoste", "spelling")),
        ("ايفون", Answer("ايفون", "آيفون", "spelling")),
        ("١٢", Answer("١٢", "12", "spelling")),
        ("غرام", Answer("غرام", "جرام", "spelling")),
        ("صندق", Answer("صندق", "صندوق", "edits", 1)),
        ("كمبدوى", Answer("كمبدوى", "كمبودي", "edits", 1)),
        ("مباخر", Answer("مباخر", "مبخرة", "form")),
        ("العسل", Answer("العسل", "عسل", "form")),
        ("البخوور", Answer("البخوور", "بخور", "form_and_edits", 1)),
        ("لاكوست", Answer("لاكوست", "Lacoste", "across")),
        ("3asal", Answer("3asal", "عسل", "across")),
        ("ماورد", Answer("ماورد", "ماء ورد", "split")),
    ],
)
def test_a_word_is_answered(query: str, answer: Answer) -> None:
    assert explained(query) == Explanation([answer], [])


def test_two_words_may_be_one_of_the_line() -> None:
    assert explained("كي بل").answers == [Answer("كي", "كيبل", "joined"), Answer("بل", "كيبل", "joined")]


def test_an_amount_may_be_stated_otherwise() -> None:
    assert [answer.way for answer in explained("سدر نص كيلو").answers] == ["same", "amount", "amount"]


def test_words_without_an_answer_are_named_as_typed() -> None:
    assert explained("بخور أحمر").missing == ["أحمر"]


def test_ignored_words_are_neither_answered_nor_missing() -> None:
    assert explained("كم سعر البخور") == Explanation([Answer("البخور", "بخور", "form")], [])


def test_a_line_word_answers_one_word_only() -> None:
    assert explained("عود عودي", "عود") == Explanation([Answer("عود", "عود", "same")], ["عودي"])


def test_no_hit_is_no_explanation() -> None:
    assert explain(search_catalog(SHOP, "طائرة")) == []


def test_there_is_one_for_each_hit_in_their_order() -> None:
    result = search_catalog(SHOP, "ريال عسل")

    found = [[answer.found for answer in each.answers] for each in explain(result)]

    assert found == [
        [hit.text[start:end] for start, end in sorted(hit.highlights, reverse=True)] for hit in result.hits
    ]
