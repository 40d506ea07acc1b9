"""Reading documents through the API: selections, limits, snapshots that are stored, and what is refused."""

from typing import Any

import pytest

from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import (
    DOCUMENTS,
    GUIDE,
    SNAPSHOTS,
    WHOLE,
    Put,
    Read,
    Saved,
    chosen,
    error_of,
)

pytestmark = pytest.mark.django_db

INTRO, DELIVERY, TIMING, FREE, RETURNS = (
    "مقدمة عامة.",
    "نوصل إلى كل المدن.",
    "خلال يومين.",
    "التوصيل مجاني من 200 ريال.",
    "خلال أسبوع.",
)


@pytest.mark.parametrize(
    ("selection", "texts"),
    [
        pytest.param(
            ("document",),
            [INTRO, DELIVERY, TIMING, FREE, RETURNS],
            marks=pytest.mark.conformance("KK-009", "KK-025", "KK-030"),
        ),
        pytest.param(("self", "delivery"), [DELIVERY, FREE], marks=pytest.mark.conformance("KK-031")),
        pytest.param(("subtree", "delivery"), [DELIVERY, TIMING, FREE], marks=pytest.mark.conformance("KK-032")),
        pytest.param(
            ("self", "returns", "delivery.timing"), [RETURNS, TIMING], marks=pytest.mark.conformance("KK-033")
        ),
        pytest.param(
            ("subtree", "delivery", "delivery.timing"),
            [DELIVERY, TIMING, FREE, TIMING],
            marks=pytest.mark.conformance("KK-035"),
        ),
    ],
)
def test_a_selection_gives_its_texts_in_its_order(
    put: Put, read: Read, selection: tuple[str, ...], texts: list[str]
) -> None:
    put()
    assert read(*selection)["content"] == "\n\n".join(texts)


@pytest.mark.conformance("KK-028", "KK-029")
def test_a_dot_makes_nobody_a_child(put: Put, read: Read) -> None:
    put(parts=[{"id": "a", "parts": ["one"]}, {"id": "a.b", "parts": ["two"]}])
    assert read("subtree", "a")["content"] == "one"


@pytest.mark.conformance("KK-043")
def test_the_own_text_of_a_section_without_any_is_empty(put: Put, read: Read) -> None:
    put(parts=[{"id": "a", "parts": [{"id": "b", "parts": ["x"]}]}])
    assert read("self", "a")["content"] == ""


@pytest.mark.conformance("KK-036", "KK-058")
def test_parts_are_joined_by_one_empty_line_and_the_whole_is_trimmed(put: Put, read: Read) -> None:
    put(parts=["\n\n one\n", "\n", {"id": "a", "parts": ["\ntwo\n\n"]}, "three\n\n"])
    assert read()["content"] == "one\n\ntwo\n\nthree"


@pytest.mark.conformance("KK-046", "KK-057")
def test_what_is_read_is_a_snapshot(api: ApiClient, put: Put) -> None:
    put(locale="ar")
    answer = api.post(f"{DOCUMENTS}/guide/read", {"selection": chosen("self", "returns")})
    snapshot = answer.json()
    assert snapshot.pop("id").startswith("snap_")
    assert snapshot == {
        "object": "knowledge_snapshot",
        "document_id": "guide",
        "selection": {"mode": "self", "section_ids": ["returns"]},
        "revision": "1",
        "locale": "ar",
        "content": RETURNS,
    }


@pytest.mark.conformance("KK-037", "KK-046")
def test_the_spelling_of_the_specification_is_taken(api: ApiClient, put: Put) -> None:
    put()
    body = {"selection": {"mode": "self", "sectionIds": ["returns"]}, "maxChars": 100}
    answer = api.post(f"{DOCUMENTS}/guide/read", body)
    assert (answer.status_code, answer.json()["selection"]) == (200, chosen("self", "returns"))


@pytest.mark.conformance("KK-047", "KK-048", "KK-049")
def test_the_id_tells_identity_selection_and_order_and_no_content(put: Put, read: Read) -> None:
    put("first", text=GUIDE)
    put("second", text=GUIDE)
    same = [read(of="first")["id"], read(of="first")["id"]]
    others = [
        read(of="second")["id"],
        read("self", "delivery", of="first")["id"],
        read("subtree", "delivery", of="first")["id"],
        read("self", "delivery", "returns", of="first")["id"],
        read("self", "returns", "delivery", of="first")["id"],
    ]
    put("first", revision="2", text=GUIDE)
    others.append(read(of="first")["id"])
    put("first", revision="3", text=GUIDE, locale="ar")
    others.append(read(of="first")["id"])
    assert (len(set(same)), len({*same, *others})) == (1, 1 + len(others))


