"""Marking the parts of a text that matched."""

import pytest

from apps.dashboard.highlights import pieces


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
