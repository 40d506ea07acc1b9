"""The token estimate grows with the text, stays near a real tokenizer's count, and takes any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.tokens import COSTS, RANGES, estimate

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))
ARABIC_TEXT = st.text(alphabet="ابتمسى ة،َـ٥5aA—\n😀")


@pytest.mark.conformance("KA-022")
@pytest.mark.parametrize(
    ("text", "counted"),
    [
        # Counted with the vocabulary o200k_base.
        pytest.param("دهن عود كمبودي معتق تولة — 950 ريال\nدهن ورد طائفي تولة — 2500 ريال", 29, id="Arabic list"),
        pytest.param(
            "مدة التوصيل داخل جدة والرياض من يوم إلى ثلاثة أيام عمل، وقد تحتاج القرى إلى سبعة.",
            23,
            id="Arabic prose",
        ),
        pytest.param(
            "Delivery inside the city takes two days; we answer mail within a working day.", 16, id="English prose"
        ),
    ],
)
def test_the_estimate_is_near_a_real_count(text: str, counted: int) -> None:
    assert estimate(text) == pytest.approx(counted, rel=0.15)


def test_an_empty_text_has_no_tokens() -> None:
    assert estimate("") == 0


@pytest.mark.conformance("KA-022")
@given(ANY_TEXT.filter(bool))
def test_any_text_but_the_empty_one_has_tokens(text: str) -> None:
    assert estimate(text) > 0


@pytest.mark.conformance("KA-022")
@given(ANY_TEXT | ARABIC_TEXT, ANY_TEXT | ARABIC_TEXT)
def test_text_added_before_or_after_never_lowers_the_estimate(text: str, more: str) -> None:
    assert estimate(text) <= min(estimate(text + more), estimate(more + text))


@given(st.lists(ARABIC_TEXT, max_size=4), st.integers(20_000, 70_000))
def test_long_texts_are_counted_as_if_in_one_piece(parts: list[str], repeats: int) -> None:
    text = " ".join(parts)
    assert estimate(text + "\n" * repeats) >= estimate(text)


@pytest.mark.parametrize("text", ["ا" * 65_536 + "ا", "ا" * 65_537], ids=["built", "plain"])
def test_a_word_across_two_blocks_is_one_word(text: str) -> None:
    per_letter, per_word = COSTS["arabic_letter"]
    assert estimate(text) == pytest.approx(65_537 * per_letter + per_word, abs=1)


@pytest.mark.parametrize(("name", "costs"), COSTS.items(), ids=list(COSTS))
def test_a_class_of_characters_costs_something_and_never_less_than_nothing(
    name: str, costs: tuple[float, float]
) -> None:
    assert min(costs) >= 0
    assert sum(costs) > 0


def test_every_class_but_that_of_far_planes_has_a_range() -> None:
    assert {name for _, _, name in RANGES} == set(COSTS)
