"""Texts are cut only where a person sees one character end and another begin."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.gateway.clusters import LONGEST, cut_at, is_boundary
from tests.gateway.texts import ALPHABETS, FAMILY, FLAG

# Each row is cut into exactly these clusters.
CLUSTERS: Final = [
    ("letters", ["a", "b"]),
    ("Arabic letters", ["ب", "خ", "و", "ر"]),
    ("an Arabic letter with two marks", ["مَّ", "د"]),
    ("a letter with an accent of its own", ["e\u0301", "e"]),
    ("a carriage return with its line feed", ["\r\n", "\n", "\r", "x"]),
    ("a mark after a line feed", ["\n", "\u064b", "ا"]),
    ("an Arabic number sign before its number", ["\u06001", "2"]),
    ("a family", [FAMILY, "!"]),
    ("a colour of skin", ["👍🏽", "👍"]),
    ("a heart on fire", ["❤\ufe0f\u200d🔥", "❤"]),
    ("a head that shakes", ["🙂\u200d↔\ufe0f", "🙂"]),
    ("two flags", [FLAG, "🇪🇬", "x"]),
    ("half a flag after a flag", [FLAG, "🇪", "x"]),
    ("the flag of a region", ["🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "x"]),
    ("a key cap", ["1\ufe0f\u20e3", "2"]),
    ("Korean syllables in letters", ["\u1100\u1161\u11a8", "\u1100\u1161"]),
    ("Korean syllables and a trail", ["가\u11a8", "각", "가"]),
    ("a Devanagari conjunct", ["क्ष", "क"]),
    ("a Thai vowel after its consonant", ["กำ", "ก"]),
    ("a joiner after a letter", ["a\u200d", "b"]),
    ("a non-joiner after a letter", ["ب\u200c", "ب"]),
    ("a sign of direction", ["ا", "\u200f", "ب"]),
]


@pytest.mark.conformance("BH-066")
@pytest.mark.parametrize(("_", "clusters"), CLUSTERS, ids=[name for name, _ in CLUSTERS])
def test_boundaries_stand_between_clusters_and_nowhere_else(_: str, clusters: list[str]) -> None:
    text = "".join(clusters)
    ends = {len("".join(clusters[:count])) for count in range(len(clusters) + 1)}

    assert {at for at in range(len(text) + 1) if is_boundary(text, at)} == ends


@pytest.mark.conformance("BH-066")
@pytest.mark.parametrize("most", range(1, len(FAMILY)))
def test_a_cut_inside_a_cluster_falls_before_it(most: int) -> None:
    assert cut_at(f"ab{FAMILY}c", 2 + most) == 2


def test_a_cut_between_clusters_stays_where_it_is() -> None:
    assert cut_at("abc", 2) == 2


@pytest.mark.parametrize("marks", [LONGEST - 1, LONGEST - 2])
def test_a_cluster_of_up_to_32_code_points_is_not_cut(marks: int) -> None:
    cluster = "ب" + "\u064e" * marks

    assert {cut_at(f"a{cluster}b", 1 + at) for at in range(1, len(cluster))} == {1}


@pytest.mark.parametrize("at", [1, 2, 31, 32])
def test_a_longer_cluster_may_be_cut_between_code_points(at: int) -> None:
    cluster = "ب" + "\u064e" * LONGEST

    assert cut_at(f"a{cluster}b", 1 + at) == 1 + at


@given(
    st.lists(st.sampled_from([cluster for alphabet in ALPHABETS.values() for cluster in alphabet]), max_size=40),
    st.integers(min_value=0, max_value=400),
)
def test_a_cut_is_never_past_what_was_allowed_and_loses_less_than_a_cluster(clusters: list[str], most: int) -> None:
    text = "".join(clusters)

    cut = cut_at(text, min(most, len(text)))

    assert is_boundary(text, cut)
    assert min(most, len(text)) - LONGEST < cut <= min(most, len(text))
