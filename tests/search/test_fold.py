"""Folding: what writers of Arabic mix up becomes one letter, what carries no letter goes."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarabic import araby

from apps.search.fold import fold, fold_character

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        pytest.param("أ", "ا", marks=pytest.mark.conformance("KA-029")),
        pytest.param("إ", "ا", marks=pytest.mark.conformance("KA-029")),
        pytest.param("آ", "ا", marks=pytest.mark.conformance("KA-029")),
        pytest.param("ٱ", "ا", marks=pytest.mark.conformance("KA-029")),
        pytest.param("مدرسة", "مدرسه", marks=pytest.mark.conformance("KA-030")),
        pytest.param("مستشفى", "مستشفي", marks=pytest.mark.conformance("KA-031")),
        pytest.param("کیک", "كيك", marks=pytest.mark.conformance("KA-031")),
        pytest.param("بَخُور", "بخور", marks=pytest.mark.conformance("KA-032")),
        pytest.param("رحمٰن", "رحمن", marks=pytest.mark.conformance("KA-032")),
        pytest.param("بخـــور", "بخور", marks=pytest.mark.conformance("KA-033")),
        pytest.param("٠١٢٣٤٥٦٧٨٩", "0123456789", marks=pytest.mark.conformance("KA-034")),
        pytest.param("۰۱۲۳۴۵۶۷۸۹", "0123456789", marks=pytest.mark.conformance("KA-034")),
        pytest.param("١٫٥", "1.5", marks=pytest.mark.conformance("KA-034")),
        pytest.param("١٬٢٥٠", "1250", marks=pytest.mark.conformance("KA-034")),
        pytest.param("ا\u0654", "ا", marks=pytest.mark.conformance("KA-035")),
        pytest.param("مسؤول", "مسوول", marks=pytest.mark.conformance("KA-036")),
        pytest.param("رئيس", "رييس", marks=pytest.mark.conformance("KA-036")),
        pytest.param("ماء", "ماء", marks=pytest.mark.conformance("KA-036")),
        pytest.param("OUD", "oud", marks=pytest.mark.conformance("KA-053")),
        pytest.param("Béjaïa", "bejaia"),
        pytest.param("ﻋﻄﺮ", "عطر"),
        pytest.param("ﻻ", "لا"),
        pytest.param("پیتزا چیز ژله گز ڤانيلا", "بيتزا جيز زله كز فانيلا"),
        pytest.param("ہ ھ ۃ ۀ", "ه ه ه ه"),
        pytest.param("ع\u00adس\u200dل\u200f\u202e\u2066\ufeff", "عسل"),
        pytest.param("1\ufe0f\u20e3", "1"),
        pytest.param("\U000e0041عود", "عود"),
    ],
)
def test_it_folds(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(("name", "mark"), [(unicodedata.name(mark), mark) for mark in araby.HARAKAT])
def test_it_removes_every_mark_that_pyarabic_knows(name: str, mark: str) -> None:
    assert fold(f"ب{mark}") == "ب", name


@pytest.mark.conformance("KA-032")
@pytest.mark.parametrize(
    "code",
    [*range(0x64B, 0x660), 0x670, *range(0x6D6, 0x6EE), *range(0x8D3, 0x900)],
    ids=lambda code: f"{code:04X}",
)
def test_it_removes_every_mark_of_the_arabic_blocks(code: int) -> None:
    assert fold(f"ع{chr(code)}ود") == "عود"


def test_it_agrees_with_pyarabic_on_tatweel() -> None:
    assert fold("عـــود") == araby.strip_tatweel("عـــود")


@settings(deadline=None)
@given(ANY_TEXT)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@settings(deadline=None)
@given(ANY_TEXT, ANY_TEXT)
def test_folding_needs_no_context(one: str, other: str) -> None:
    assert fold(one + other) == fold(one) + fold(other)


@pytest.mark.conformance("U-3")
@settings(deadline=None)
@given(
    st.text(st.sampled_from("ابتسعكلأإؤ19 ")), st.sampled_from("\u200b\u200f\u202e\u0640\u064e\u0651\u00ad\ufeff")
)
def test_invisible_characters_between_letters_change_nothing(text: str, invisible: str) -> None:
    assert fold(invisible.join(text)) == fold(text)


@pytest.mark.conformance("U-3")
@settings(deadline=None)
@given(st.text(st.sampled_from("ابتسعكلموي ")))
def test_presentation_forms_fold_to_their_letters(text: str) -> None:
    shown = "".join(_isolated_form(letter) for letter in text)
    assert fold(shown) == fold(text)


def _isolated_form(letter: str) -> str:
    name = f"{unicodedata.name(letter)} ISOLATED FORM"
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return letter


@pytest.mark.parametrize("sign", ["\ufdfa", "\ufdfb", "\ufdfd"])
def test_a_sign_for_a_whole_blessing_parts_words_and_is_none(sign: str) -> None:
    assert fold(f"محمد{sign}نبي").split() == ["محمد", "نبي"]


def test_no_character_unfolds_to_more_than_a_few() -> None:
    widest = max(len(fold_character(chr(code))) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    assert widest <= 8
