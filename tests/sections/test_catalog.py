"""Catalogs: what they take, and what they refuse by its path."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from apps.sections import (
    DocumentError,
    InvalidIdError,
    InvalidRevisionError,
    KnowledgeDocument,
    RepeatedDocumentError,
    RepeatedSectionError,
    Section,
    SectionCycleError,
    StructureError,
    TooDeepError,
    UnknownDocumentError,
    UnknownFieldError,
    define_knowledge_catalog,
)

# The example of the specification.
SEED: dict[str, Any] = {
    "id": "service-guide",
    "revision": "content-version-1",
    "locale": "zh-CN",
    "parts": [
        "全局引言。",
        {"id": "delivery", "parts": ["本章节自身正文。", {"id": "delivery.timing", "parts": ["时机说明。"]}]},
    ],
}


def section(section_id: Any, *parts: Any) -> dict[str, Any]:
    return {"id": section_id, "parts": list(parts)}


def document(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {"id": "doc", "revision": "1", "parts": list(parts), **fields}


def nested(depth: int) -> dict[str, Any]:
    inner = section("s0", "x")
    for number in range(1, depth):
        inner = section(f"s{number}", inner)
    return document(inner)


def containing_itself() -> dict[str, Any]:
    outer = section("a")
    outer["parts"].append(section("b", outer))
    return document("x", outer)


def refused(given: Any) -> DocumentError:
    with pytest.raises(DocumentError) as refusal:
        define_knowledge_catalog([given])
    return refusal.value


# --- what a catalog is --------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-002", "KK-011")
def test_the_example_of_the_specification_is_taken() -> None:
    catalog = define_knowledge_catalog([SEED])
    assert catalog.ids == ("service-guide",)
    assert catalog.section_ids("service-guide") == ("delivery", "delivery.timing")


@pytest.mark.conformance("KK-006", "KK-007", "KK-055")
def test_parsed_documents_and_mappings_stand_side_by_side_in_the_order_given(guide: KnowledgeDocument) -> None:
    catalog = define_knowledge_catalog([document(section("z"), section("a", section("m"))), guide])
    assert catalog.ids == ("doc", "service-guide")
    assert catalog.section_ids("doc") == ("z", "a", "m")
    assert catalog.section_ids("service-guide") == ("delivery", "delivery.timing", "returns")


def test_a_document_and_its_mapping_are_the_same(guide: KnowledgeDocument) -> None:
    whole: dict[str, Any] = {"document_id": guide.id, "selection": {"mode": "document"}}
    of_mapping = define_knowledge_catalog([guide.as_mapping()])
    assert of_mapping.read(**whole) == define_knowledge_catalog([guide]).read(**whole)


def test_a_catalog_may_be_empty_and_takes_any_iterable(guide: KnowledgeDocument) -> None:
    assert define_knowledge_catalog([]).ids == ()
    assert define_knowledge_catalog(iter([guide])).ids == ("service-guide",)


@pytest.mark.conformance("KK-053")
def test_a_catalog_never_changes() -> None:
    given = document("before")
    catalog = define_knowledge_catalog([given])
    given["parts"][0] = "after"
    given["parts"].append(section("new"))
    assert catalog.read(document_id="doc", selection={"mode": "document"}).content == "before"
    assert catalog.section_ids("doc") == ()
    with pytest.raises((FrozenInstanceError, AttributeError)):
        catalog.ids = ()  # type: ignore[misc]


@pytest.mark.conformance("KK-053")
@pytest.mark.parametrize("name", ["register", "upsert", "delete", "save", "watch", "add", "documents"])
def test_a_catalog_has_no_way_to_change_or_store(name: str) -> None:
    assert not hasattr(define_knowledge_catalog([]), name)


@pytest.mark.conformance("KK-062")
@pytest.mark.parametrize("options", [{"options": {}}, {"strict": True}, {"max_chars": 5}])
def test_a_catalog_has_no_options(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        define_knowledge_catalog([], **options)


@pytest.mark.conformance("KK-062")
def test_a_catalog_takes_no_second_argument() -> None:
    with pytest.raises(TypeError):
        define_knowledge_catalog([], {})  # type: ignore[call-arg]


@pytest.mark.conformance("KK-042")
@pytest.mark.parametrize("document_id", ["", "Doc", "doc ", None, ["doc"]])
def test_an_unknown_document_is_refused_everywhere(document_id: Any) -> None:
    catalog = define_knowledge_catalog([document()])
    with pytest.raises(UnknownDocumentError):
        catalog.section_ids(document_id)
    with pytest.raises(UnknownDocumentError):
        catalog.assert_selection(document_id=document_id, selection={"mode": "document"})
    with pytest.raises(UnknownDocumentError):
        catalog.read(document_id=document_id, selection={"mode": "document"})


# --- what it refuses ----------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-010")
def test_a_document_that_stands_twice_is_refused() -> None:
    with pytest.raises(RepeatedDocumentError) as refusal:
        define_knowledge_catalog([document(), document(revision="2")])
    assert (refusal.value.document_id, refusal.value.place) == ("doc", "documents[1]")


@pytest.mark.conformance("KK-013", "KK-014")
@pytest.mark.parametrize(
    ("parts", "place", "first_place"),
    [
        ([section("a"), "x", section("a")], "parts[2]", "parts[0]"),
        ([section("a", section("b")), section("b")], "parts[1]", "parts[0].parts[0]"),
        ([section("b"), section("a", "x", section("c", section("b")))], "parts[1].parts[1].parts[0]", "parts[0]"),
    ],
)
def test_an_id_that_repeats_at_any_depth_is_refused(parts: list[Any], place: str, first_place: str) -> None:
    refusal = refused(document(*parts))
    assert isinstance(refusal, RepeatedSectionError)
    assert (refusal.place, refusal.facts) == (place, {"first_place": first_place})
    assert repr(refusal.section_id) in str(refusal)


@pytest.mark.conformance("KK-015")
@pytest.mark.parametrize(
    ("given", "place"),
    [
        (document(section("a", section("a"))), "parts[0].parts[0]"),
        (document(section("a", "x", section("b", section("a")))), "parts[0].parts[1].parts[0]"),
        (containing_itself(), "parts[1].parts[0].parts[0]"),
    ],
)
def test_a_section_that_contains_itself_is_refused(given: dict[str, Any], place: str) -> None:
    refusal = refused(given)
    assert isinstance(refusal, SectionCycleError)
    assert (refusal.section_id, refusal.place) == ("a", place)


@pytest.mark.conformance("KK-015")
def test_sections_may_be_nested_32_deep_and_not_deeper() -> None:
    assert len(define_knowledge_catalog([nested(32)]).section_ids("doc")) == 32
    refusal = refused(nested(33))
    assert isinstance(refusal, TooDeepError)
    assert refusal.place == ".".join(["parts[0]"] * 33)


def test_depth_beyond_any_recursion_is_refused_like_any_other() -> None:
    assert isinstance(refused(nested(100_000)), TooDeepError)


@pytest.mark.conformance("KK-012")
@pytest.mark.parametrize("section_id", ["", " ", " a", "a ", "a\n", "a" * 201, 5, None, True, ["a"], {}])
def test_a_section_id_is_a_text_without_space_around_it(section_id: Any) -> None:
    refusal = refused(document("x", section("outer", section(section_id))))
    assert isinstance(refusal, InvalidIdError)
    assert refusal.place == "parts[1].parts[0].id"


@pytest.mark.conformance("KK-021")
@pytest.mark.parametrize("section_id", ["مقدمة", "two words", "a/b", "🌙", "a" * 200, "<!-- x -->"])
def test_a_section_id_of_a_structure_may_be_any_other_text(section_id: str) -> None:
    assert define_knowledge_catalog([document(section(section_id))]).section_ids("doc") == (section_id,)


@pytest.mark.conformance("KK-011")
@pytest.mark.parametrize("part", [5, None, True, 1.5, b"x", ["x"], ("x",)])
def test_a_part_is_a_text_or_a_section(part: Any) -> None:
    refusal = refused(document("x", section("a", part)))
    assert isinstance(refusal, StructureError)
    assert refusal.place == "parts[1].parts[0]"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (document(section("a"), {"id": "b"}), "parts[1].parts"),
        (document({"parts": []}), "parts[0].id"),
        (document({"id": "a", "parts": "x"}), "parts[0].parts"),
        (document({"id": "a", "parts": None}), "parts[0].parts"),
        (document(parts="x"), "parts"),
        (document(parts=None), "parts"),
        (document(locale=5), "locale"),
        (document(locale=""), "locale"),
        ({"id": "doc", "revision": "1"}, "parts"),
        ({"id": "doc", "parts": []}, "revision"),
        ({"revision": "1", "parts": []}, "id"),
        ("doc", "The whole"),
        (None, "The whole"),
    ],
)
def test_what_is_missing_or_of_another_type_is_named(given: Any, place: str) -> None:
    refusal = refused(given)
    assert isinstance(refusal, StructureError)
    assert refusal.place == place


@pytest.mark.conformance("KK-004", "KK-044")
@pytest.mark.parametrize("value", ["", "a" * 201, 5, None])
@pytest.mark.parametrize("field", ["id", "revision"])
def test_a_document_needs_an_id_and_a_revision(field: str, value: Any) -> None:
    refusal = refused(document(**{field: value}))
    assert isinstance(refusal, InvalidIdError | InvalidRevisionError)
    assert refusal.place == field


@pytest.mark.parametrize("document_id", [" ", " a", "a\n"])
def test_a_document_id_has_no_space_around_it(document_id: str) -> None:
    assert isinstance(refused(document(id=document_id)), InvalidIdError)


@pytest.mark.conformance("KK-040")
@pytest.mark.parametrize(
    ("given", "place"),
    [
        (document(title="x"), "title"),
        (document(text="x"), "text"),
        (document({**section("a"), "title": "x"}), "parts[0].title"),
        (document("x", section("a", {**section("b"), "text": "x"})), "parts[1].parts[0].text"),
    ],
)
def test_unknown_fields_are_refused_by_their_path(given: dict[str, Any], place: str) -> None:
    refusal = refused(given)
    assert isinstance(refusal, UnknownFieldError)
    assert refusal.place == place


def test_sections_made_by_hand_are_checked_too() -> None:
    refusal = refused(KnowledgeDocument("doc", "1", (Section("a"), Section("a"))))
    assert isinstance(refusal, RepeatedSectionError)
    assert refusal.place == "parts[1]"
