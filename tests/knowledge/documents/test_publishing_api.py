"""Publishing: all documents or none, and what becomes of saved selections."""

import threading
from typing import Any

import pytest
from django.db import connection

from apps.knowledge.documents import queries, services
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import DOCUMENTS, GUIDE, PUBLISH, WHOLE, Put, Read, Saved, error_of
from tests.together import held_up

pytestmark = pytest.mark.django_db


def publish(api: ApiClient, *documents: dict[str, Any], query: str = "") -> Any:
    return api.post(f"{PUBLISH}{query}", {"documents": list(documents)})


def document(document_id: str, text: str = GUIDE, revision: str = "1", **fields: Any) -> dict[str, Any]:
    return {"id": document_id, "revision": revision, "text": text, **fields}


@pytest.mark.conformance("KK-053", "KK-055")
def test_several_documents_are_published_at_once(api: ApiClient, put: Put, read: Read) -> None:
    put("first", text="old")
    parts = {"id": "third", "revision": "1", "parts": ["from a structure"]}
    answer = publish(api, document("first", "new", "2"), document("second", "two", title="Second"), parts)
    shown = answer.json()
    assert (answer.status_code, shown["object"], shown["broken_references"]) == (200, "knowledge_publication", [])
    assert [(one["id"], one["revision"], one["title"]) for one in shown["documents"]] == [
        ("first", "2", "first"),
        ("second", "1", "Second"),
        ("third", "1", "third"),
    ]
    assert [read(of=name)["content"] for name in ("first", "second", "third")] == ["new", "two", "from a structure"]


@pytest.mark.conformance("KK-053")
def test_one_conflict_keeps_all_documents_as_they_were(api: ApiClient, put: Put, read: Read) -> None:
    put("taken", text="old")
    answer = publish(api, document("fresh", "x"), document("taken", "other"), document("later", "y"))
    assert error_of(answer) == (409, "revision_conflict", "documents[1].revision")
    assert [one["id"] for one in api.get(DOCUMENTS).json()["data"]] == ["taken"]
    assert read(of="taken")["content"] == "old"


@pytest.mark.conformance("KK-053")
def test_every_faulty_document_is_named_and_none_is_stored(api: ApiClient) -> None:
    answer = publish(
        api,
        document("good"),
        document("unclosed", "<!-- agent-section:a -->"),
        {"id": "a b", "revision": "1", "parts": ["x", 5]},
        {"id": "publish", "text": "x"},
    )
    assert answer.status_code == 400
    assert {fault["param"]: fault["code"] for fault in answer.json()["error"]["errors"]} == {
        "documents[1].text": "section_unclosed",
        "documents[2].id": "invalid_format",
        "documents[2].parts[1]": "part_invalid",
        "documents[3].revision": "required",
        "documents[3].id": "document_id_reserved",
    }
    assert api.get(DOCUMENTS).json()["data"] == []


@pytest.mark.parametrize(
    ("documents", "code", "param"),
    [
        (None, "null", "documents"),
        ([], "empty_list", "documents"),
        ("x", "not_a_list", "documents"),
        ([5], "not_an_object", "documents[0]"),
        ([document("a"), document("a", revision="2")], "repeated_item", "documents[1].id"),
        ([document(f"d{number}", "x") for number in range(201)], "too_many_items", "documents"),
    ],
)
def test_a_faulty_list_is_refused(api: ApiClient, documents: Any, code: str, param: str) -> None:
    assert error_of(api.post(PUBLISH, {"documents": documents})) == (400, code, param)


@pytest.mark.conformance("KK-062")
@pytest.mark.parametrize("options", [{"options": {}}, {"strict": True}, {"max_chars": 5}])
def test_a_publication_takes_no_options(api: ApiClient, options: dict[str, Any]) -> None:
    answer = api.post(PUBLISH, {"documents": [document("a")], **options})
    assert error_of(answer) == (400, "unknown_field", next(iter(options)))


def test_what_is_published_again_stays_as_it_is(api: ApiClient, put: Put) -> None:
    before = put("guide")
    assert publish(api, document("guide")).status_code == 200
    assert api.get(f"{DOCUMENTS}/guide").json() == before


@pytest.mark.conformance("KK-053")
@pytest.mark.django_db(transaction=True)
def test_a_reader_sees_all_of_the_old_or_all_of_the_new(shop: Tenant) -> None:
    api, names = ApiClient(shop.key), [f"d{number}" for number in range(5)]
    publish(api, *(document(name, "0", "0") for name in names))
    writer = threading.Thread(target=_publish_often, args=(shop, names))
    seen: set[tuple[str, ...]] = set()
    writer.start()
    while writer.is_alive():
        seen.add(tuple(one["revision"] for one in api.get(DOCUMENTS).json()["data"]))
    writer.join()
    assert {len(set(revisions)) for revisions in seen} == {1}


