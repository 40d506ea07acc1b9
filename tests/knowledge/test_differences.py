"""Comparing two contents for people to read."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.differences import CONTEXT, MOST_SHOWN, Difference, Line, compare

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "عسل", "a b", "a c"]), max_size=30)


def changed(difference: Difference) -> list[tuple[str, int, str]]:
    return [
        (line.sign, line.number, line.text)
        for hunk in difference.hunks
        for line in hunk.lines
        if line.sign != "same"
    ]


def marked(line: Line) -> list[str]:
    return [line.text[start:end] for start, end in line.marked]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a", "a", []),
        ("a\nb", "a\r\nb", []),
        ("a", "a\nb", [("added", 2, "b")]),
        ("a\nb\nc", "a\nc", [("removed", 2, "b")]),
        ("مسك", "عود\nمسك", [("added", 1, "عود")]),
        ("بخور — 95", "بخور — 101", [("removed", 1, "بخور — 95"), ("added", 1, "بخور — 101")]),
        ("a b c d\nxyz", "xyz\nk", [("removed", 1, "a b c d"), ("added", 2, "k")]),
    ],
)
def test_it_tells_added_and_removed_lines(old: str, new: str, expected: list[tuple[str, int, str]]) -> None:
    assert changed(compare(old, new)) == expected


def test_an_edited_line_comes_right_after_what_it_was() -> None:
    difference = compare("بخور — 95 ريال\nعسل — 200 ريال", "بخور — 101 ريال\nعسل — 230 ريال")

    assert [line.sign for line in difference.hunks[0].lines] == ["removed", "added", "removed", "added"]


def test_an_edited_line_is_told_from_a_new_one() -> None:
    difference = compare("عسل سدر — 200 ريال", "قهوة عربية نصف كيلو\nعسل سدر — 230 ريال")

    assert [line.text for line in difference.hunks[0].lines] == [
        "قهوة عربية نصف كيلو",
        "عسل سدر — 200 ريال",
        "عسل سدر — 230 ريال",
    ]


def test_the_words_that_differ_are_marked() -> None:
    was, became = compare("صندوق بخور فاخر — 95 ريال", "صندوق بخور — 101 ريال").hunks[0].lines

    assert marked(was) == ["فاخر ", "95"]
    assert marked(became) == ["101"]


def test_neighbouring_words_are_marked_as_one() -> None:
    _, became = compare("صندوق بخور — 95 ريال", "صندوق خشب صغير بخور — 95 ريال").hunks[0].lines

    assert marked(became) == ["خشب صغير "]


def test_unchanged_lines_around_are_shown_and_the_rest_is_counted() -> None:
    old = [f"line {number}" for number in range(20)]

    difference = compare("\n".join(old), "\n".join([*old[:9], "new", *old[9:]]))

    (hunk,) = difference.hunks
    assert hunk.skipped == 9 - CONTEXT
    assert [line.text for line in hunk.lines] == ["line 7", "line 8", "new", "line 9", "line 10"]


def test_changes_far_apart_are_shown_apart() -> None:
    old = [f"line {number}" for number in range(40)]
    new = [*old[:10], "one", *old[10:30], "two", *old[30:]]

    difference = compare("\n".join(old), "\n".join(new))

    assert [hunk.skipped for hunk in difference.hunks] == [8, 16]


def test_only_so_much_is_shown_and_all_is_counted() -> None:
    difference = compare("", "\n".join(map(str, range(MOST_SHOWN + 50))))

    assert (difference.added, difference.removed, difference.hidden) == (MOST_SHOWN + 50, 1, 51)


@given(LINES, LINES)
def test_what_is_not_told_is_the_same_on_both_sides(old: list[str], new: list[str]) -> None:
    difference = compare("\n".join(old), "\n".join(new))
    told = changed(difference)
    removed = {number for sign, number, _ in told if sign == "removed"}
    added = {number for sign, number, _ in told if sign == "added"}
    old_lines, new_lines = "\n".join(old).split("\n"), "\n".join(new).split("\n")

    assert [line for number, line in enumerate(old_lines, 1) if number not in removed] == [
        line for number, line in enumerate(new_lines, 1) if number not in added
    ]


@given(LINES, LINES)
def test_every_line_told_stands_where_it_says(old: list[str], new: list[str]) -> None:
    sides = {"removed": "\n".join(old).split("\n"), "added": "\n".join(new).split("\n")}

    assert [sides[sign][number - 1] for sign, number, _ in changed(compare("\n".join(old), "\n".join(new)))] == [
        text for _, _, text in changed(compare("\n".join(old), "\n".join(new)))
    ]


@given(LINES)
def test_a_content_does_not_differ_from_itself(lines: list[str]) -> None:
    assert compare("\n".join(lines), "\n".join(lines)).is_empty


def shuffled(count: int) -> str:
    return "\n".join(random.Random(1).sample([str(number) for number in range(count)], count))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n".join(map(str, range(200_000))), "\n".join(str(number * 2) for number in range(200_000))),
        ("\n".join(map(str, range(100_000))), shuffled(100_000)),
        ("a\nb\n" * 600_000, "b\na\nc\n" * 500_000),
        ("x" * 5_000_000, "x" * 4_999_999 + "y"),
        ("\n" * 2_000_000, "\n" * 1_000_000 + "a\n" * 1_000_000),
        ("a " * 2_500_000, "b " * 2_500_000),
    ],
    ids=["half kept", "shuffled", "two lines repeated", "one line", "blank lines", "one line of words"],
)
def test_the_largest_contents_are_compared(old: str, new: str) -> None:
    difference = compare(old, new)

    assert not difference.is_empty
    assert sum(line.sign != "same" for hunk in difference.hunks for line in hunk.lines) <= MOST_SHOWN
