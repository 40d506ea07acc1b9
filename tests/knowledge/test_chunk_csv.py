"""Chunks as CSV for spreadsheets."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.chunk_csv import guarded_cell, written
from apps.search.chunks import Chunk
from apps.search.segment import Segment, compile_segment


def records(chunks: list[Chunk]) -> list[list[str]]:
    text = "".join(written(Segment(compile_segment(chunks))))
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.conformance("U-7")
@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+966 50",
        "-صندوق بخور",
        "@SUM(A1)",
        "- صندوق بخور — 95 ريال",
        " =cmd|' /C calc'!A0",
        "\u00a0=1",
        "\u202f \u2003@x",
        "\t=1",
        "\tx",
        "\rx",
        "\nx",
        "\t",
    ],
)
def test_a_cell_that_could_start_a_formula_is_guarded(text: str) -> None:
    assert guarded_cell(text) == "'" + text


@pytest.mark.conformance("U-7")
@pytest.mark.parametrize("text", ["", " ", "صندوق بخور — 95 ريال", "1-2", "'=1", "a=b", "  a", "\u200f=", "#1"])
def test_any_other_cell_stays(text: str) -> None:
    assert guarded_cell(text) == text


@pytest.mark.conformance("U-7")
@given(st.text(max_size=20))
def test_no_guarded_cell_starts_a_formula(text: str) -> None:
    assert not guarded_cell(text).lstrip().startswith(("=", "+", "-", "@"))
    assert not guarded_cell(text).startswith(("\t", "\r", "\n"))


def test_a_chunk_is_a_record_with_its_position_and_group() -> None:
    assert records([Chunk("مسك", "عطور"), Chunk("تمر")]) == [
        ["position", "group", "text"],
        ["1", "عطور", "مسك"],
        ["2", "", "تمر"],
    ]


def test_fields_follow_in_columns_of_their_own() -> None:
    chunks = [
        Chunk("مسك — 20", None, {"الاسم": "مسك", "السعر": "20"}),
        Chunk("x — y", None, {"الاسم": "x", "9": "y"}),
    ]

    assert records(chunks) == [
        ["position", "group", "text", "الاسم", "السعر", "9"],
        ["1", "", "مسك — 20", "مسك", "20", ""],
        ["2", "", "x — y", "x", "", "y"],
    ]


@pytest.mark.conformance("U-7")
def test_groups_fields_and_names_of_columns_are_guarded_too() -> None:
    assert records([Chunk("@v", "=g", {"+n": "@v"})]) == [
        ["position", "group", "text", "'+n"],
        ["1", "'=g", "'@v", "'@v"],
    ]


def test_text_with_separators_quotes_and_line_ends_reads_back() -> None:
    text = 'a "b", c;\nd'

    assert records([Chunk(text)])[1] == ["1", "", text]


def test_spreadsheets_are_told_that_it_is_utf_8() -> None:
    assert next(written(Segment(compile_segment([Chunk("x")])))).startswith("\ufeff")
