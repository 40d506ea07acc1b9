"""Proposing a transform for a feed that somebody sees for the first time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.transform import Transform
from apps.knowledge.transform.suggest import suggest
from tests.fakes.feed import PRODUCTS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"products": PRODUCTS}, ("products", "{name} — {price}", "category")),
        ([{"id": 7, "title": "عسل"}], ("", "{title}", "")),
        ([{"id": 7, "الاسم": "عسل", "السعر": "٢٣٠"}], ("", "{الاسم} — {السعر}", "")),
        (
            {"data": [{"product_name": "عود", "price": {"amount": 9, "currency": "SAR"}}]},
            ("data", "{product_name} — {price.amount}", ""),
        ),
        ([["عسل سدر", 230]], ("", "{0}", "")),
        ([{"sku": "A1", "x": "بخور فاخر"}], ("", "{x}", "")),
        ([{"name": "", "title": "عسل"}], ("", "{title}", "")),
    ],
)
def test_it_proposes_where_the_items_are_and_a_line(value: object, expected: tuple[str, str, str]) -> None:
    suggested = suggest(value)

    assert suggested is not None
    assert (suggested["items_path"], suggested["line"], suggested["group_by"]) == expected


@pytest.mark.parametrize("value", [None, 5, "x", [], {}, ["a", "b"], [{}], [{"id": 1}], {"a": {"b": 1}}])
def test_where_nothing_has_a_name_it_proposes_nothing(value: object) -> None:
    assert suggest(value) is None


KEYS = st.text("name{}.ab", max_size=6)
JSON = st.recursive(
    st.none() | st.integers().map(str) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_it_proposes_can_be_saved_and_leads_to_a_list(value: object) -> None:
    transforms = [Transform.parse(suggested) for suggested in [suggest(value)] if suggested is not None]

    assert all(isinstance(transform.items_path.of(value), list) for transform in transforms)