@pytest.mark.conformance("KK-037", "KK-038")
def test_a_limit_refuses_and_never_cuts(api: ApiClient, put: Put, read: Read) -> None:
    put(text="\n  عود 🌙  \n")
    assert read(max_chars=5)["content"] == "عود 🌙"
    answer = api.post(f"{DOCUMENTS}/guide/read", {"selection": WHOLE, "max_chars": 4})
    assert error_of(answer) == (400, "selection_too_large", "max_chars")
    assert answer.json()["error"]["actual_chars"] == 5
    assert "عود" not in answer.content.decode()


@pytest.mark.conformance("KK-039")
def test_a_limit_is_no_matter_of_the_size_of_the_document(put: Put, read: Read) -> None:
    put(parts=["x" * 199_000, {"id": "a", "parts": ["short"]}])
    assert read("self", "a", max_chars=5)["content"] == "short"


REFUSED = [
    pytest.param({}, (400, "required", "selection")),
    pytest.param({"selection": "document"}, (400, "not_an_object", "selection")),
    pytest.param({"selection": {}}, (400, "required", "selection.mode")),
    pytest.param({"selection": {"mode": "all"}}, (400, "invalid_choice", "selection.mode")),
    pytest.param(
        {"selection": chosen("document", "returns")},
        (400, "section_ids_not_taken", "selection.section_ids"),
        marks=pytest.mark.conformance("KK-041"),
    ),
    pytest.param(
        {"selection": {"mode": "self"}},
        (400, "required", "selection.section_ids"),
        marks=pytest.mark.conformance("KK-041"),
    ),
    pytest.param(
        {"selection": {"mode": "self", "section_ids": []}},
        (400, "empty_list", "selection.section_ids"),
        marks=pytest.mark.conformance("KK-041"),
    ),
    pytest.param(
        {"selection": {"mode": "document", "section_ids": []}},
        (400, "empty_list", "selection.section_ids"),
        marks=pytest.mark.conformance("KK-041"),
    ),
    pytest.param(
        {"selection": chosen("self", "returns", "returns")},
        (400, "repeated_item", "selection.section_ids[1]"),
        marks=pytest.mark.conformance("KK-034"),
    ),
    pytest.param(
        {"selection": {**WHOLE, "documentId": "guide"}},
        (400, "unknown_field", "selection.documentId"),
        marks=pytest.mark.conformance("KK-040"),
    ),
    pytest.param(
        {"selection": {**chosen("self", "returns"), "sectionIds": ["returns"]}},
        (400, "repeated_field", "selection.sectionIds"),
        marks=pytest.mark.conformance("KK-040"),
    ),
    pytest.param({"selection": WHOLE, "path": "/"}, (400, "unknown_field", "path")),
    pytest.param({"selection": WHOLE, "max_chars": 0}, (400, "too_small", "max_chars")),
    pytest.param({"selection": WHOLE, "max_chars": "5"}, (400, "not_an_integer", "max_chars")),
    pytest.param({"selection": WHOLE, "max_chars": 5, "maxChars": 5}, (400, "repeated_field", "maxChars")),
    pytest.param(
        {"selection": chosen("subtree", "returns", "gone")},
        (404, "section_not_found", "selection.section_ids[1]"),
        marks=pytest.mark.conformance("KK-042"),
    ),
    pytest.param(
        {"selection": WHOLE, "revision": "9"},
        (404, "revision_not_found", "revision"),
        marks=pytest.mark.conformance("KK-042"),
    ),
    pytest.param(
        {"selection": WHOLE, "max_chars": 5},
        (400, "selection_too_large", "max_chars"),
        marks=pytest.mark.conformance("KK-038"),
    ),
]


@pytest.mark.conformance("KK-008")
@pytest.mark.parametrize("door", ["read", "validate_selection", "snapshots"])
@pytest.mark.parametrize(("body", "refusal"), REFUSED)
def test_every_door_refuses_the_same(
    api: ApiClient, put: Put, door: str, body: dict[str, Any], refusal: tuple[int, str, str]
) -> None:
    put()
    assert error_of(api.post(f"{DOCUMENTS}/guide/{door}", body)) == refusal


