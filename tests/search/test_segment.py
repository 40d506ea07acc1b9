"""Segments: what goes in comes out, in one small immutable buffer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.search.chunks import Chunk, lines
from apps.search.engine import Part, search
from apps.search.segment import SEGMENT_FORMAT, Segment, compile_segment

CELLS = st.dictionaries(st.text(max_size=5), st.text(max_size=9), min_size=1, max_size=4)
TEXT = st.text(st.characters(exclude_categories=()), min_size=1, max_size=40)


def record(fields: dict[str, str]) -> Chunk:
    return Chunk(" — ".join(filter(None, fields.values())), None, fields)


CHUNKS = st.lists(
    st.builds(Chunk, TEXT, st.none() | st.text(max_size=9)) | st.builds(record, CELLS),
    max_size=12,
)


@settings(deadline=None)
@given(CHUNKS)
def test_a_segment_gives_its_chunks_back(chunks: list[Chunk]) -> None:
    segment = Segment(compile_segment(chunks))
    assert [segment.chunk(at) for at in range(len(segment))] == chunks


def test_cells_come_back_by_column_with_the_empty_ones() -> None:
    fields = {"name": "عطر", "note": "", "price": "95"}
    segment = Segment(compile_segment([Chunk("عود"), record(fields), record({"name": "x — y"})]))
    assert [segment.chunk(at).fields for at in range(3)] == [None, fields, {"name": "x — y"}]


def test_a_record_whose_text_is_not_its_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="cells"):
        compile_segment([Chunk("عود", None, {"name": "عطر"})])


def test_compiling_the_same_chunks_gives_the_same_bytes() -> None:
    chunks = lines("عطر ورد\nعود")
    assert compile_segment(chunks) == compile_segment(chunks)


@pytest.mark.parametrize("wrap", [bytes, memoryview])
def test_bytes_and_views_of_bytes_will_do(wrap: type) -> None:
    segment = Segment(wrap(compile_segment(lines("عود"))))
    assert search([Part(segment, (0,))], "عود").hits[0].text == "عود"


@pytest.mark.parametrize("stored", [b"", b"MWRD", b"nonsense" * 20])
def test_other_bytes_are_refused(stored: bytes) -> None:
    with pytest.raises(ValueError, match="segment"):
        Segment(stored)


def test_a_segment_of_another_format_is_refused() -> None:
    stored = bytearray(compile_segment(lines("عود")))
    stored[4] = SEGMENT_FORMAT + 1
    with pytest.raises(ValueError, match="format"):
        Segment(bytes(stored))


def test_a_segment_cut_short_is_refused() -> None:
    with pytest.raises(ValueError, match="buffer"):
        Segment(compile_segment(lines("عود ومسك"))[:-9])


def test_an_empty_segment_has_no_lines_and_no_hits() -> None:
    segment = Segment(compile_segment([]))
    assert len(segment) == 0
    assert search([Part(segment, (0,))], "عود").hits == []


def test_a_segment_is_at_most_two_and_a_half_times_its_text() -> None:
    text = "\n".join(
        f"عطر زهر الليمون رقم {at} فاخر مركز {at % 7 * 50} مل — {at * 3 % 400} ريال" for at in range(300)
    )
    assert len(compile_segment(lines(text))) <= 2.5 * len(text.encode())
