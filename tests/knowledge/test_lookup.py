"""Searching through the API: what is found, in which order, in what, and what a miss means."""

import re
from typing import Any

import pytest

from apps.knowledge.models import QueryCount
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.knowledge.conftest import SEARCH, SOURCES, CreateSource, Search

pytestmark = pytest.mark.django_db


def texts(found: dict[str, Any]) -> list[str]:
    return [hit["text"] for hit in found["hits"]]


def reasons(found: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(reason["code"], reason["source_id"]) for reason in found["miss"]["reasons"]]


# --- hits ---------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-051", "KA-068")
def test_a_question_with_a_typo_finds_the_line_and_shows_how(create: CreateSource, search: Search) -> None:
    source = create("دهن عود — 450 ريال\nصندوق بخور — 95 ريال")
    found = search("كم سعر صندق البخور", source_ids=[source["id"]])
    assert found["hits"] == [
        {
            "source_id": source["id"],
            "source_name": "قائمة الأسعار",
            "kind": "catalog",
            "position": 2,
            "text": "صندوق بخور — 95 ريال",
            "group": None,
            "fields": None,
            "matched_words": 2,
            "total_words": 2,
            "full_match": True,
            "edits": 1,
            "score": 0.95,
            "highlights": [[0, 5], [6, 10]],
        }
    ]
    assert (found["query"], found["ignored"], found["miss"]) == ("كم سعر صندق البخور", ["كم", "سعر"], None)


@pytest.mark.conformance("KA-052")
def test_hits_show_the_text_as_it_was_written(create: CreateSource, search: Search) -> None:
    create("بَخُورٌ مُعَتَّق أصلي — ٩٥ ريالًا")
    assert texts(search("بخور معتق 95")) == ["بَخُورٌ مُعَتَّق أصلي — ٩٥ ريالًا"]


@pytest.mark.conformance("KA-050")
@pytest.mark.parametrize(("limit", "count"), [(None, 25), (25, 25), (3, 3), (1, 1)])
def test_at_most_25_hits_or_as_many_as_asked_for(
    create: CreateSource, search: Search, limit: int | None, count: int
) -> None:
    create("\n".join(f"بخور رقم {number}" for number in range(40)))
    assert len(search("بخور", **({} if limit is None else {"limit": limit}))["hits"]) == count


@pytest.mark.conformance("KA-115", "KA-116")
def test_one_ranking_goes_over_all_kinds(create: CreateSource, search: Search) -> None:
    catalog, text = create("بخور عود فاخر جدا"), create("بخور عود", kind="text")
    assert [(hit["source_id"], hit["kind"]) for hit in search("بخور عود")["hits"]] == [
        (text["id"], "text"),
        (catalog["id"], "catalog"),
    ]


@pytest.mark.conformance("KA-049")
def test_equal_hits_stand_in_the_order_of_their_sources(create: CreateSource, search: Search) -> None:
    first, second = create("بخور")["id"], create("بخور")["id"]
    by_age = [hit["source_id"] for hit in search("بخور")["hits"]]
    as_asked = [hit["source_id"] for hit in search("بخور", source_ids=[second, first])["hits"]]
    assert (by_age, as_asked) == ([first, second], [second, first])


@pytest.mark.conformance("KA-117")
@pytest.mark.parametrize("count", [1, 3, 12])
def test_what_was_just_created_is_found(create: CreateSource, search: Search, count: int) -> None:
    for number in range(count):
        source = create(f"بخور {number + 1000}")
        assert [hit["source_id"] for hit in search(f"{number + 1000}")["hits"]] == [source["id"]]


# --- which sources ------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-069")
def test_all_sources_are_searched_unless_some_are_named(create: CreateSource, search: Search) -> None:
    first, second = create("بخور")["id"], create("بخور")["id"]
    assert [source["id"] for source in search("بخور")["searched_sources"]] == [first, second]
    assert [source["id"] for source in search("بخور", source_ids=[second])["searched_sources"]] == [second]


def test_searched_sources_show_their_state(create: CreateSource, search: Search) -> None:
    source = create()
    assert search("بخور")["searched_sources"] == [
        {
            "id": source["id"],
            "name": source["name"],
            "complete": True,
            "revision": source["revision"],
            "updated_at": source["updated_at"],
            "sync_status": None,
        }
    ]