def _publish_often(shop: Tenant, names: list[str]) -> None:
    try:
        for round_ in range(1, 15):
            publish(ApiClient(shop.key), *(document(name, str(round_), str(round_)) for name in names))
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_publications_of_the_same_documents_wait_for_each_other(shop: Tenant) -> None:
    names = [f"d{number}" for number in range(6)]
    orders = [names, names[::-1], names[3:] + names[:3]]
    statuses: list[int] = []
    start = threading.Barrier(len(orders))

    def run(number: int) -> None:
        start.wait()
        try:
            answer = publish(ApiClient(shop.key), *(document(name, "x", str(number)) for name in orders[number]))
            statuses.append(answer.status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(orders))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    revisions = {one["revision"] for one in ApiClient(shop.key).get(DOCUMENTS).json()["data"]}
    assert (statuses, len(revisions)) == ([200, 200, 200], 1)


@pytest.mark.django_db(transaction=True)
def test_what_is_published_while_it_is_deleted_is_there_anew(shop: Tenant, put: Put) -> None:
    put("guide", text="old")
    with project_scope(shop.id):
        before = queries.get_document(shop.id, "guide", lock=True)
        answer = held_up(lambda: publish(ApiClient(shop.key), document("guide", "new")))
        services.delete_document(before, detach=False, actor="test")

    assert answer.result().status_code == 200
    assert ApiClient(shop.key).get(f"{DOCUMENTS}/guide").json()["parts"] == ["new"]


# --- saved selections ---------------------------------------------------------------------------------------

WITHOUT_RETURNS = GUIDE.partition("<!-- agent-section:returns -->")[0]
BROKEN = {
    "document_id": "guide",
    "user_id": "agt_1",
    "user_name": "Adviser",
    "code": "section_not_found",
    "section_ids": ["returns"],
}


@pytest.mark.conformance("KK-027")
def test_a_write_that_takes_a_section_away_says_whose_selection_breaks(put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "self", "delivery", "returns")
    assert put(revision="2", text=WITHOUT_RETURNS)["broken_references"] == [BROKEN]


@pytest.mark.conformance("KK-027")
def test_a_document_shows_its_broken_references_until_they_are_mended(
    api: ApiClient, put: Put, saved: Saved
) -> None:
    put()
    saved.save("guide", "self", "returns")
    put(revision="2", text=WITHOUT_RETURNS)
    shown = api.get(f"{DOCUMENTS}/guide").json()["broken_references"]
    saved.save("guide", "self", "delivery")
    mended = api.get(f"{DOCUMENTS}/guide").json()["broken_references"]
    assert (shown, mended) == ([BROKEN], [])


@pytest.mark.conformance("KK-027")
def test_a_strict_write_refuses_to_break_a_selection(api: ApiClient, put: Put, read: Read, saved: Saved) -> None:
    put()
    saved.save("guide", "subtree", "returns")
    answer = api.put(f"{DOCUMENTS}/guide?strict=true", {"revision": "2", "text": WITHOUT_RETURNS})
    assert error_of(answer) == (409, "broken_references", None)
    assert "Adviser (agt_1): guide returns" in answer.json()["error"]["message"]
    assert read()["revision"] == "1"


@pytest.mark.conformance("KK-027")
def test_a_strict_write_that_breaks_nothing_is_done(put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "subtree", "delivery")
    assert put(query="?strict=true", revision="2", text=WITHOUT_RETURNS)["revision"] == "2"


@pytest.mark.conformance("KK-027")
def test_whoever_reads_the_whole_document_names_no_section(put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "document")
    assert put(query="?strict=true", revision="2", text="all new")["broken_references"] == []


@pytest.mark.conformance("KK-056", "KK-027")
def test_a_document_that_becomes_a_draft_breaks_what_uses_it(api: ApiClient, put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "document")
    broken = put(status="draft")["broken_references"]
    assert [(one["code"], one["section_ids"]) for one in broken] == [("document_is_draft", [])]


@pytest.mark.conformance("KK-054")
def test_a_publication_says_which_selections_it_breaks(api: ApiClient, put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "self", "returns")
    answer = publish(api, document("other", "x"), document("guide", WITHOUT_RETURNS, "2"))
    assert (answer.status_code, answer.json()["broken_references"]) == (200, [BROKEN])


@pytest.mark.conformance("KK-054")
def test_a_strict_publication_checks_selections_before_it_changes_anything(
    api: ApiClient, put: Put, read: Read, saved: Saved
) -> None:
    put()
    saved.save("guide", "self", "returns")
    answer = publish(api, document("other", "x"), document("guide", WITHOUT_RETURNS, "2"), query="?strict=true")
    assert error_of(answer) == (409, "broken_references", None)
    assert read()["revision"] == "1"
    assert api.post(f"{DOCUMENTS}/other/read", {"selection": WHOLE}).status_code == 404
