"""CSV: one record is one item, its cells joined, its columns by name, and every fault with its line."""

import contextlib
import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge import csv_items
from apps.knowledge.csv_items import CellTooLongError, CsvError, ItemTooLongError, UnclosedQuoteError
from apps.search.chunks import Chunk


def items(text: str, *, header: bool = True, delimiter: str | None = None, max_length: int = 2_000) -> list[Chunk]:
    return list(csv_items.items(text, header=header, delimiter=delimiter, max_length=max_length))


def texts(text: str, *, header: bool = True, delimiter: str | None = None) -> list[str]:
    return [item.text for item in items(text, header=header, delimiter=delimiter)]


@pytest.mark.conformance("KA-009")
def test_a_record_is_one_item_with_its_cells_joined_and_its_columns_by_name() -> None:
    assert items("الصنف,السعر\nبخور,95\n") == [Chunk("بخور — 95", None, {"الصنف": "بخور", "السعر": "95"})]


@pytest.mark.conformance("KA-009")
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_quoted_cell_with_line_ends_stays_one_item_on_one_line(line_end: str) -> None:
    assert texts(f'name,note{line_end}بخور,"فاخر {line_end} جدا"{line_end}') == ["بخور — فاخر جدا"]


def test_without_a_header_the_first_record_is_an_item_and_there_are_no_fields() -> None:
    assert items("بخور,95\n", header=False) == [Chunk("بخور — 95")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\nx,y", "x — y"),
        ("a;b\nx;y", "x — y"),
        ("a\tb\nx\ty", "x — y"),
        ("a;b,c;d\nx;y,z;w", "x — y,z — w"),
        ('"a;a;a",b\nx,y', "x — y"),
        ('5";a\nx;y', "x — y"),
        ("name\nx,y", "x — y"),
        ("\n\na;b\nx;y", "x — y"),
        ("\ta\nx\ty,z", "x — y,z"),
    ],
)
def test_the_first_record_decides_the_delimiter(text: str, expected: str) -> None:
    assert texts(text) == [expected]


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "sep=;  "])
def test_a_first_line_states_the_delimiter_and_is_dropped(first: str) -> None:
    assert texts(f"{first}\na,a;b\nx,1;y", delimiter=",") == ["x,1 — y"]


def test_a_stated_delimiter_may_be_any_character() -> None:
    assert texts("sep=|\na|b\nx|y") == ["x — y"]


def test_a_given_delimiter_wins_over_what_the_first_record_suggests() -> None:
    assert texts("a,b,c;d\nx,1;y", delimiter=";") == ["x,1 — y"]


@pytest.mark.parametrize("text", ["a,b\n,\n", "a,b\n  ,\t\n", "a,b\n\n\n", "a,b\n", "", 'a\n""\n'])
def test_a_record_without_a_filled_cell_is_no_item(text: str) -> None:
    assert items(text) == []


def test_empty_cells_are_left_out_of_the_text_and_kept_as_fields() -> None:
    assert items("a,b,c\nx,,z") == [Chunk("x — z", None, {"a": "x", "b": "", "c": "z"})]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("a,,b", ["a", "2", "b"]),
        ("a,a,a", ["a", "a 2", "a 3"]),
        ("a,a 2,a", ["a", "a 2", "a 3"]),
        ("2,,2", ["2", "2 2", "2 3"]),
    ],
)
def test_empty_and_repeated_columns_get_a_number(header: str, names: list[str]) -> None:
    assert list(items(f"{header}\nx,y,z")[0].fields or {}) == names


def test_cells_past_the_header_are_kept_under_their_column_number() -> None:
    assert items("a\nx,,z")[0].fields == {"a": "x", "3": "z"}


def test_a_short_record_has_the_fields_it_has() -> None:
    assert items("a,b,c\nx")[0].fields == {"a": "x"}


def test_quotes_inside_an_unquoted_cell_are_text() -> None:
    assert texts('a,b\nشاشة 55",1200') == ['شاشة 55" — 1200']


def test_doubled_quotes_are_one() -> None:
    assert texts('a\n"قال ""نعم"""') == ['قال "نعم"']


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n"x,y\nz,w\n', 2),
        ('a,b\nx,y\n\nz,"w\n', 4),
        ('"a,b', 1),
        ('sep=;\na;b\n"x', 3),
        ('a,b\n"x\ny",1\nz,"w', 4),
    ],
)
def test_an_unclosed_quote_is_reported_with_the_line_of_its_record(text: str, line: int) -> None:
    with pytest.raises(UnclosedQuoteError) as refusal:
        items(text)
    assert refusal.value.line == line


def test_a_cell_longer_than_the_reader_takes_is_reported_with_its_line() -> None:
    with pytest.raises(CellTooLongError) as refusal:
        items('a\nb\n"' + "x" * 200_000 + '"')
    assert refusal.value.line == 3


@pytest.mark.parametrize(("text", "line"), [("a,b\nx,y\nxxxx,yyyy", 3), ("aaaa,bbbbb\nx,y", 1)])
def test_an_item_or_header_that_is_too_long_is_reported_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ItemTooLongError) as refusal:
        items(text, max_length=10)
    assert refusal.value.line == line


def test_a_header_of_many_equal_or_empty_names_costs_no_more_than_its_length() -> None:
    assert len(items("," * 200_000 + "a\n" + "," * 200_000 + "x")[0].fields or {}) == 200_001


_cells = st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=8)


@given(
    records=st.lists(st.lists(_cells, min_size=2, max_size=4), min_size=1, max_size=6),
    delimiter=st.sampled_from(csv_items.DELIMITERS),
)
def test_what_a_csv_writer_writes_is_read_back_cell_by_cell(records: list[list[str]], delimiter: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([["a", "b", "c", "d"], *records])
    read = items(out.getvalue(), delimiter=delimiter)
    assert [list((item.fields or {}).values()) for item in read] == records


@given(st.text(alphabet=st.sampled_from('a,;\t"\n\r =sepX '), max_size=60))
def test_any_text_is_read_as_items_on_one_line_each_or_refused(text: str) -> None:
    with contextlib.suppress(CsvError):
        assert not any(set(item.text) & set("\r\n") for item in items(text))