@pytest.mark.conformance("KA-069")
@pytest.mark.parametrize(
    ("body", "param", "code"),
    [
        ({}, "query", "required"),
        ({"query": ""}, "query", "blank"),
        ({"query": " \n"}, "query", "blank"),
        ({"query": "x" * 2_001}, "query", "too_long"),
        ({"query": 5}, "query", "not_a_string"),
        ({"query": "x", "source_ids": []}, "source_ids", "empty_list"),
        ({"query": "x", "source_ids": "ks_1"}, "source_ids", "not_a_list"),
        ({"query": "x", "source_ids": ["ks_1", "ks_1"]}, "source_ids[1]", "repeated_item"),
        ({"query": "x", "source_ids": [None]}, "source_ids[0]", "null"),
        ({"query": "x", "source_ids": ["ks_1"] * 1_001}, "source_ids", "too_many_items"),
        ({"query": "x", "limit": 0}, "limit", "too_small"),
        ({"query": "x", "limit": 26}, "limit", "too_large"),
        ({"query": "x", "limit": "3"}, "limit", "not_an_integer"),
        ({"query": "x", "min_score": 1}, "min_score", "unknown_field"),
    ],
)
def test_a_faulty_search_is_refused(api: ApiClient, body: dict[str, Any], param: str, code: str) -> None:
    answer = api.post(SEARCH, body)
    error = answer.json()["error"]
    assert (answer.status_code, error["param"], error["code"]) == (400, param, code)


def test_a_query_of_2000_characters_is_taken(search: Search) -> None:
    assert search("بخور " * 400)["query"] == "بخور " * 400


@pytest.mark.conformance("KA-002", "KA-069")
@pytest.mark.parametrize("source_id", ["foreign", "ks_01k6rz2n5q8t1w4z7c0f3h6k9m", "nonsense"])
def test_an_unknown_or_foreign_source_is_not_found(
    api: ApiClient, other_api: ApiClient, create: CreateSource, source_id: str
) -> None:
    own = create()["id"]
    asked = create(client=other_api)["id"] if source_id == "foreign" else source_id
    answer = api.post(SEARCH, {"query": "بخور", "source_ids": [own, asked]})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["param"]) == (
        404,
        "knowledge_source_not_found",
        "source_ids[1]",
    )


def test_sources_of_another_project_are_not_searched(
    other_api: ApiClient, create: CreateSource, search: Search
) -> None:
    create("بخور")
    assert search("بخور", client=other_api)["searched_sources"] == []


def test_a_limited_key_searches_its_sources_only(shop: Tenant, create: CreateSource, search: Search) -> None:
    own, other = create("بخور")["id"], create("بخور")["id"]
    client = ApiClient(make_key(shop, scopes=("search",), source_ids=[own])[1])
    assert [source["id"] for source in search("بخور", client=client)["searched_sources"]] == [own]
    assert client.post(SEARCH, {"query": "بخور", "source_ids": [other]}).status_code == 403


@pytest.mark.parametrize(("scope", "status"), [("search", 200), ("read", 200), ("write", 403)])
def test_searching_needs_search_or_read(shop: Tenant, scope: str, status: int) -> None:
    client = ApiClient(make_key(shop, scopes=(scope,))[1])
    assert client.post(SEARCH, {"query": "x"}).status_code == status
    assert client.get("/v1/knowledge/stop_words").status_code == status


# --- misses -------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-059", "KA-060")
def test_a_miss_in_complete_sources_is_evidence(create: CreateSource, search: Search) -> None:
    create("بخور")
    create("مسك")
    miss = search("ثلاجة")["miss"]
    assert (miss["evidence"], miss["reasons"]) == (True, [])


@pytest.mark.conformance("KA-059", "KA-067")
def test_a_miss_in_one_incomplete_source_is_none(create: CreateSource, search: Search) -> None:
    create("بخور")
    text = create("مسك", kind="text")
    found = search("ثلاجة")
    assert (found["miss"]["evidence"], reasons(found)) == (False, [("source_incomplete", text["id"])])


