"""Searching documents: which are searched, what a hit tells of its section, and what a miss means."""

from typing import Any

import pytest

from apps.knowledge import lookup, shelf
from apps.knowledge.documents import corpus
from apps.knowledge.documents.models import DocumentRevision
from apps.knowledge.documents.sought import Wanted
from apps.projects.scoping import project_scope
from apps.search.segment import Segment
from apps.sections import Selection
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.knowledge.conftest import SEARCH, CreateSource, Search
from tests.knowledge.documents.conftest import DOCUMENTS, Put, error_of

pytestmark = pytest.mark.django_db


def places(found: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(hit["document_id"], hit["section_id"]) for hit in found["hits"]]


def test_a_hit_tells_its_document_its_section_and_the_way_to_it(put: Put, search: Search) -> None:
    put(title="دليل الخدمة")
    assert search("بعد يومين", document_ids=["guide"])["hits"][0] == {
        "source_id": None,
        "source_name": "دليل الخدمة",
        "kind": "document",
        "position": 3,
        "text": "خلال يومين.",
        "group": None,
        "fields": None,
        "matched_words": 1,
        "total_words": 1,
        "full_match": True,
        "edits": 0,
        "score": 1.0,
        "highlights": [[5, 10]],
        "document_id": "guide",
        "section_id": "delivery.timing",
        "section_path": ["delivery", "delivery.timing"],
    }


def test_a_hit_outside_of_sections_has_none(put: Put, search: Search) -> None:
    put()
    hit = search("مقدمة", document_ids=["guide"])["hits"][0]
    assert (hit["section_id"], hit["section_path"], hit["position"]) == (None, [], 1)


def test_long_texts_are_found_by_the_paragraph(put: Put, search: Search) -> None:
    put(parts=[{"id": "a", "parts": [f"بخور أول.\n\n{'كلمات ' * 200}\n\nمسك أخير."]}])
    hit = search("مسك", document_ids=["guide"])["hits"][0]
    assert (hit["text"], hit["section_id"], hit["position"]) == ("مسك أخير.", "a", 4)


def test_the_documents_searched_are_shown_as_they_stand(put: Put, search: Search) -> None:
    shown = put(title="Guide")
    assert search("مقدمة", document_ids=["guide"])["searched_documents"] == [
        {
            "id": "guide",
            "title": "Guide",
            "revision": "1",
            "selection": {"mode": "document"},
            "updated_at": shown["updated_at"],
        }
    ]


def test_documents_are_searched_only_when_they_are_named(put: Put, create: CreateSource, search: Search) -> None:
    put(text="بخور")
    source = create("بخور")
    found = search("بخور")
    assert [hit["source_id"] for hit in found["hits"]] == [source["id"]]
    assert "searched_documents" not in found


def test_named_documents_are_searched_without_the_sources(put: Put, create: CreateSource, search: Search) -> None:
    put(text="بخور")
    create("بخور")
    found = search("بخور", document_ids=["guide"])
    assert places(found) == [("guide", None)]
    assert found["searched_sources"] == []


def test_sources_and_documents_are_ranked_together_equals_with_sources_first(
    put: Put, create: CreateSource, search: Search
) -> None:
    put("best", text="بخور عود")
    put("equal", text="بخور مسك")
    source = create("بخور مسك")
    found = search("بخور عود", document_ids=["equal", "best"], source_ids=[source["id"]])
    named = [hit["source_id"] or hit["document_id"] for hit in found["hits"]]
    assert named == ["best", source["id"], "equal"]


def test_equal_hits_stand_in_the_order_of_the_documents_named(put: Put, search: Search) -> None:
    put("a", text="بخور")
    put("b", text="بخور")
    assert places(search("بخور", document_ids=["b", "a"])) == [("b", None), ("a", None)]


@pytest.mark.parametrize("count", [1, 4, 5, 12])
def test_many_documents_are_searched_as_few(put: Put, search: Search, count: int) -> None:
    names = [f"d{number}" for number in range(count)]
    for name in names:
        put(name, parts=[{"id": f"s-{name}", "parts": [f"بخور {name}"]}])
    assert places(search("بخور", document_ids=names)) == [(name, f"s-{name}") for name in names]


def test_what_was_just_put_is_found_and_what_was_before_is_not(put: Put, search: Search) -> None:
    put(text="بخور")
    search("بخور", document_ids=["guide"])
    put(revision="2", text="مسك")
    assert search("بخور", document_ids=["guide"])["hits"] == []
    assert places(search("مسك", document_ids=["guide"])) == [("guide", None)]
    put(revision="1", text="بخور")
    assert places(search("بخور", document_ids=["guide"])) == [("guide", None)]


def test_a_fresh_process_reads_what_was_stored(put: Put, search: Search) -> None:
    put(text="بخور")
    shelf.forget_everything()
    assert places(search("بخور", document_ids=["guide"])) == [("guide", None)]


def test_a_segment_of_another_format_is_compiled_and_stored_anew(shop: Tenant, put: Put, search: Search) -> None:
    put()
    shelf.forget_everything()
    with project_scope(shop.id):
        DocumentRevision.objects.for_project(shop.id).update(segment=b"MWRD of another time")
    assert places(search("يومين", document_ids=["guide"])) == [("guide", "delivery.timing")]
    with project_scope(shop.id):
        stored = DocumentRevision.objects.for_project(shop.id).get().segment
    assert len(Segment(bytes(stored or b""))) == 5


