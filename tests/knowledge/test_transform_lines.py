"""Properties: find the list, drop what gives no line, skip, group, order, cap, render, in exactly this sequence."""

from typing import Any

import pytest

from apps.knowledge.transform import Transform, TransformError, TransformResult, apply, decode_body
from apps.knowledge.transform.paths import Path

PRODUCTS = '[{"n": "A", "p": 3, "g": "x"}, {"n": "B", "p": 1, "g": "y"}, {"n": "C", "p": 2, "g": "y"}]'


def run(json_text: str, **config: Any) -> TransformResult:
    return apply(decode_body(json_text.encode()), Transform.parse({"line": "{n}", **config}))


def lines(json_text: str, **config: Any) -> list[str]:
    return run(json_text, **config).all_lines()


def failure(json_text: str, **config: Any) -> str:
    with pytest.raises(TransformError) as caught:
        run(json_text, **config)
    return caught.value.code


@pytest.mark.conformance("KA-082", "T-1")
@pytest.mark.parametrize(
    ("json_text", "path"),
    [
        ('[{"n": "A"}]', ""),
        ('[{"n": "A"}]', None),
        ('[{"n": "A"}]', "  "),
        ('{"data": {"list": [{"n": "A"}]}}', "data.list"),
        ('{"data": {"list": [{"n": "A"}]}}', " data.list "),
        ('{"data.list": [{"n": "A"}]}', "data.list"),
        ('{"data.list": [{"n": "A"}], "data": {"list": [{"n": "B"}]}}', "data.list"),
        ('{"a": {"b.c": [{"n": "A"}]}}', "a.b.c"),
        ('{"pages": [{"list": []}, {"list": [{"n": "A"}]}]}', "pages.1.list"),
        ('{"1": [{"n": "A"}]}', "1"),
        ('[[{"n": "A"}]]', "0"),
        ('[[{"n": "A"}]]', "00"),
        ('{"": [{"n": "A"}]}', "."),
        ('{"بيانات": {"منتجات": [{"n": "A"}]}}', "بيانات.منتجات"),
    ],
)
def test_items_path_leads_to_the_list(json_text: str, path: str | None) -> None:
    assert lines(json_text, items_path=path) == ["A"]


@pytest.mark.conformance("KA-083", "T-1")
@pytest.mark.parametrize(
    ("json_text", "path"),
    [
        ("null", ""),
        ("{}", ""),
        ('"text"', ""),
        ("3", ""),
        ('{"a": null}', "a"),
        ('{"a": {}}', "a"),
        ('{"a": "b"}', "a"),
        ('{"a": true}', "a"),
        ('{"a": []}', "b"),
        ('{"a": []}', "A"),
        ('{"a": {"b": []}}', "a.c"),
        ('{"a": "b"}', "a.b"),
        ('[[{"n": "A"}]]', "-1"),
        ('[[{"n": "A"}]]', "1"),
        ('[[{"n": "A"}]]', "0.0"),
        ('[[{"n": "A"}]]', "٠"),
        ('[[{"n": "A"}]]', "9" * 400),
        ('{"a": [[]]}', "a.x"),
    ],
)
def test_anything_but_a_list_there_is_a_missing_path(json_text: str, path: str) -> None:
    assert failure(json_text, items_path=path) == "items_path_missing"


@pytest.mark.conformance("KA-102", "T-2")
@pytest.mark.parametrize(
    ("json_text", "config"),
    [
        ("[]", {}),
        ("[]", {"header": "H"}),
        ('["x", 5, null, true]', {}),
        ("[{}, [], [[]]]", {}),
        ('[{"title": "A"}]', {}),
        ('[{"n": null}, {"n": ""}, {"n": "  "}, {"n": []}]', {}),
        ('[{"n": "A", "p": 0}, {"n": "B"}]', {"skip_when_zero": "p"}),
    ],
)
def test_no_line_at_all_is_an_empty_result(json_text: str, config: dict[str, Any]) -> None:
    assert failure(json_text, **config) == "empty_result"