def test_only_searched_sources_count_for_evidence(create: CreateSource, search: Search) -> None:
    catalog = create("بخور")
    create("مسك", kind="text")
    assert search("ثلاجة", source_ids=[catalog["id"]])["miss"]["evidence"] is True


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("???? ????? 95", ["source_warning"]),
        ("ةبلع ةيده — لاير 95", ["source_warning"]),
        ("a,1\nb,2\nc,3", []),
    ],
)
def test_a_warned_source_gives_no_evidence_unless_it_is_only_csv(
    create: CreateSource, search: Search, content: str, expected: list[str]
) -> None:
    create(content)
    assert [code for code, _ in reasons(search("ثلاجة"))] == expected


@pytest.mark.conformance("KA-038")
def test_stop_words_alone_are_searched_but_are_no_evidence(create: CreateSource, search: Search) -> None:
    create("بخور")
    assert reasons(search("في من")) == [("only_stop_words", None)]
    create("تشكيلة من العطور")
    assert texts(search("من")) == ["تشكيلة من العطور"]


@pytest.mark.parametrize("query", ["؟؟؟", "🍯", "ـــ", "\u200f"])
def test_a_query_without_words_is_no_evidence(create: CreateSource, search: Search, query: str) -> None:
    create("بخور")
    assert reasons(search(query)) == [("no_words", None)]


def test_a_project_without_sources_gives_no_evidence(search: Search) -> None:
    found = search("بخور")
    assert (found["searched_sources"], reasons(found)) == ([], [("no_sources", None)])


def test_a_partial_hit_is_no_miss(create: CreateSource, search: Search) -> None:
    create("بخور")
    found = search("بخور ثلاجة")
    assert (found["hits"][0]["full_match"], found["miss"]) == (False, None)


@pytest.mark.conformance("KA-060", "KA-061")
@pytest.mark.parametrize(
    ("locale", "kind", "parts"),
    [
        ("en", "catalog", ["Nothing matched", "may say"]),
        ("ar", "catalog", ["لم يُعثر على شيء", "غير متوفر"]),
        (
            "en",
            "text",
            ["in the notes that were searched", "does not show that the business lacks", "hand the question"],
        ),
        ("ar", "text", ["الملاحظات التي جرى البحث فيها", "لا يدل", "حوّل السؤال"]),
    ],
)
def test_guidance_speaks_the_projects_language(
    api: ApiClient, create: CreateSource, locale: str, kind: str, parts: list[str]
) -> None:
    api.patch("/v1/project", {"locale": locale})
    create("بخور", kind=kind)
    assert re.search(".*".join(parts), api.post(SEARCH, {"query": "ثلاجة"}).json()["miss"]["guidance"])


# --- counts -------------------------------------------------------------------------------------------------


def counts(shop: Tenant) -> dict[str, tuple[int, int]]:
    with project_scope(shop.id):
        rows = QueryCount.objects.for_project(shop.id).values_list("query", "queries", "misses")
        return {query: (queries, misses) for query, queries, misses in rows}


def test_queries_and_misses_are_counted_by_their_folded_words(
    shop: Tenant, create: CreateSource, search: Search
) -> None:
    create("بخور")
    for query in ("بَخُور", "بخور!", "ثلاجة"):
        search(query)
    assert counts(shop) == {"بخور": (2, 0), "ثلاجه": (1, 1)}


def test_a_long_query_is_counted_by_its_beginning(shop: Tenant, search: Search) -> None:
    search("كلمة " * 400)
    (counted,) = counts(shop)
    assert 100 < len(counted) <= 200


def test_a_query_without_words_is_not_counted(shop: Tenant, search: Search) -> None:
    search("؟")
    assert counts(shop) == {}


def test_the_stop_words_in_use_can_be_read(api: ApiClient) -> None:
    body = api.get("/v1/knowledge/stop_words").json()
    assert {"في", "من", "the"} <= set(body["data"])
    assert (body["object"], body["has_more"], body["next_cursor"]) == ("list", False, None)


@pytest.mark.conformance("KA-007")
@pytest.mark.parametrize("path", [SEARCH, f"{SOURCES}/x/restore"])
def test_bodies_must_be_objects(api: ApiClient, path: str) -> None:
    assert api.post(path, []).json()["error"]["code"] == "body_not_an_object"
