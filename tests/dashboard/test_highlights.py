"""Marking the parts of a text that matched."""

import pytest

from apps.dashboard.highlights import LONGEST_WHOLE, Piece, clipped, pieces


@pytest.mark.parametrize(
    ("text", "ranges", "expected"),
    [
        ("abc", [], [("abc", False)]),
        ("", [], []),
        ("abc", [[0, 3]], [("abc", True)]),
        ("صندوق بخور", [[0, 5], [6, 10]], [("صندوق", True), (" ", False), ("بخور", True)]),
        ("abcd", [[2, 4], [0, 1]], [("a", True), ("b", False), ("cd", True)]),
        ("abcd", [[0, 3], [1, 4]], [("abc", True), ("d", True)]),
        ("abcd", [[0, 3], [1, 2]], [("abc", True), ("d", False)]),
    ],
)
def test_it_cuts_a_text(text: str, ranges: list[list[int]], expected: list[tuple[str, bool]]) -> None:
    assert [(piece.text, piece.marked) for piece in pieces(text, ranges)] == expected


def test_a_short_text_is_shown_whole() -> None:
    cut = [Piece("a" * 500, marked=False), Piece("b", marked=True), Piece("c" * 500, marked=False)]

    assert clipped(cut) == cut


def test_a_long_text_is_cut_to_what_is_around_its_marks() -> None:
    cut = [
        Piece("a" * 3_000, marked=False),
        Piece("first", marked=True),
        Piece("b" * 3_000, marked=False),
        Piece("second", marked=True),
        Piece("c" * 3_000, marked=False),
    ]

    assert [piece.text for piece in clipped(cut)] == [
        " … " + "a" * 120,
        "first",
        "b" * 120 + " … " + "b" * 120,
        "second",
        "c" * 120 + " … ",
    ]


@pytest.mark.parametrize("marked", [True, False])
def test_of_a_long_text_in_one_piece_the_beginning_is_shown(marked: bool) -> None:
    assert clipped([Piece("a" * 9_000, marked)]) == [Piece("a" * LONGEST_WHOLE + " … ", marked)]
