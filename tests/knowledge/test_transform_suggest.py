"""Proposing a transform for a feed that somebody sees for the first time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.strict_json import Number
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
            ("data", "{product_name} — {price.amount} {price.currency}", ""),
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


def item(**fields: object) -> dict[str, object]:
    return {"name": "عود", **fields}


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ([item(price=9, currency="SAR")], "{name} — {price} {currency}"),
        ([item(price="9.50", price_currency="ر.س")], "{name} — {price} {price_currency}"),
        ([item(السعر=9, العملة="ريال سعودي")], "{name} — {السعر} {العملة}"),
        ({"currency": "SAR", "products": [item(price=9)]}, "{name} — {price} SAR"),
        ({"currency": "USD", "data": {"currency": "SAR", "products": [item(price=9)]}}, "{name} — {price} SAR"),
        ([item(price_sar=9)], "{name} — {price_sar} SAR"),
        ([item(price={"SAR": 9})], "{name} — {price.SAR} SAR"),
        ([item(price="9 ريال", currency="SAR")], "{name} — {price}"),
        ([item(price=9, currency="")], "{name} — {price}"),
        ([item(price=9, currency=682)], "{name} — {price}"),
        ({"currency": "{name}", "products": [item(price=9)]}, "{name} — {price}"),
        ({"currency": "Ask us on the phone, please", "products": [item(price=9)]}, "{name} — {price}"),
        ({"currency": {"code": "SAR"}, "products": [item(price=9)]}, "{name} — {price}"),
        ([item(currency="SAR")], "{name}"),
    ],
)
def test_the_line_says_the_currency_where_the_data_does(value: object, line: str) -> None:
    assert (suggest(value) or {})["line"] == line


@pytest.mark.parametrize(
    ("value", "skipped"),
    [
        ([item(price=Number("9")), item(price=Number("0"))], "price"),
        ([item(price="9"), item(price="0.00")], "price"),
        ([item(price="٩"), item(price="٠")], "price"),
        ([item(price={"amount": Number("0")}), item(price={"amount": Number("9")})], "price.amount"),
        ([item(price=9), item(price=10)], ""),
        ([item(price=9), item()], ""),
        ([item(price=9), item(price="عند الطلب")], ""),
        ([item(stock=0)], ""),
        ([item(price=9), "x", None], ""),
    ],
)
def test_items_at_a_price_of_zero_are_left_out_where_there_are_any(value: object, skipped: str) -> None:
    assert (suggest(value) or {})["skip_when_zero"] == skipped


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
