"""Chunks: catalog lines, the lines of a feed, paragraphs of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.search.chunks import Chunk, lines, paragraphs

LIMIT = 800


def texts(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


@pytest.mark.conformance("KA-007", "KA-055")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_end_of_any_system_ends_an_item(end: str) -> None:
    assert texts(lines(end.join("أبجد"))) == list("أبجد")


@pytest.mark.conformance("KA-007")
@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85"])
def test_no_other_character_ends_an_item(sign: str) -> None:
    assert texts(lines(f"عطر{sign}عود")) == [f"عطر{sign}عود"]


@pytest.mark.conformance("KA-007")
def test_blank_lines_are_no_items_and_outer_spaces_go() -> None:
    assert texts(lines("  عطر ورد \n\n \t\nعود\n")) == ["عطر ورد", "عود"]


@pytest.mark.conformance("KA-057")
def test_blank_lines_separate_paragraphs() -> None:
    assert texts(paragraphs("أول\nسطر ثان\n \t \nثالث\r\n\r\nرابع\r\rخامس")) == [
        "أول\nسطر ثان",
        "ثالث",
        "رابع",
        "خامس",
    ]


@pytest.mark.conformance("KA-058")
def test_short_paragraphs_are_not_packed_together() -> None:
    assert texts(paragraphs("قصير\n\nقصير أيضا")) == ["قصير", "قصير أيضا"]


@pytest.mark.conformance("KA-057")
def test_a_long_paragraph_is_cut_after_the_last_sentence_that_fits() -> None:
    first, second = "كلمة " * 100 + "نهاية.", "جملة " * 100
    assert texts(paragraphs(f"{first} {second}")) == [f"{first} ", second.strip()]


@pytest.mark.conformance("KA-057")
@pytest.mark.parametrize("stop", [".", "!", "؟", "۔", "…", '."', ".»"])
def test_each_of_these_ends_a_sentence(stop: str) -> None:
    assert texts(paragraphs(f"نعم{stop} لا كلام بعده", limit=16))[0] == f"نعم{stop} "


@pytest.mark.conformance("KA-057")
def test_without_a_sentence_end_a_long_paragraph_is_cut_at_a_space() -> None:
    assert texts(paragraphs("aaaa bbbb cccc", limit=10)) == ["aaaa bbbb ", "cccc"]


@pytest.mark.conformance("KA-057")
def test_without_a_space_a_long_paragraph_is_cut_hard() -> None:
    assert texts(paragraphs("ا" * 2000)) == ["ا" * LIMIT, "ا" * LIMIT, "ا" * 400]


@pytest.mark.conformance("KA-057")
@settings(deadline=None)
@given(st.text(st.sampled_from("اب. \n\r\t؟»a"), max_size=3000))
def test_no_character_is_lost_and_no_piece_is_too_long(text: str) -> None:
    pieces = texts(paragraphs(text, limit=20))
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(0 < len(piece) <= 20 for piece in pieces)


@pytest.mark.conformance("KA-057")
def test_the_pieces_of_a_paragraph_are_the_paragraph() -> None:
    paragraph = ("كلمة طويلة. " * 200).strip()
    assert "".join(texts(paragraphs(paragraph))) == paragraph


@pytest.mark.parametrize("sign", ["\u200b", "\u200e\u2060", "\ufeff", "\xad", "\u202e", "\u3164", "\ufe0f"])
def test_what_nobody_sees_is_blank(sign: str) -> None:
    assert texts(lines(f"a\n{sign}\n{sign} \nb")) == ["a", "b"]
    assert texts(paragraphs(f"a\n{sign}\nb")) == ["a", "b"]
