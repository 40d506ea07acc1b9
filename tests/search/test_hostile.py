"""Hostile input: nothing raises, folding stays linear, and nothing large is kept."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.search.chunks import Chunk
from apps.search.engine import Join, Part, search
from apps.search.fold import fold
from apps.search.segment import Segment, compile_segment
from tests.search.searches import compiled

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
TELLING_WORDS = """
    3asal 2 7a3 so2 3' 1.5 1,250 ٩٥ kilo كيلو g مل لترين نص ونص مية وخمسين ثلاثة لأربع
    عسل وعسل العسل ماورد مممتاز عندك أم علي في the 𐡀𐡁 ﷺ ½
"""
# What the rules of a query are about, touching or apart.
TELLING = st.builds(
    str.join,
    st.sampled_from(["", " ", "-", ", "]),
    st.lists(st.sampled_from(TELLING_WORDS.split()), max_size=8),
)
LENGTH = 200_000
PATTERNS = {
    "shadda and fatha": "\u0651\u064e",
    "Quranic marks": "\u06d6\u0670\u0653",
    "combining accents": "e\u0301\u0327",
    "tatweel": "\u0640",
    "zero width": "\u200b\u200d",
    "longest ligature": "\ufdfa",
    "brackets and spaces": ") ",
    "nothing but points": "1.",
}


@settings(max_examples=80, deadline=None)
@given(st.lists(ANY_TEXT | TELLING, max_size=5), ANY_TEXT | TELLING)
@example(["عسل 1 كيلو"], "3asal kilo")
def test_any_text_can_be_searched_for_any_query(texts: list[str], query: str) -> None:
    segment = Segment(compile_segment([Chunk(text) for text in texts]))
    result = search([Part(segment, (0,)), Part(Join([segment, segment]), (1, None))], query)
    assert all(0 <= start < end <= len(hit.text) for hit in result.hits for start, end in hit.highlights)


@pytest.mark.conformance("U-2")
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_long_hostile_texts_are_folded_and_compiled(pattern: str) -> None:
    text = pattern * (LENGTH // len(pattern))
    assert len(fold(text)) <= 18 * len(text)
    assert Segment(compile_segment([Chunk(text)])).chunk(0).text == text


def test_a_query_of_many_like_words_over_many_like_lines_is_answered() -> None:
    letters = "ابتثجحخدذرزسشصضطظعغفقكلم"
    catalog = [Chunk(" ".join(f"كلم{one}{letters[at % 24]}" for one in letters)) for at in range(120)]
    query = " ".join(f"كلم{one}ه" for one in letters)
    assert search([Part(Segment(compile_segment(catalog)), (0,))], query).hits


def test_of_a_word_near_thousands_nothing_is_remembered() -> None:
    segment = compiled("\n".join(f"عسل{letter}" for letter in map(chr, range(0x4E00, 0x5200))))
    parts = [Part(segment, (0,))]
    assert search(parts, "عسل").hits == search(parts, "عسل").hits != []
    assert segment.index.remembered.get(("عسل",)) is None
