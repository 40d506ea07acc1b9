"""Other forms of a word: prefixes, numbers, the other script, other ways to name an amount."""

import numpy as np
import pytest

from apps.search import lexicon, scripts
from apps.search.fold import fold
from apps.search.forms import forms_of
from apps.search.measures import amounts_of_pair, amounts_of_word
from apps.search.vocabulary import Vocabulary
from tests.search.searches import find, find_fully, meets, search_catalog


@pytest.mark.conformance("KA-118")
@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("العسل", "عسل"),
        ("عسل", "العسل"),
        ("رجال", "للرجال"),
        ("للرجال", "رجال"),
        ("الرجال", "للرجال"),
        ("وعسل", "عسل"),
        ("عسل", "وعسل"),
        ("عسل", "بالعسل"),
        ("والعسل", "بالعسل"),
        ("كالعسل", "فالعسل"),
        ("بعسل", "عسل"),
        ("عسل", "لعسل"),
    ],
)
def test_a_prefix_makes_another_form(line: str, query: str) -> None:
    hit = search_catalog(line, query).hits[0]
    assert (hit.full_match, hit.edits) == (True, 0)


@pytest.mark.conformance("KA-118")
@pytest.mark.parametrize(("line", "query"), [("البن", "لبن"), ("الخور", "بخور"), ("لورد", "وورد")])
def test_a_letter_of_the_word_is_no_prefix(line: str, query: str) -> None:
    bare, whole = forms_of(fold(query))
    assert fold(line) not in {*whole, *bare, *(f"ال{form}" for form in bare)}


