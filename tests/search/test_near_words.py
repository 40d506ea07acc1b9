"""Words near another are picked out of many by what edits change little; none that is near may be passed over."""

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from apps.search.deletions import Deletions
from apps.search.signatures import Signatures

# Few letters, so that words are often near; some share a bucket, the last ones are beyond the first plane.
LETTERS = "اليذظةaqक𐡀𐡁"
FIRST_NUMBER = 7

Near = Deletions | Signatures


def kept(words: Sequence[str], keep: Callable[[list[tuple[int, np.ndarray]]], Near]) -> tuple[Near, dict[int, str]]:
    """Keep words as a vocabulary does, numbered on by length; returns what keeps them, and each word by number."""
    numbered = dict(enumerate(sorted(set(words), key=len), FIRST_NUMBER))
    by_length: dict[int, list[tuple[int, str]]] = {}
    for number, word in numbered.items():
        by_length.setdefault(len(word), []).append((number, word))
    rows = [(group[0][0], np.array([[*map(ord, word)] for _, word in group])) for group in by_length.values()]
    return keep(rows), numbered


def words(least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.text(st.sampled_from(LETTERS), min_size=least, max_size=most), max_size=40)


@settings(deadline=None)
@given(words(1, 6), st.text(st.sampled_from(LETTERS), min_size=3, max_size=5))
@example(["ابج", "ابجد", "اب", "باج", "ابد"], "ابج")
def test_no_word_one_edit_away_is_passed_over(vocabulary: list[str], word: str) -> None:
    deletions, numbered = kept(vocabulary, Deletions)
    near = {number for number, other in numbered.items() if OSA.distance(word, other) <= 1}
    assert near <= set(deletions.near(word))


@settings(deadline=None)
@given(words(4, 12), st.text(st.sampled_from(LETTERS), min_size=6, max_size=10))
@example(["بارتسل", "اربتسل", "ابرت", "ابرتسلمن", "ااررتسل"], "ابرتسل")
def test_no_word_two_edits_away_is_passed_over(vocabulary: list[str], word: str) -> None:
    signatures, numbered = kept(vocabulary, Signatures)
    near = {number for number, other in numbered.items() if OSA.distance(word, other) <= 2}
    assert near <= set(signatures.near(word))


@pytest.mark.parametrize("length", [63, 64])
def test_the_longest_words_are_near_one_another(length: int) -> None:
    vocabulary = ["ا" * 62, "ا" * 63, "ا" * 64]
    signatures, numbered = kept(vocabulary, Signatures)
    assert [numbered[number] for number in signatures.near("ا" * length)] == vocabulary


@pytest.mark.parametrize("keep", [Deletions, Signatures])
def test_no_word_is_near_among_none(keep: Callable[[list[tuple[int, np.ndarray]]], Near]) -> None:
    assert not keep([]).near("بخور")
    assert not keep([]).near("صندوق")


@pytest.mark.parametrize(("keep", "length"), [(Deletions, 4), (Signatures, 6)])
def test_of_many_words_only_few_are_picked_out(
    keep: Callable[[list[tuple[int, np.ndarray]]], Near], length: int
) -> None:
    chance = random.Random(5)
    vocabulary = ["".join(chance.choices("ابتجحدرسعفقكلمنهوي", k=length)) for _ in range(5000)]
    picker, _ = kept(vocabulary, keep)
    assert 1 <= len(picker.near(vocabulary[0])) <= len(vocabulary) // 50
