"""Latin letters said by their names in Arabic: several for a word, one before a number."""

import pytest

from apps.search.fold import fold
from apps.search.letter_names import read_letters
from apps.search.query import read_query
from tests.search.searches import find_fully, search_catalog


@pytest.mark.parametrize(
    ("words", "known", "read"),
    [
        ("ال جي تلفزيون", {"lg"}, (2, "lg")),
        ("جي بي ال", {"jbl"}, (3, "jbl")),
        ("بي ام دبليو", {"bmw"}, (3, "bmw")),
        ("إتش دي إم آي", {"hdmi"}, (4, "hdmi")),
        ("جي ام سي", {"gm", "gmc"}, (3, "gmc")),
        ("جي ام سي", {"gm"}, (2, "gm")),
        ("اس", {"s"}, (1, "s")),
        ("ال جي", {"jl"}, (0, "")),
        ("ال تلفزيون جي", {"lg"}, (0, "")),
        ("تلفزيون ال جي", {"lg"}, (0, "")),
    ],
)
def test_the_longest_known_word_that_letters_spell_is_read(
    words: str, known: set[str], read: tuple[int, str]
) -> None:
    assert read_letters(fold(words).split(), known.__contains__) == read


@pytest.mark.parametrize(
    ("query", "known", "terms"),
    [
        ("تلفزيون ال جي ٥٥", {"lg"}, ["تلفزيون", "lg", "55"]),
        ("اس ٢٤ الترا", {"s"}, ["s", "24", "الترا"]),
        # one letter alone may be any word
        ("اس الترا", {"s"}, ["اس", "الترا"]),
        # what the sources write in Arabic is sought so
        ("تلفزيون ال جي", {"lg", "ال", "جي"}, ["تلفزيون", "ال", "جي"]),
        ("اس ٢٤", {"s", "اس"}, ["اس", "24"]),
        # a small word before a number is no letter
        ("عسل في ٢ كيلو", {"v"}, ["عسل", "2", "كيلو"]),
        ("ام علي", {"m"}, ["ام", "علي"]),
    ],
)
def test_a_query_may_name_letters(query: str, known: set[str], terms: list[str]) -> None:
    assert [term.folded for term in read_query(query, known.__contains__).terms] == terms


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("جوال سامسونج S24 الترا", "اس 24"),
        ("سيارة GMC يوكن", "جي ام سي"),
        ("كيبل USB مترين", "كيبل يو اس بي"),
        ("MacBook Pro 14", "ماك بوك برو"),
        ("AirPods Pro 2", "اير بودز"),
        ("iPhone 15 Pro", "كم سعر اي فون 15"),
        ("كفر iPad 10", "كفر اي باد"),
        ("PlayStation 5", "بلاي ستيشن 5"),
    ],
)
def test_what_is_said_apart_is_found_where_latin_letters_write_it_as_one(line: str, query: str) -> None:
    assert find_fully(f"عسل سدر\n{line}", query) == [line]


def test_the_words_said_apart_are_marked_as_one_word() -> None:
    [hit] = search_catalog("جهاز MacBook Pro", "ماك بوك").hits

    assert [hit.text[start:end] for start, end in hit.highlights] == ["MacBook"]


def test_a_known_word_keeps_its_own_meaning_beside_an_unknown_one() -> None:
    assert not find_fully("ماك مسكرا\nMacBook Pro", "ماك بوك")