@pytest.mark.conformance("KK-042")
@pytest.mark.parametrize("door", ["read", "validate_selection", "snapshots"])
def test_an_unknown_document_is_404(api: ApiClient, door: str) -> None:
    answer = api.post(f"{DOCUMENTS}/guide/{door}", {"selection": WHOLE})
    assert error_of(answer) == (404, "document_not_found", None)


@pytest.mark.conformance("KK-008")
def test_a_selection_can_be_checked_without_reading(api: ApiClient, put: Put) -> None:
    put()
    answer = api.post(f"{DOCUMENTS}/guide/validate_selection", {"selection": chosen("subtree", "delivery")})
    assert (answer.status_code, answer.json()) == (200, {"valid": True})


# --- stored snapshots ---------------------------------------------------------------------------------------


def store(api: ApiClient, *selection: str, of: str = "guide", **fields: Any) -> Any:
    return api.post(f"{DOCUMENTS}/{of}/snapshots", {"selection": chosen(*selection), **fields})


@pytest.mark.conformance("KK-051", "KK-052")
def test_a_stored_snapshot_stays_as_it_was_read(api: ApiClient, put: Put) -> None:
    put()
    stored = store(api, "self", "returns")
    put(revision="2", text="Everything is different.")
    assert (stored.status_code, stored["Location"]) == (201, f"{SNAPSHOTS}/{stored.json()['id']}")
    assert api.get(stored["Location"]).json() == stored.json()
    assert stored.json()["content"] == RETURNS


@pytest.mark.conformance("KK-051")
def test_reading_stores_nothing(api: ApiClient, put: Put, read: Read) -> None:
    put()
    assert error_of(api.get(f"{SNAPSHOTS}/{read()['id']}")) == (404, "snapshot_not_found", None)


@pytest.mark.conformance("KK-047", "KK-051")
def test_the_same_is_stored_once(api: ApiClient, put: Put, read: Read) -> None:
    put()
    first, second = store(api, "document"), store(api, "document")
    assert (first.status_code, second.status_code, first.json()) == (201, 200, second.json())
    assert first.json() == read()


@pytest.mark.conformance("KK-052")
def test_an_earlier_revision_can_be_stored(api: ApiClient, put: Put) -> None:
    put(revision="1", text="one")
    put(revision="2", text="two")
    assert store(api, "document", revision="1").json()["content"] == "one"


@pytest.mark.conformance("KK-052")
def test_a_snapshot_outlives_its_document_and_keeps_the_name_of_its_revision(api: ApiClient, put: Put) -> None:
    put(text="one")
    location = store(api, "document")["Location"]
    api.delete(f"{DOCUMENTS}/guide")
    assert api.get(location).json()["content"] == "one"
    refused = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": "another"})
    assert error_of(refused) == (409, "revision_conflict", "revision")
    assert put(text="one")["revision"] == "1"


@pytest.mark.conformance("KK-050")
def test_the_id_of_a_snapshot_opens_nothing(
    api: ApiClient, put: Put, stranger: ApiClient, other_api: ApiClient
) -> None:
    put()
    location = store(api, "document")["Location"]
    assert stranger.get(location).status_code == 401
    assert error_of(other_api.get(location)) == (404, "snapshot_not_found", None)


@pytest.mark.conformance("KK-050")
def test_two_projects_may_store_the_same_reference(
    api: ApiClient, put: Put, other_api: ApiClient, other_shop: Tenant
) -> None:
    put(text="ours")
    put(client=other_api, text="theirs")
    ours, theirs = store(api, "document"), store(other_api, "document")
    assert ours.json()["id"] == theirs.json()["id"]
    assert (api.get(ours["Location"]).json()["content"], other_api.get(theirs["Location"]).json()["content"]) == (
        "ours",
        "theirs",
    )


@pytest.mark.conformance("KK-027")
def test_a_stored_snapshot_is_no_reference_that_can_break(api: ApiClient, put: Put, saved: Saved) -> None:
    put()
    store(api, "self", "returns")
    assert put(query="?strict=true", revision="2", text="x")["broken_references"] == []