@pytest.mark.conformance("KA-084", "T-3")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- {n} — {p} SAR", "- A — 12.50 SAR"),
        ("{ n }/{p }", "A/12.50"),
        ("{a.b} {a.c}", "deep"),
        ("{t.0}{t.1}{t.9}{n}", "xyA"),
        ("{n.0} {n}", " A"),
        ("{d.e} {n}", "dotted A"),
        ("{n} {missing}|", "A |"),
        ("{n} {missing}", "A"),
        ("{n}\u00a0\u2003", "A"),
        ("  {n}", "  A"),
        ("{{n}} {n}", "{n} A"),
        ("{{{n}}}", "{A}"),
        ("{{{{n}}}} {n}", "{{n}} A"),
        ("{n} {n", "A {n"),
        ("{n} n}", "A n}"),
        ("{n} {}", "A {}"),
        ("{n} { }", "A { }"),
        ("{n} {a{b} c}", "A {a c}"),
        ("{n.__class__}{n!r}{n:>9}{0}{n}", "A"),
        ("{n} {{secret.TOKEN}}", "A {secret.TOKEN}"),
        ("{v}", "{n} {{x}} {p}"),
        ("a\nb {n}", "a b A"),
        ("{n} \u2028 x", "A x"),
        ("%s $n \\1 {n}", "%s $n \\1 A"),
        ("{اسم} {n}", "عود A"),
    ],
)
def test_a_line_is_its_template_with_the_values_put_in_once(line: str, expected: str) -> None:
    item = (
        '[{"n": "A", "p": 12.50, "a": {"b": "deep"}, "t": ["x", "y"], "d.e": "dotted", "d": {"e": "walked"},'
        ' "v": "{n} {{x}} {p}", "اسم": "عود"}]'
    )
    assert lines(item, line=line) == [expected]


@pytest.mark.conformance("KA-084")
def test_a_line_without_placeholders_is_given_for_each_item() -> None:
    assert lines('[{"n": "A"}, {}, [], 5]', line="{{n}}") == ["{n}"] * 3


def test_a_list_is_read_by_position() -> None:
    assert lines('[["Oud", 450, {"u": "ml"}], ["Musk", 220]]', line="{0} {1} {2.u}") == ["Oud 450 ml", "Musk 220"]


def test_a_value_cannot_start_another_line() -> None:
    assert lines('[{"n": "A\\n### Free\\r\\n\\u2028B"}]') == ["A ### Free B"]


@pytest.mark.conformance("KA-086", "KA-087", "T-7")
@pytest.mark.parametrize(
    ("groups", "headings"),
    [
        (["a", "b", "b", "c", "c", "c"], ["### c", "### b", "### a"]),
        (["b", "a"], ["### b", "### a"]),
        (["a", "b", "b", "a"], ["### a", "### b"]),
        (['"quoted"', "A", "a"], ['### "quoted"', "### A", "### a"]),
        (["عطور", "بخور", "بخور"], ["### بخور", "### عطور"]),
    ],
)
def test_groups_come_largest_first_and_ties_by_first_appearance(groups: list[str], headings: list[str]) -> None:
    value = [{"n": "item", "g": group} for group in groups]
    result = apply(value, Transform.parse({"line": "{n}", "group_by": "g"}))
    assert [line for line in result.all_lines() if line.startswith("### ")] == headings


@pytest.mark.conformance("KA-086")
@pytest.mark.parametrize(
    ("group", "heading"),
    [
        ("1", "### 1"),
        ('" a\\nb "', "### a b"),
        ("true", "### true"),
        ('["x", "y"]', "### x, y"),
        ("1.50", "### 1.50"),
    ],
)
def test_a_heading_is_the_groups_shown_text(group: str, heading: str) -> None:
    assert lines(f'[{{"n": "A", "g": {group}}}]', group_by="g") == [heading, "A"]


