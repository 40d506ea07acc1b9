"""Words near another are picked out of many by what edits change little; none that is near may be passed over."""

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from apps.search.deletions import Deletions
from apps.search.query import max_edits
from apps.search.signatures import Signatures
from apps.search.words import LONGEST_FUZZY, is_number
from tests.search.searches import compiled

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
@example(["ابترسملن"], "ابرتسلمن")  # as many bits off as two edits can be
def test_no_word_two_edits_away_is_passed_over(vocabulary: list[str], word: str) -> None:
    signatures, numbered = kept(vocabulary, Signatures)
    near = {number for number, other in numbered.items() if OSA.distance(word, other) <= 2}
    assert near <= set(signatures.near(word))


# Lengths around those where the edits allowed change, and where words are too long to be compared.
LENGTHS = st.sampled_from([3, 4, 5, 6, 7, 8, 12, 62, 63, 64])
SOUGHT = LENGTHS.flatmap(lambda length: st.text(st.sampled_from(LETTERS), min_size=length, max_size=length))
CHANGE = st.tuples(st.integers(0, 64), st.integers(0, 2), st.text(st.sampled_from(LETTERS), max_size=2))


def changed(word: str, changes: Sequence[tuple[int, int, str]]) -> str:
    """Put letters in place of some of a word."""
    for place, taken, put in changes:
        at = place % (len(word) + 1)
        word = word[:at] + put + word[at + taken :]
    return word


@settings(deadline=None)
@given(SOUGHT, st.lists(st.lists(CHANGE, max_size=3), max_size=20), st.lists(st.integers(0, 10**7), max_size=10))
@example("ابجده", [[(5, 1, "و")]], [12345, 123456])
def test_a_vocabulary_finds_the_words_near_another_and_no_others(
    word: str, changes: list[list[tuple[int, int, str]]], numbers: list[int]
) -> None:
    vocabulary = compiled(
        " ".join([*(changed(word, some) for some in changes), *map(str, numbers)])
    ).index.vocabulary
    near = {vocabulary.words[number]: edits for number, edits in vocabulary.within(word, max_edits(word)).items()}
    compared = [other for other in vocabulary.words if len(other) <= LONGEST_FUZZY and not is_number(other)]
    distances = {other: OSA.distance(word, other) for other in compared}
    assert near == {other: edits for other, edits in distances.items() if edits <= max_edits(word)}


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
