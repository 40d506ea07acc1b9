"""What a person is told of a feed's JSON, so that they can point at its list and fields."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.transform import Transform, apply, decode_body
from apps.knowledge.transform.outline import MAX_FIELDS, MAX_LISTS, FoundField, FoundList, fields_of, lists_in

SHOP = {
    "meta": {"total": 2, "tags": ["x", "y"]},
    "data": {
        "products": [
            {
                "name": "عسل سدر",
                "price": {"amount": 230, "currency": "SAR"},
                "images": [{"url": "a.png"}],
                "tags": ["a"],
            },
            {"name": "بخور", "in_stock": True},
        ],
        "groups": [{"name": "عسل"}],
    },
}
JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SHOP, [FoundList("data.products", 2), FoundList("data.groups", 1)]),
        ([{"a": 1}], [FoundList("", 1)]),
        ([["a", 1], ["b", 2]], [FoundList("", 2)]),
        (["a", "b"], []),
        ({"a": []}, []),
        ({"items": [{"inner": [{"x": 1}] * 9}]}, [FoundList("items", 1)]),
        (5, []),
        (None, []),
    ],
)
def test_it_finds_the_lists_that_could_be_items(value: object, expected: list[FoundList]) -> None:
    assert lists_in(value) == expected


def test_it_finds_the_fields_of_the_items() -> None:
    assert fields_of(SHOP, "data.products") == [
        FoundField("name", "عسل سدر"),
        FoundField("price.amount", "230"),
        FoundField("price.currency", "SAR"),
        FoundField("images.0.url", "a.png"),
        FoundField("tags", "a"),
        FoundField("in_stock", "true"),
    ]


def test_items_that_are_lists_have_positions() -> None:
    assert fields_of([["عسل", 230], ["بخور", 95]], "") == [FoundField("0", "عسل"), FoundField("1", "230")]


def test_an_example_comes_from_the_first_item_that_has_one() -> None:
    assert fields_of([{"a": None}, {"a": ""}, {"a": "x"}], "") == [FoundField("a", "x")]


@pytest.mark.parametrize("key", ["a.b", "a{b", "}", " a", "", "a\tb"])
def test_a_key_that_no_placeholder_reaches_is_left_out(key: str) -> None:
    assert fields_of([{key: 1, "ok": 2}], "") == [FoundField("ok", "2")]


def test_long_examples_are_cut() -> None:
    assert fields_of([{"a": "x" * 500}], "")[0].example == "x" * 60 + "…"


@pytest.mark.parametrize("path", ["data", "meta.total", "nothing", "data.products.0"])
def test_without_a_list_there_are_no_fields(path: str) -> None:
    assert fields_of(SHOP, path) == []


def test_only_so_much_is_told() -> None:
    wide = {f"list{number}": [{f"field{place}": 1 for place in range(500)}] for number in range(500)}

    assert len(lists_in(wide)) == MAX_LISTS
    assert len(fields_of(wide, "list0")) == MAX_FIELDS


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100 + b"]" * 100,
        b'{"a":' * 100 + b"1" + b"}" * 100,
        b"[" + b"[]," * 349_000 + b"[]]",
        b'{"a":[' + b'{"b":{"c":{"d":1}}},' * 50_000 + b"1]}",
        b"{" + b",".join(b'"%d":[{"a":1}]' % number for number in range(60_000)) + b"}",
    ],
    ids=["deep lists", "deep objects", "empty lists", "many items", "many lists"],
)
def test_the_largest_answers_are_looked_at(body: bytes) -> None:
    value = decode_body(body)

    assert [fields_of(value, found.path) is not None for found in lists_in(value)] == [True] * len(lists_in(value))


@given(JSON)
def test_every_field_that_is_told_gives_its_example(value: object) -> None:
    for found in lists_in(value):
        for field in fields_of(value, found.path):
            transform = Transform.parse({"items_path": found.path, "line": f"<{{{field.path}}}>"})
            assert not field.example or f"<{field.example}>" in apply(value, transform).all_lines()