@pytest.mark.conformance("KA-121")
@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("مبخرة", "مباخر"),
        ("صندوق", "صناديق"),
        ("عطر", "عطور"),
        ("قلم", "أقلام"),
        ("باب", "أبواب"),
        ("خاتم", "خواتم"),
        ("فاكهة", "فواكه"),
        ("حقيبة", "حقائب"),
        ("فاتورة", "فواتير"),
        ("فانوس", "فوانيس"),
        ("قماش", "أقمشة"),
        ("كيس", "أكياس"),
        ("عباية", "عبايات"),
        ("منتج", "منتجات"),
        ("كاميرا", "كاميرات"),
        ("تفاحة", "تفاح"),
        ("معلم", "معلمين"),
        ("كرتون", "كرتونين"),
        ("حبة", "حبتين"),
        ("هدية", "هدايا"),
        ("امرأة", "نساء"),
        ("أحمر", "حمراء"),
        ("box", "boxes"),
        ("candle", "candles"),
        ("berry", "berries"),
        ("knife", "knives"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_singular_and_plural_are_forms_of_each_other(singular: str, plural: str, turned: bool) -> None:
    line, query = (plural, singular) if turned else (singular, plural)
    hit = search_catalog(f"{line} فاخر", query).hits[0]
    assert (hit.full_match, hit.edits) == (True, 0)


def test_the_article_may_stand_before_a_plural() -> None:
    assert search_catalog("الصناديق الخشبية", "بالصندوق").hits[0].edits == 0


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(
    ("arabic", "latin"),
    [
        ("لاكوست", "Lacoste"),
        ("نستله", "Nestle"),
        ("شانيل", "Chanel"),
        ("كولجيت", "Colgate"),
        ("تويكس", "Twix"),
        ("الوادي", "alwadi"),
        ("موزاريلا", "mozzarella"),
        ("بيتزا", "pizza"),
        ("الموزاريلا", "mozzarella"),
        # sounds that the other script writes in more than one way
        ("لكزس", "lexus"),
        ("لكسس", "lexus"),
        ("فورتشنر", "fortuner"),
        ("بكتشر", "picture"),
        # an i that a silent e makes long, or does not
        ("نايك", "nike"),
        ("برايم", "prime"),
        ("برايس", "price"),
        ("موبايل", "mobile"),
        ("ماشين", "machine"),
        ("سرفس", "service"),
        # what is heard twice is written twice, with or without a vowel between
        ("راري", "rari"),
        ("سكر", "sukkar"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_words_that_sound_alike_agree_across_scripts(arabic: str, latin: str, turned: bool) -> None:
    sought, found = (arabic, latin) if turned else (latin, arabic)
    assert meets(sought, found)


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(
    ("arabizi", "arabic"),
    [("7alib", "حليب"), ("3asal", "عسل"), ("5obz", "خبز"), ("6ama6em", "طماطم"), ("9aboon", "صابون")],
)
def test_digits_of_arabizi_are_heard_as_their_letters(arabizi: str, arabic: str) -> None:
    assert meets(arabizi, arabic)


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(
    ("arabic", "latin"),
    [
        ("عطر", "terre"),
        ("هندي", "heinz"),
        ("ريو", "oreo"),
        ("قرع", "kiri"),
        ("بنت", "bounty"),
        ("عود", "de"),
        ("جبلي", "jbl"),
        ("jbl", "جبلي"),
        ("الله", "el"),
        ("راري", "ra"),
        ("راري", "rarira"),
    ],
)
def test_words_that_share_only_consonants_do_not_agree(arabic: str, latin: str) -> None:
    assert not meets(arabic, latin)


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(
    ("line", "query"),
    [("لاكوست أبيض", "lacoste"), ("LACOSTE white", "لاكوست"), ("حليب طازج", "7alib"), ("عسل سدر", "3asal")],
)
def test_a_word_is_found_in_the_other_script(line: str, query: str) -> None:
    assert find_fully(line, query) == [line]


SAME_NAMES = [
    pytest.param(line, query, id=f"{query} finds {line}")
    for line, others in lexicon.NAMES.items()
    for query in others
    if line.isascii() != query.isascii()
]


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(("line", "query"), SAME_NAMES)
def test_a_name_that_sounds_otherwise_than_it_is_written_is_found_too(line: str, query: str) -> None:
    [hit] = search_catalog(f"{line} 2025", query).hits

    assert (hit.full_match, hit.edits) == (True, 3)


@pytest.mark.conformance("KA-123")
def test_the_other_script_ranks_below_exact_and_fuzzy() -> None:
    assert find("لاكوست\nLacosta bag of leather\nLacoste shirt of cotton", "lacoste") == [
        "Lacoste shirt of cotton",
        "Lacosta bag of leather",
        "لاكوست",
    ]


def test_keys_of_many_words_are_the_keys_of_each() -> None:
    words = ["لاكوست", "الموزاريلا", "lacoste", "12", "شتش", "تتز", "نستله", "a", "क", "ه"]
    assert scripts.keys(words) == [scripts.keys([word])[0] for word in words]


@pytest.mark.parametrize(
    ("one", "other", "amounts"),
    [
        ("نص", "كيلو", {("0.5", "كيلو"), ("500", "جرام"), ("0.0005", "طن")}),
        ("لتر", "ونص", {("1.5", "لتر"), ("1500", "مل")}),
        ("لترين", "وربع", {("2.25", "لتر"), ("2250", "مل")}),
        ("1000", "مل", {("1", "لتر")}),
        ("خمسه", "متر", {("5", "متر"), ("500", "سم")}),
        ("عسل", "كيلو", set()),
        ("نص", "عسل", set()),
        ("3asal", "كيلو", set()),
        ("3a3", "كيلو", set()),
        ("9" * 40, "كيلو", set()),
    ],
)
def test_an_amount_is_known_under_other_names(one: str, other: str, amounts: set[tuple[str, str]]) -> None:
    assert set(amounts_of_pair(one, other)) == amounts


def test_a_dual_is_two_of_its_unit() -> None:
    assert ("2", "لتر") in set(amounts_of_word("لترين"))


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("قهوة 500 جرام", "نص كيلو قهوة"),
        ("ماء 1.5 لتر", "ماء لتر ونص"),
        ("حليب 2 لتر", "حليب لترين"),
        ("عسل 1 كيلو", "عسل 1000 جرام"),
        ("تمر 5 كيلو", "خمسة كيلو تمر"),
        ("عسل ½ كيلو", "نص كيلو عسل"),
    ],
)
def test_an_amount_named_otherwise_matches_fully(line: str, query: str) -> None:
    assert find_fully(line, query) == [line]


def test_numbers_and_units_of_an_amount_must_stand_together() -> None:
    assert find_fully("جرام واحد من 500 صنف", "نص كيلو") == []


def test_a_vocabulary_tells_only_the_forms_it_holds() -> None:
    words = ["عسل", "العسل", "عسول"]
    letters = np.array([ord(letter) for letter in "".join(words)], dtype=np.uint32)
    vocabulary = Vocabulary(letters, np.array([3, 5, 4]), np.zeros(3, dtype=np.uint32))
    assert 1 in vocabulary.other_forms("عسل")
