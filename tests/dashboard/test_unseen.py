"""What nobody sees in a text is found and named, and what good texts hold is left alone."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.dashboard.unseen import Stretch, count_hidden, stretches

OVERRIDE = "\u202e"
ORDER = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
HIDING = [OVERRIDE, "\u2066", "\u200b", "\ufeff", "\x07", "\U000e0041", "\U000e0100", "\u200d\u200d"]


@pytest.mark.conformance("U-8")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("عود", [Stretch("عود")], id="plain"),
        pytest.param("", [], id="nothing"),
        pytest.param(
            f"pay {OVERRIDE}lamron", [Stretch("pay "), Stretch(names="U+202E"), Stretch("lamron")], id="override"
        ),
        pytest.param(
            f"عود{ORDER} 95",
            [Stretch("عود"), Stretch(names="U+E006F", message="obey me"), Stretch(" 95")],
            id="an order in tags",
        ),
        pytest.param("\U000e0001\U000e007f", [Stretch(names="U+E0001")], id="tags that spell nothing"),
        pytest.param("\u2066\u2066\u2069", [Stretch(names="U+2066 ×2 U+2069")], id="several"),
        pytest.param("\u200c\u200d\u200c", [Stretch(names="U+200C U+200D U+200C")], id="joiners in a row"),
    ],
)
def test_what_hides_is_named_where_it_stands(text: str, shown: list[Stretch]) -> None:
    assert list(stretches(text)) == shown


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("می\u200cخواهم", id="a joiner in a Persian word"),
        pytest.param("👩\u200d👧 ❤\ufe0f\u200d🔥", id="emoji"),
        pytest.param("\u200f{name} — 95 ريال", id="a mark of direction"),
        pytest.param("سطر\nوآخر\r\n\tوثالث", id="line ends"),
        pytest.param("بَخُورٌ مُعَطَّر", id="harakat"),
    ],
)
def test_what_good_texts_hold_is_left_alone(text: str) -> None:
    assert list(stretches(text)) == [Stretch(text)]


@given(st.lists(st.sampled_from([*HIDING, "عود", " 95 ", "\u200f", "\n"])).map("".join))
def test_nothing_is_lost_and_nothing_hides_in_what_is_shown(text: str) -> None:
    seen = "".join(stretch.text for stretch in stretches(text))

    assert count_hidden(seen.replace("\u200f", "")) == 0
    assert _drawn(seen) == _drawn(text)


def _drawn(text: str) -> str:
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cf", "Cc", "Mn", "Cn"})


@pytest.mark.parametrize("text", HIDING)
def test_each_place_counts_once(text: str) -> None:
    assert count_hidden(f"a{text}b{text}") == 2
