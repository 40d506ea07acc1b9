"""Reading: the three modes, order, overlap, trimming and limits, and the snapshots that come of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sections import (
    InvalidSelectionError,
    KnowledgeDocument,
    KnowledgeSnapshot,
    Selection,
    SelectionError,
    SelectionTooLargeError,
    UnknownSectionError,
    compile_document,
    define_knowledge_catalog,
)
from tests.sections.test_catalog import document, section
from tests.sections.trees import documents, plainly_read, sections_of

TREE = document(
    "intro",
    section("a", "a1", section("a.x", "x1", section("deep", "d1")), "a2", section("empty"), "a3"),
    section("b", "b1"),
    section("nested-only", section("inside", "i1")),
    section("a.b", "dotted"),
    "outro",
)


def snapshot(selection: Any, given: Any = TREE, max_chars: Any = None) -> KnowledgeSnapshot:
    catalog = define_knowledge_catalog([given])
    return catalog.read(document_id="doc", selection=selection, max_chars=max_chars)


def chosen(mode: str, *section_ids: str) -> dict[str, Any]:
    return {"mode": mode, "section_ids": list(section_ids)}


WHOLE = {"mode": "document"}


@pytest.mark.parametrize(
    ("selection", "content"),
    [
        pytest.param(WHOLE, "intro a1 x1 d1 a2 a3 b1 i1 dotted outro", marks=pytest.mark.conformance("KK-030")),
        pytest.param(chosen("self", "a"), "a1 a2 a3", marks=pytest.mark.conformance("KK-031")),
        pytest.param(chosen("self", "deep"), "d1", marks=pytest.mark.conformance("KK-031")),
        pytest.param(chosen("self", "empty"), "", marks=pytest.mark.conformance("KK-043")),
        pytest.param(chosen("self", "nested-only"), "", marks=pytest.mark.conformance("KK-043")),
        pytest.param(chosen("subtree", "a"), "a1 x1 d1 a2 a3", marks=pytest.mark.conformance("KK-032")),
        pytest.param(chosen("subtree", "nested-only"), "i1", marks=pytest.mark.conformance("KK-032")),
        pytest.param(chosen("subtree", "empty"), "", marks=pytest.mark.conformance("KK-032")),
        pytest.param(chosen("subtree", "a.b"), "dotted", marks=pytest.mark.conformance("KK-028", "KK-029")),
        pytest.param(chosen("self", "b", "a"), "b1 a1 a2 a3", marks=pytest.mark.conformance("KK-033")),
        pytest.param(chosen("subtree", "b", "a.x"), "b1 x1 d1", marks=pytest.mark.conformance("KK-033")),
        pytest.param(chosen("self", "empty", "b"), "b1", marks=pytest.mark.conformance("KK-033")),
        pytest.param(chosen("subtree", "a.x", "deep"), "x1 d1 d1", marks=pytest.mark.conformance("KK-035")),
        pytest.param(chosen("subtree", "deep", "a.x"), "d1 x1 d1", marks=pytest.mark.conformance("KK-035")),
    ],
)
def test_a_selection_gives_its_texts_in_its_order(selection: dict[str, Any], content: str) -> None:
    assert snapshot(selection).content == content.replace(" ", "\n\n")


@given(documents, st.data())
def test_every_selection_equals_the_plain_reading(made: KnowledgeDocument, data: st.DataObject) -> None:
    ids = [found.id for found in sections_of(made.parts)]
    mode = data.draw(st.sampled_from(["self", "subtree"] if ids else ["document"]))
    some = st.lists(st.sampled_from(ids), min_size=1, unique=True) if ids else st.just([])
    section_ids = data.draw(some)
    selection: dict[str, Any] = {"mode": mode, **({"section_ids": section_ids} if section_ids else {})}
    assert compile_document(made).read(selection).content == plainly_read(made, mode, section_ids)


@given(documents)
def test_the_whole_document_equals_the_plain_reading(made: KnowledgeDocument) -> None:
    assert compile_document(made).read(WHOLE).content == plainly_read(made, "document", [])


@pytest.mark.conformance("KK-036", "KK-058")
def test_texts_lose_the_empty_lines_around_them_and_the_whole_is_trimmed() -> None:
    given_document = document("\n\n  first\n\n", "\n \n", section("a", "\r\nsecond\nline\n", "   "), "third  \n")
    assert snapshot(WHOLE, given_document).content == "first\n\nsecond\nline\n\nthird"


@pytest.mark.conformance("KK-058")
def test_spaces_inside_of_the_whole_are_kept() -> None:
    assert snapshot(WHOLE, document("  a  ", section("b", "\n    code\n"))).content == "a  \n\n    code"


@pytest.mark.parametrize(
    ("selection", "place"),
    [
        pytest.param(chosen("document", "a"), "selection.section_ids", marks=pytest.mark.conformance("KK-041")),
        pytest.param(chosen("document"), "selection.section_ids", marks=pytest.mark.conformance("KK-041")),
        pytest.param(chosen("self"), "selection.section_ids", marks=pytest.mark.conformance("KK-041")),
        pytest.param({"mode": "self"}, "selection.section_ids", marks=pytest.mark.conformance("KK-041")),
        pytest.param({"mode": "subtree"}, "selection.section_ids", marks=pytest.mark.conformance("KK-041")),
        pytest.param(chosen("self", "a", "a"), "selection.section_ids[1]", marks=pytest.mark.conformance("KK-034")),
        pytest.param({**WHOLE, "limit": 5}, "selection.limit", marks=pytest.mark.conformance("KK-040")),
        pytest.param({"mode": "self", "section_ids": "a"}, "selection.section_ids"),
        pytest.param({"mode": "self", "section_ids": None}, "selection.section_ids"),
        pytest.param({"mode": "self", "section_ids": [5]}, "selection.section_ids[0]"),
        pytest.param({"mode": "self", "section_ids": [["a"]]}, "selection.section_ids[0]"),
        pytest.param({**chosen("self", "a"), "sectionIds": ["a"]}, "selection.sectionIds"),
        pytest.param({"mode": "all"}, "selection.mode"),
        pytest.param({"mode": None}, "selection.mode"),
        pytest.param({"mode": ["self"]}, "selection.mode"),
        pytest.param({}, "selection.mode"),
        pytest.param("document", "selection"),
        pytest.param(None, "selection"),
    ],
)
def test_a_selection_of_another_form_is_refused_by_its_place(selection: Any, place: str) -> None:
    catalog = define_knowledge_catalog([TREE])
    with pytest.raises(InvalidSelectionError) as refusal:
        catalog.assert_selection(document_id="doc", selection=selection)
    assert refusal.value.place == place
    with pytest.raises(InvalidSelectionError):
        catalog.read(document_id="doc", selection=selection)


@pytest.mark.conformance("KK-008", "KK-042")
@pytest.mark.parametrize("mode", ["self", "subtree"])
def test_an_unknown_section_is_refused_by_its_place(mode: str) -> None:
    catalog = define_knowledge_catalog([TREE])
    with pytest.raises(UnknownSectionError) as refusal:
        catalog.assert_selection(document_id="doc", selection=chosen(mode, "a", "gone"))
    assert (refusal.value.section_id, refusal.value.place) == ("gone", "selection.section_ids[1]")


@pytest.mark.conformance("KK-008", "KK-009")
def test_what_can_be_asserted_can_be_read() -> None:
    catalog = define_knowledge_catalog([TREE])
    catalog.assert_selection(document_id="doc", selection=chosen("subtree", "a", "b"))
    assert catalog.read(document_id="doc", selection=chosen("subtree", "b")).content == "b1"


@pytest.mark.conformance("KK-026")
def test_ids_stay_while_texts_and_headings_change() -> None:
    before = document(section("delivery", "# Delivery\nTwo days."))
    after = document(section("delivery", "# Shipping\nThree days."), revision="2")
    texts = [snapshot(chosen("self", "delivery"), one).content for one in (before, after)]
    assert texts == ["# Delivery\nTwo days.", "# Shipping\nThree days."]


@pytest.mark.conformance("KK-046")
def test_a_selection_may_be_spelt_as_in_the_specification() -> None:
    assert snapshot({"mode": "self", "sectionIds": ["b"]}) == snapshot(chosen("self", "b"))


# --- limits -------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-037", "KK-038")
def test_a_limit_counts_the_trimmed_characters_and_never_cuts() -> None:
    given_document = document("\n  عود 🌙  \n")
    assert snapshot(WHOLE, given_document, max_chars=5).content == "عود 🌙"
    with pytest.raises(SelectionTooLargeError) as refusal:
        snapshot(WHOLE, given_document, max_chars=4)
    assert (refusal.value.actual_chars, refusal.value.max_chars) == (5, 4)
    assert "5" in str(refusal.value)


@pytest.mark.conformance("KK-037", "KK-039")
def test_a_limit_looks_at_what_was_selected_and_not_at_the_document() -> None:
    given_document = document("x" * 300_000, section("a", "short"))
    assert snapshot(chosen("self", "a"), given_document, max_chars=5).content == "short"


@pytest.mark.parametrize("max_chars", [0, -1, 1.5, "5", True])
def test_a_limit_is_a_whole_number_of_one_or_more(max_chars: Any) -> None:
    with pytest.raises(SelectionError) as refusal:
        snapshot(WHOLE, max_chars=max_chars)
    assert refusal.value.place == "max_chars"


# --- snapshots ----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-046", "KK-057")
def test_a_snapshot_says_what_was_read() -> None:
    taken = snapshot(chosen("self", "b"), {**TREE, "locale": "ar"})
    assert (taken.document_id, taken.revision, taken.locale, taken.content) == ("doc", "1", "ar", "b1")
    assert taken.selection.as_mapping() == chosen("self", "b")


@pytest.mark.conformance("KK-047")
def test_the_id_of_a_snapshot_does_not_depend_on_the_content() -> None:
    assert snapshot(WHOLE, document("one")).id == snapshot(WHOLE, document("two")).id
    assert snapshot(WHOLE).id.startswith("snap_")


@pytest.mark.conformance("KK-047", "KK-048", "KK-049")
def test_the_id_of_a_snapshot_depends_on_identity_selection_and_order() -> None:
    taken = [
        snapshot(WHOLE),
        snapshot(WHOLE, {**TREE, "revision": "2"}),
        snapshot(WHOLE, {**TREE, "locale": "ar"}),
        snapshot(WHOLE, {**TREE, "locale": "en"}),
        snapshot(chosen("self", "a")),
        snapshot(chosen("subtree", "a")),
        snapshot(chosen("self", "a", "b")),
        snapshot(chosen("self", "b", "a")),
        compile_document({**TREE, "id": "other"}).read(WHOLE),
    ]
    assert len({one.id for one in taken}) == len(taken)


@pytest.mark.conformance("KK-051", "KK-052")
def test_a_snapshot_is_frozen() -> None:
    taken = snapshot(WHOLE)
    with pytest.raises(AttributeError):
        taken.content = "other"  # type: ignore[misc]


# --- for whoever reads around a hit -------------------------------------------------------------------------


@pytest.mark.conformance("KK-061")
@pytest.mark.parametrize(
    ("allowed", "wanted", "text"),
    [
        (WHOLE, chosen("subtree", "a"), "a1 x1 d1 a2 a3"),
        (chosen("self", "a"), chosen("subtree", "a"), "a1 a2 a3"),
        (chosen("subtree", "a.x"), chosen("subtree", "a"), "x1 d1"),
        (chosen("subtree", "a.x"), WHOLE, "x1 d1"),
        (chosen("subtree", "b"), chosen("subtree", "a"), ""),
        (chosen("self", "gone"), WHOLE, ""),
    ],
)
def test_reading_within_a_selection_never_leaves_it(allowed: Any, wanted: Any, text: str) -> None:
    ready = compile_document(TREE)
    assert ready.read_within(Selection.of(allowed), Selection.of(wanted)) == text.replace(" ", "\n\n")


def test_passages_stand_in_order_with_the_sections_around_them() -> None:
    found = [(*passage.section_path, passage.text) for passage in compile_document(TREE).passages()]
    assert found == [
        ("intro",),
        ("a", "a1"),
        ("a", "a.x", "x1"),
        ("a", "a.x", "deep", "d1"),
        ("a", "a2"),
        ("a", "a3"),
        ("b", "b1"),
        ("nested-only", "inside", "i1"),
        ("a.b", "dotted"),
        ("outro",),
    ]


def test_passages_of_a_selection_stand_once_and_in_the_order_of_the_document() -> None:
    selection = Selection.of(chosen("subtree", "b", "deep", "a.x"))
    assert [passage.text for passage in compile_document(TREE).passages(selection)] == ["x1", "d1", "b1"]


@pytest.mark.conformance("KK-027")
def test_a_document_says_which_sections_of_a_selection_it_lacks() -> None:
    selection = Selection.of(chosen("self", "gone", "a", "lost"))
    assert compile_document(TREE).missing(selection) == ("gone", "lost")