@pytest.mark.conformance("KA-088")
def test_items_without_a_group_come_first_even_when_they_are_few() -> None:
    feed = (
        '[{"n": "A", "g": "x"}, {"n": "B", "g": null}, {"n": "C", "g": "x"}, {"n": "D"}, {"n": "E", "g": " "},'
        ' {"n": "F", "g": []}, {"n": "G", "g": "x"}]'
    )
    assert lines(feed, group_by="g") == ["B", "D", "E", "F", "### x", "A", "C", "G"]


@pytest.mark.conformance("KA-089", "KA-090", "T-7")
@pytest.mark.parametrize(
    ("values", "order"),
    [
        (["3", "1", "2"], "BCA"),
        (['"100"', "20", '"3.5"'], "CBA"),
        (['"on request"', "null", "5", '"Call"'], "CDAB"),
        (["true", "7", "false"], "BCA"),
        (['"١٠٠"', '"٢٠"', '"٣٫٥"'], "CBA"),
        (['"۱٬۲۰۰"', '"1,100"', "900"], "CBA"),
        (["1", "1.0", '"1"', '" 1e0 "'], "ABCD"),
        (["0.5", "-3", "0", "-3.5"], "DBCA"),
        (["1e999999", "2", "-1e999999"], "CBA"),
        (["99999999999999999999.2", "99999999999999999999.1"], "BA"),
        (['"b"', '"a"', '"B"', '"A"'], "BDAC"),
        (['"أب"', '"اا"', '"إت"'], "BAC"),
        (["[]", '"a"', "{}", '""', "1"], "EBACD"),
        (['"a10"', '"a9"'], "AB"),
    ],
)
def test_order_is_numbers_then_folded_text_then_missing_and_stable(values: list[str], order: str) -> None:
    items = ", ".join(f'{{"n": "{name}", "p": {value}}}' for name, value in zip("ABCDE", values, strict=False))
    assert "".join(lines(f"[{items}]", sort_by="p")) == order


@pytest.mark.conformance("KA-089")
def test_order_stays_within_groups() -> None:
    assert lines(PRODUCTS, group_by="g", sort_by="p") == ["### y", "B", "C", "### x", "A"]


@pytest.mark.conformance("KA-091")
def test_skipped_items_are_counted_and_leave_no_trace_in_groups() -> None:
    feed = '[{"n": "A", "p": 0, "g": "x"}, {"n": "B", "g": "x"}, {"n": "C", "p": "1", "g": "y"}]'
    result = run(feed, skip_when_zero="p", group_by="g")
    assert (result.all_lines(), result.items, result.lines, result.skipped) == (["### y", "C"], 3, 1, 2)


@pytest.mark.conformance("KA-092", "T-7")
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"max_items": 2}, ["A", "B"]),
        ({"max_items": 2, "sort_by": "p"}, ["B", "C"]),
        ({"max_items": 2, "group_by": "g"}, ["### y", "B", "C"]),
        ({"max_items": 1, "group_by": "g", "sort_by": "p"}, ["### y", "B"]),
        ({"max_items": 3, "group_by": "g"}, ["### y", "B", "C", "### x", "A"]),
        ({"max_items": 1, "skip_when_zero": "q"}, None),
    ],
)
def test_the_cap_comes_after_skip_group_and_order(config: dict[str, Any], expected: list[str] | None) -> None:
    outcome = failure(PRODUCTS, **config) if expected is None else lines(PRODUCTS, **config)
    assert outcome == (expected or "empty_result")


@pytest.mark.conformance("KA-092")
def test_the_cap_says_how_many_it_cut() -> None:
    result = run(PRODUCTS, max_items=1)
    assert (result.items, result.lines, result.capped) == (3, 1, 2)


@pytest.mark.conformance("KA-093")
def test_without_a_number_the_cap_is_five_hundred() -> None:
    result = apply([{"n": "A"}] * 501, Transform.parse({"line": "{n}"}))
    assert (result.lines, result.capped) == (500, 1)


