"""Words of a text: runs of letters or digits, units by their spelling, numbers by their value."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.search.tokens import tokens_of
from apps.search.words import Word, words_of

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
TELLING = st.text(st.sampled_from("…اعسكل ء\u064e\u0640\u200f12٣،٫٬.,-—½ﷺﻻß§gغم\n🍯क्षÀ"), max_size=60)


def words(text: str) -> list[str]:
    return [word.text for word in words_of(text)]


@pytest.mark.conformance("KA-039")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("صندوق بخور — 95 ريال", ["صندوق", "بخور", "95", "ريال"]),
        ("12مل", ["12", "مل"]),
        ("iPhone15-Pro_max", ["iphone", "15", "pro", "max"]),
        ("(عطر)/[عود]،مسك؛ورد؟", ["عطر", "عود", "مسك", "ورد"]),
        ("عسل🍯سدر", ["عسل", "سدر"]),
        ("", []),
        ("— 🍯 !", []),
        ("ﷲ", ["الله"]),
    ],
)
def test_words_are_runs_of_letters_or_of_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.conformance("KA-119", "KA-045")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("95.00", ["95"]),
        ("٩٥", ["95"]),
        ("095", ["95"]),
        ("1.50", ["1.5"]),
        ("١٫٥", ["1.5"]),
        ("1,5", ["1.5"]),
        ("1,250", ["1250"]),
        ("200,000", ["200000"]),
        ("1,250.75", ["1250.75"]),
        ("1.250,75", ["1250.75"]),
        ("١٬٢٥٠", ["1250"]),
        ("36,38,40", ["36", "38", "40"]),
        ("12.5.2024", ["12", "5", "2024"]),
        ("95،96", ["95", "96"]),
        ("\u200f95\u200f.\u200e5", ["95.5"]),
        ("95.", ["95"]),
        ("0.0", ["0"]),
        ("2…3", ["2", "3"]),
    ],
)
def test_numbers_count_by_value(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.conformance("KA-119")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("190جم", "190 جرام"),
        ("190 غ", "190 جرام"),
        ("190g", "190 غرام"),
        ("2 كجم", "2 كيلو"),
        ("2kg", "٢ كغ"),
        ("1.5 L", "١٫٥ لتر"),
        ("100ml", "100 مل"),
        ("5 م", "5 متر"),
        ("20 مجم", "20 mg"),
        ("95 SAR", "95 ريال"),
    ],
)
def test_spellings_of_a_unit_are_equal(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.conformance("KA-119")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("مقاس L", ["مقاس", "l"]),
        ("م 5", ["م", "5"]),
        ("200,000 ل.ل", ["200000", "ل", "ل"]),
        ("فيتامين ك", ["فيتامين", "ك"]),
    ],
)
def test_a_short_sign_is_a_unit_only_right_after_a_number(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.conformance("KA-124")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("عسسسل", ["عسل"]), ("حلوووووو", ["حلو"]), ("coooool", ["col"]), ("XXXL", ["xxxl"]), ("الله", ["الله"])],
)
def test_letters_repeated_for_emphasis_count_once(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("بَخُورٌ عود", [Word("بخور", 0, 7), Word("عود", 8, 11)]),
        ("ﻻب", [Word("لاب", 0, 2)]),
        ("1½ لتر", [Word("1", 0, 1), Word("0.5", 1, 2), Word("لتر", 3, 6)]),
        ("㎏ب", [Word("kgب", 0, 2)]),
    ],
)
def test_a_word_stands_where_its_letters_and_their_marks_stand(text: str, expected: list[Word]) -> None:
    assert words_of(text) == expected


@settings(deadline=None)
@given(st.lists(ANY_TEXT | TELLING, max_size=6))
@example(["٥ g.", "ل.ل 5 ل.ل", "½", "1\u200f.\u064e5"])
def test_many_texts_at_once_have_the_words_of_each(texts: list[str]) -> None:
    tokens = tokens_of(texts)
    at_once = [
        (chunk, tokens.words[word], start, end)
        for word, chunk, start, end in zip(*(column.tolist() for column in tokens[1:]), strict=True)
    ]
    one_by_one = [(number, *word) for number, text in enumerate(texts) for word in words_of(text)]
    assert at_once == one_by_one


@settings(deadline=None)
@given(ANY_TEXT)
def test_every_word_stands_inside_its_text(text: str) -> None:
    assert all(0 <= word.start < word.end <= len(text) for word in words_of(text))
