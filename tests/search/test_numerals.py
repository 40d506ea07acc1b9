"""Numbers in words: several words for one number, dialect spellings, particles, and words of two meanings."""

import pytest

from apps.search import lexicon
from apps.search.fold import fold
from apps.search.numerals import bare_number, read_numeral
from apps.search.query import read_query


@pytest.mark.conformance("KA-119")
@pytest.mark.parametrize(
    ("words", "numeral"),
    [
        ("مية وخمسين", (2, "150")),
        ("خمسة وعشرين", (2, "25")),
        ("مية وخمسة وعشرين", (3, "125")),
        ("ألف ومية", (2, "1100")),
        ("ثلاثة آلاف", (2, "3000")),
        ("ثلاثة آلاف ومئتين وخمسين ريال", (4, "3250")),
        ("خمسة وعشرين ألف", (3, "25000")),
        ("تسع مية", (2, "900")),
        ("ألفين وخمسمية", (2, "2500")),
        ("خمسة", (0, "")),
        ("خمسة ستة", (0, "")),
        ("عشرين وخمسين", (0, "")),
        ("كرسي خمسة", (0, "")),
    ],
)
def test_words_are_read_as_one_number(words: str, numeral: tuple[int, str]) -> None:
    assert read_numeral(fold(words).split()) == numeral


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("لأربع", "اربع"),
        ("بخمسين", "خمسين"),
        ("لثمانية", "ثمانيه"),
        ("السبعين", "سبعين"),
        ("لست", None),
        ("بخور", None),
    ],
)
def test_a_particle_comes_off_a_number(word: str, bare: str | None) -> None:
    assert bare_number(fold(word)) == bare


@pytest.mark.parametrize("word", ["مية", "ست", "سبع", "ألف", "تمن"])
def test_a_word_that_means_something_else_too_is_a_number_only_beside_a_unit(word: str) -> None:
    assert fold(word) not in lexicon.NUMBER_WORDS
    assert fold(word) in lexicon.NUMBER_WORDS_BESIDE_A_UNIT


@pytest.mark.conformance("KA-119")
@pytest.mark.parametrize(
    ("query", "known", "folded"),
    [
        ("سجادة بمية وخمسين", set(), ["سجاده", "بميه", "خمسين"]),
        ("سجادة مية وخمسين سم", set(), ["سجاده", "150", "سم"]),
        ("خيمة لسبعة أشخاص", set(), ["خيمه", "سبعه", "اشخاص"]),
        ("مية وخمسين", {"ميه", "وخمسين"}, ["ميه", "وخمسين"]),
    ],
)
def test_a_number_in_words_is_one_word_of_the_query(query: str, known: set[str], folded: list[str]) -> None:
    assert [term.folded for term in read_query(query, known.__contains__).terms] == folded