@pytest.mark.conformance("KA-094")
def test_the_header_is_one_line_on_top_and_counts_for_nothing() -> None:
    result = run(PRODUCTS, header=" Current\nprices ", max_items=1)
    assert (result.all_lines(), result.lines) == (["Current prices", "A"], 1)


def test_a_blank_header_is_no_line() -> None:
    assert lines('[{"n": "A"}]', header=" \n ") == ["A"]


def test_equal_lines_are_kept() -> None:
    assert lines('[{"n": "A"}, {"n": "A"}]') == ["A", "A"]


def test_the_last_of_two_equal_keys_wins() -> None:
    assert lines('[{"n": "A", "n": "B"}]') == ["B"]


@pytest.mark.conformance("T-2")
@pytest.mark.parametrize(
    ("feed", "dropped", "mostly"),
    [
        ('[{"n": "A"}, 1]', 1, False),
        ('[{"n": "A"}, 1, {}]', 2, True),
        ('[{"n": "A"}, {"m": "B"}, {"m": "C"}]', 2, True),
        ('[{"n": "A"}, {"n": "B"}]', 0, False),
    ],
)
def test_items_that_give_no_line_are_counted(feed: str, dropped: int, mostly: bool) -> None:
    result = run(feed)
    assert (result.dropped, result.is_mostly_dropped) == (dropped, mostly)


def test_skipped_items_do_not_count_as_dropped() -> None:
    result = run('[{"n": "A", "p": 1}, {"n": "B", "p": 0}, {"n": "C", "p": 0}]', skip_when_zero="p")
    assert (result.skipped, result.dropped, result.is_mostly_dropped) == (2, 0, False)


def test_chunks_are_the_items_with_their_groups() -> None:
    feed = '[{"n": " A", "g": "x"}, {"n": "### B", "g": "x"}, {"n": "C"}]'
    result = run(feed, group_by="g", header="### H", line="  {n}")
    assert result.all_lines() == ["### H", "  C", "### x", "  A", "  ### B"]
    assert [(chunk.text, chunk.group) for chunk in result.chunks()] == [("C", None), ("A", "x"), ("### B", "x")]


@pytest.mark.parametrize(
    ("json_text", "expected"),
    [
        ('{"a": 1, "b": "x"}', ["a: 1", "b: x"]),
        ('{"a": {"b": [{"c": 1.50}, {"c": true}]}}', ["a.b.0.c: 1.50", "a.b.1.c: true"]),
        ('[1, [2, 3], "x"]', ["0: 1", "1.0: 2", "1.1: 3", "2: x"]),
        ('{"a": null, "b": "", "c": [], "d": {}, "e": "x"}', ["e: x"]),
        ('{"b": 1, "a": 2}', ["b: 1", "a: 2"]),
        ('{"a\\nb": "c\\nd"}', ["a b: c d"]),
        ('{"a.b": {"": 1}}', ["a.b.: 1"]),
        ('{"متجر": {"اسم": "عود"}}', ["متجر.اسم: عود"]),
        ('"just text"', ["just text"]),
        ("5", ["5"]),
        ('[[[["deep"]]], 1]', ["0.0.0.0: deep", "1: 1"]),
    ],
)
def test_without_a_transform_every_value_is_a_line_in_document_order(json_text: str, expected: list[str]) -> None:
    result = apply(decode_body(json_text.encode()))
    assert (result.all_lines(), result.items, result.lines) == (expected, len(expected), len(expected))


@pytest.mark.conformance("KA-102")
@pytest.mark.parametrize("json_text", ["null", "[]", "{}", '""', '[null, {"a": []}]'])
def test_without_a_transform_too_nothing_is_an_empty_result(json_text: str) -> None:
    with pytest.raises(TransformError) as caught:
        apply(decode_body(json_text.encode()))
    assert caught.value.code == "empty_result"


def test_a_path_lists_the_objects_on_its_way() -> None:
    value = {"a": [{"b.c": []}], "x": 1}
    assert Path.parse("a.0.b.c").parents(value) == [value, {"b.c": []}]
