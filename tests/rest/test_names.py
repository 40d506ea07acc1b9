"""Names show something, and nothing in them hides or turns text (U-4)."""

import pytest

from apps.rest.names import fault_of_name


@pytest.mark.parametrize(
    "name",
    [
        "عود كمبودي",
        "Price list — 2026",
        "Ünïcödé",
        "می‌خواهم",
        "عود\u200f",
        "👨‍👩‍👧",
        "مَدْرَسَة",
        "1",
        "…",
        "½",
    ],
)
def test_a_name_that_shows_something_is_sound(name: str) -> None:
    assert fault_of_name(name) is None


@pytest.mark.parametrize(
    "character",
    ["\0", "\a", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ud800"]
    + [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))],
)
def test_controls_and_turning_characters_are_refused(character: str) -> None:
    assert fault_of_name(f"a{character}b") == "control_character"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "\u200b",
        "\u200d\u200c",
        "\ufeff",
        "\u00ad",
        "\u034f",
        "\u0301",
        "\u3164",
        "\u2800",
        "\U000e0041",
        "\u00a0",
    ],
)
def test_what_shows_nothing_is_refused(name: str) -> None:
    assert fault_of_name(name) == "invisible_text"
