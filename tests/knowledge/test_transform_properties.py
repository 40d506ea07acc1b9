"""Properties of any feed: lines without breaks, in order, the same each time, adding up; bounded when hostile."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.strict_json import Number
from apps.knowledge.transform import Transform, TransformError, TransformResult, apply, decode_body
from apps.knowledge.transform.values import number_of

MIB = 1_048_576

SCALARS = (
    st.none()
    | st.booleans()
    | st.decimals(allow_nan=False, allow_infinity=False).map(Number)
    | st.text(max_size=12)
    | st.sampled_from(["0", "٣٫٥", "1,000", "a\nb", "\u2028", "### x", "{n}", "\ud800"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("nga"), inner, max_size=3),
    max_leaves=6,
)
FEEDS = st.lists(st.dictionaries(st.sampled_from("npg"), VALUES, max_size=3) | VALUES, max_size=12)
PATHS = st.sampled_from([None, "n", "p", "g", "n.a", "0", "g.n"])
CONFIGS = st.fixed_dictionaries(
    {
        "line": st.sampled_from(["{n}", "- {n} — {p} SAR", "{n}\n{g}", "{0} {n.a}", "{{n}}", "x\u2029{p}"]),
        "group_by": PATHS,
        "sort_by": PATHS,
        "skip_when_zero": PATHS,
        "max_items": st.sampled_from([None, 1, 3, 5_000]),
        "header": st.sampled_from([None, "H", "### H", "a\nb"]),
    }
)


def outcome(feed: Any, config: dict[str, Any]) -> TransformResult | str:
    try:
        return apply(feed, Transform.parse(config))
    except TransformError as error:
        return error.code


def result(feed: Any, config: dict[str, Any]) -> TransformResult:
    """The outcome, or a small result for feeds that give none."""
    found = outcome(feed, config)
    return apply([1]) if isinstance(found, str) else found


@given(FEEDS, CONFIGS)
def test_a_line_never_holds_a_line_break(feed: Any, config: dict[str, Any]) -> None:
    found = result(feed, config)
    assert found.text.splitlines() == found.all_lines()
    found.text.encode()


@given(FEEDS, CONFIGS)
@pytest.mark.conformance("T-11")
def test_the_same_feed_gives_the_same_outcome(feed: Any, config: dict[str, Any]) -> None:
    assert outcome(feed, config) == outcome(feed, config)


@given(FEEDS, CONFIGS)
def test_every_item_is_shown_skipped_dropped_or_capped(feed: Any, config: dict[str, Any]) -> None:
    found = result(feed, config)
    assert found.items == found.lines + found.skipped + found.dropped + found.capped
    assert found.lines == len(list(found.chunks()))


@given(FEEDS, CONFIGS)
def test_headings_are_unique_and_followed_by_an_item(feed: Any, config: dict[str, Any]) -> None:
    found = result(feed, config)
    lines = found.all_lines()
    headings = [lines[number] for number in found.heading_lines]
    assert len(set(headings)) == len(headings)
    assert not any(number + 1 in {*found.heading_lines, len(lines)} for number in found.heading_lines)


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 40))
def test_numbers_come_in_ascending_order_and_the_smallest_stay(numbers: list[Any], limit: int) -> None:
    feed = [{"p": Number(number)} for number in numbers]
    shown = apply(feed, Transform.parse({"line": "{p}", "sort_by": "p", "max_items": limit})).all_lines()
    assert [number_of(line) for line in shown] == sorted(number_of(str(number)) for number in numbers)[:limit]  # type: ignore[type-var]


@given(FEEDS, CONFIGS)
def test_the_cap_keeps_the_beginning_of_the_whole_order(feed: Any, config: dict[str, Any]) -> None:
    everything = [chunk.text for chunk in result(feed, {**config, "max_items": 5_000}).chunks()]
    capped = [chunk.text for chunk in result(feed, {**config, "max_items": 2}).chunks()]
    assert capped == everything[:2]


# An eighth of the largest feed, since tracing every allocation is slow, with an eighth of the memory for what grows
# with it. What does not is the text, five mebibytes at most, with the line and the copy it is made from.
SIZE = MIB // 8
MEMORY = 64 * MIB // 8 + 3 * 5 * MIB


def filled(head: str, unit: str, tail: str) -> bytes:
    times = (SIZE - len(head) - len(tail)) // len(unit.encode())
    return ((head + unit * times).rstrip(",") + tail).encode()


HOSTILE: dict[str, tuple[bytes, dict[str, Any] | None]] = {
    "numbers": (filled("[", "1,", "]"), None),
    "empty lists": (filled("[", "[],", "]"), None),
    "small objects": (filled("[", '{"a":1},', "]"), None),
    "deep values": (filled("[" * 99, "1,", "]" * 99), None),
    "a long key over many values": (filled('{"' + "k" * 50_000 + '":[', "1,", "]}"), None),
    "a long key over nothing": (filled('{"' + "k" * 50_000 + '":[', "[],", "]}"), None),
    "many groups": (
        b"[" + b",".join(b'{"a":%d}' % number for number in range(10_000)) + b"]",
        {"line": "{a}", "group_by": "a", "sort_by": "a", "max_items": 5_000},
    ),
    "equal keys to order": (filled("[", '{"a":"x"},', "]"), {"line": "{a}", "sort_by": "a", "max_items": 5_000}),
    "huge exponents": (filled("[", '{"a":1e999999},', "]"), {"line": "{a}", "sort_by": "a", "skip_when_zero": "a"}),
    "long numbers": (filled("[", '{"a":' + "1" * 1_000 + "},", "]"), {"line": "{a}", "sort_by": "a"}),
    "spaces": (filled('[{"a":"', " ", 'x"}]'), {"line": "{a}", "sort_by": "a"}),
    "spaces and breaks": (filled('[{"a":"', r" \n", 'x"}]'), {"line": "{a}", "sort_by": "a"}),
    "marks": (filled('[{"a":"', "\u0651\u064e", '"}]'), {"line": "{a}", "sort_by": "a"}),
    "lone surrogates": (filled('[{"a":"', r"\ud800", '"}]'), {"line": "{a}", "group_by": "a", "sort_by": "a"}),
    "escapes": (filled('[{"a":"', r"\"", '"}]'), {"line": "{a}"}),
    "a large value many times": (filled('[{"a":"', "x", '"}]'), {"line": "{a}" * 600}),
    "a long line for every item": (filled("[", '{"a":1},', "]"), {"line": "{a}" + "x" * 1_900, "max_items": 5_000}),
    "nested values at every depth": (
        filled('{"a":' * 98 + '"', "x", '"' + "}" * 98).join([b"[", b"]"]),
        {"line": "".join("{" + ".".join("a" * depth) + "}" for depth in range(1, 40))},
    ),
    "many names around the list": (
        b'{"l":[{"a":1}]' + b"".join(b',"k%d":1' % number for number in range(11_000)) + b"}",
        {"line": "{a}", "items_path": "l"},
    ),
}


def read(raw: bytes, config: dict[str, Any] | None) -> str:
    try:
        apply(decode_body(raw), Transform.parse(config) if config else None)
    except TransformError as error:
        return error.code
    return "text"


@pytest.mark.conformance("T-10", "T-12", "C-23")
@pytest.mark.parametrize(("raw", "config"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_feed_takes_little_memory_and_ends_with_text_or_a_code(
    raw: bytes, config: dict[str, Any] | None
) -> None:
    tracemalloc.start()
    ended = read(raw, config)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ended in {"text", "too_large", "empty_result"}
    assert peak < MEMORY


@pytest.mark.conformance("T-12")
def test_too_many_placeholders_for_too_many_items_are_refused() -> None:
    line = "".join(f"{{{number}}}" for number in range(400))
    assert outcome([[]] * 6_000, {"line": line}) == "transform_error"


def test_text_of_exactly_five_mebibytes_passes() -> None:
    lines = ["x" * (MIB - len("0: ") - len("\n"))] * 5
    assert len(apply([*lines[:4], lines[4] + "x"]).text) == 5 * MIB


@pytest.mark.parametrize("letter", ["x", "ع"])
def test_a_text_over_five_mebibytes_is_too_large(letter: str) -> None:
    feed = [{"a": letter * (MIB // len(letter.encode()))}] * 6
    assert outcome(feed, {"line": "{a}"}) == "too_large"