# --- what a miss means --------------------------------------------------------------------------------------


def test_documents_are_never_evidence_of_absence(put: Put, create: CreateSource, search: Search) -> None:
    put()
    source = create("عود")
    alone = search("غسالة", document_ids=["guide"])["miss"]
    beside = search("غسالة", document_ids=["guide"], source_ids=[source["id"]])["miss"]
    assert (alone["evidence"], beside["evidence"]) == (False, False)
    assert alone["reasons"] == beside["reasons"] == [{"code": "documents_searched", "source_id": None}]


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-056")
def test_a_draft_is_not_searched(api: ApiClient, put: Put) -> None:
    put("guide")
    put("draft", status="draft")
    answer = api.post(SEARCH, {"query": "مقدمة", "document_ids": ["guide", "draft"]})
    assert error_of(answer) == (409, "document_is_draft", "document_ids[1]")


@pytest.mark.conformance("KK-042")
def test_an_unknown_document_is_refused_by_its_place(api: ApiClient, put: Put) -> None:
    put()
    answer = api.post(SEARCH, {"query": "مقدمة", "document_ids": ["guide", "gone"]})
    assert error_of(answer) == (404, "document_not_found", "document_ids[1]")


@pytest.mark.parametrize(
    ("document_ids", "code", "param"),
    [
        ([], "empty_list", "document_ids"),
        ("guide", "not_a_list", "document_ids"),
        (["guide", "guide"], "repeated_item", "document_ids[1]"),
        ([5], "not_a_string", "document_ids[0]"),
        (["x"] * 1_001, "too_many_items", "document_ids"),
    ],
)
def test_a_faulty_list_of_documents_is_refused(api: ApiClient, document_ids: Any, code: str, param: str) -> None:
    answer = api.post(SEARCH, {"query": "x", "document_ids": document_ids})
    assert error_of(answer) == (400, code, param)


def test_a_key_limited_to_sources_sees_no_documents(shop: Tenant, put: Put, create: CreateSource) -> None:
    put()
    _, key = make_key(shop, source_ids=[create()["id"]])
    limited = ApiClient(key)
    searched = limited.post(SEARCH, {"query": "مقدمة", "document_ids": ["guide"]})
    assert error_of(searched) == (403, "key_limited_to_sources", "document_ids[0]")
    assert error_of(limited.get(f"{DOCUMENTS}/guide"))[:2] == (403, "key_limited_to_sources")


# --- selections ---------------------------------------------------------------------------------------------


def found_within(shop: Tenant, query: str, *wanted: Wanted) -> list[tuple[str, str | None]]:
    with project_scope(shop.id):
        return places(lookup.search(shop.id, query, documents=wanted, skip_missing=True))


@pytest.mark.conformance("KK-061")
@pytest.mark.parametrize(
    ("selection", "query", "sections"),
    [
        (("document",), "خلال", ["delivery.timing", "returns"]),
        (("self", "delivery"), "خلال", []),
        (("self", "delivery"), "التوصيل", ["delivery"]),
        (("subtree", "delivery"), "خلال", ["delivery.timing"]),
        (("subtree", "returns"), "خلال", ["returns"]),
        (("self", "returns", "delivery.timing"), "خلال", ["delivery.timing", "returns"]),
        (("self", "gone"), "خلال", []),
    ],
)
def test_a_search_never_leaves_the_selection(
    shop: Tenant, put: Put, selection: tuple[str, ...], query: str, sections: list[str]
) -> None:
    put()
    wanted = Wanted("guide", Selection(selection[0], selection[1:]))
    assert found_within(shop, query, wanted) == [("guide", section) for section in sections]


@pytest.mark.conformance("KK-061")
def test_whole_documents_and_selections_are_searched_side_by_side(shop: Tenant, put: Put) -> None:
    put("part")
    put("whole")
    wanted = [Wanted("part", Selection("self", ("returns",))), Wanted("whole")]
    assert found_within(shop, "أسبوع", *wanted) == [("part", "returns"), ("whole", "returns")]


@pytest.mark.conformance("KK-061")
def test_a_selection_is_searched_at_the_present_revision(shop: Tenant, put: Put) -> None:
    wanted = Wanted("guide", Selection("self", ("returns",)))
    put()
    before = found_within(shop, "أسبوع", wanted)
    put(revision="2", parts=[{"id": "returns", "parts": ["خلال شهر."]}, {"id": "other", "parts": ["خلال أسبوع."]}])
    assert (before, found_within(shop, "أسبوع", wanted)) == ([("guide", "returns")], [])
    assert found_within(shop, "شهر", wanted) == [("guide", "returns")]


@pytest.mark.conformance("KK-056")
def test_agents_find_nothing_in_drafts_and_in_what_is_gone(shop: Tenant, put: Put) -> None:
    put("draft", status="draft")
    assert found_within(shop, "مقدمة", Wanted("draft"), Wanted("gone")) == []


def test_a_selection_that_was_compiled_is_kept_and_forgotten_with_its_project(shop: Tenant, put: Put) -> None:
    put()
    wanted = Wanted("guide", Selection("self", ("returns",)))
    found_within(shop, "أسبوع", wanted)
    kept = corpus._partial.nbytes
    found_within(shop, "أسبوع", wanted)
    assert corpus._partial.nbytes == kept > 0
    corpus.forget_project(shop.id)
    assert corpus._partial.nbytes == 0
