"""The rules behind the pages of documents: names that are suggested, and sections as rows."""

from datetime import date

import pytest

from apps.dashboard.documents.naming import free_id, id_stem, next_revision
from apps.dashboard.documents.tree import outline_of, own_char_count, rows_of
from apps.knowledge.documents.body import of_text
from apps.sections import CompiledDocument
from tests.dashboard.making import GUIDE

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Delivery guide", "delivery-guide"),
        ("دليل التوصيل", "document"),
        ("دليل VIP 2", "vip-2"),
        ("  --  ", "document"),
        ("İSTANBUL", "i-stanbul"),
        ("a" * 300, "a" * 100),
    ],
)
def test_an_id_is_made_of_the_latin_words_of_a_title(title: str, stem: str) -> None:
    assert id_stem(title) == stem


@pytest.mark.parametrize(
    ("stem", "taken", "free"),
    [
        ("guide", [], "guide"),
        ("guide", ["guide"], "guide-2"),
        ("guide", ["guide", "guide-2"], "guide-3"),
        ("publish", [], "publish-2"),
    ],
)
def test_an_id_is_one_that_nothing_has(stem: str, taken: list[str], free: str) -> None:
    assert free_id(stem, taken) == free


@pytest.mark.parametrize(
    ("current", "taken", "expected"),
    [
        ("1", ["1"], "2"),
        ("9", ["9", "10"], "11"),
        ("v3", ["v3"], "v4"),
        ("release-07", [], "release-8"),
        ("2026-11-29", [], "2026-11-30"),
        ("2026-11-30", ["2026-11-30"], "2026-11-30-2"),
        ("0f" * 32, [], "2026-11-30"),
        ("١", [], "2026-11-30"),
    ],
)
def test_a_revision_is_counted_on_or_named_by_the_day(current: str, taken: list[str], expected: str) -> None:
    assert next_revision(current, taken, TODAY) == expected


@pytest.fixture
def guide() -> CompiledDocument:
    return of_text(GUIDE, None).compiled


def test_sections_are_rows_in_their_order_with_how_they_begin(guide: CompiledDocument) -> None:
    rows = [(row.id, row.level, row.beginning) for row in rows_of(guide)]

    assert rows == [
        ("delivery", 1, "نوصل إلى كل المدن."),
        ("delivery.timing", 2, "خلال يومين."),
        ("returns", 1, "الاسترجاع خلال أسبوع."),
    ]


def test_a_row_counts_all_below_it_and_the_document_what_is_outside(guide: CompiledDocument) -> None:
    assert [row.char_count for row in rows_of(guide)] == [31, 11, 21]
    assert own_char_count(guide) == len("مقدمة عامة.")


def test_the_deepest_rows_are_not_set_in_further() -> None:
    deep = "".join(f"<!-- agent-section:s{level} -->\n" for level in range(20))
    deep += "x\n" + "".join(f"<!-- /agent-section:s{level} -->\n" for level in reversed(range(20)))

    assert max(row.indent for row in rows_of(of_text(deep, None).compiled)) == 6


def test_a_long_beginning_is_cut() -> None:
    (row,) = rows_of(of_text(f"<!-- agent-section:a -->\n{'x' * 500}\n<!-- /agent-section:a -->", None).compiled)

    assert len(row.beginning) == 91


def test_an_outline_names_the_sections_of_each_text(guide: CompiledDocument) -> None:
    assert outline_of(guide).splitlines() == [
        "مقدمة عامة.",
        "",
        "§ delivery",
        "نوصل إلى كل المدن.",
        "",
        "§ delivery › delivery.timing",
        "خلال يومين.",
        "",
        "§ returns",
        "الاسترجاع خلال أسبوع.",
    ]
