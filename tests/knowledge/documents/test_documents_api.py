"""Documents through the API: putting, listing, reading back, revisions, and deleting."""

from typing import Any

import pytest

from apps.knowledge.documents import services
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import DOCUMENTS, GUIDE, WHOLE, Put, Read, Saved, error_of

pytestmark = pytest.mark.django_db

GUIDE_PARTS = [
    "مقدمة عامة.",
    {
        "id": "delivery",
        "parts": [
            "نوصل إلى كل المدن.",
            {"id": "delivery.timing", "parts": ["خلال يومين."]},
            "التوصيل مجاني من 200 ريال.",
        ],
    },
    {"id": "returns", "parts": ["خلال أسبوع."]},
]


# --- putting ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-002", "KK-003")
def test_a_new_document_is_created_with_its_location(api: ApiClient) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": GUIDE})
    assert (answer.status_code, answer["Location"]) == (201, f"{DOCUMENTS}/guide")
    assert answer.json()["parts"] == GUIDE_PARTS


@pytest.mark.conformance("KK-002", "KK-007", "KK-057")
def test_a_document_shows_everything_of_itself(put: Put) -> None:
    shown = put(title=" دليل الخدمة ", locale="ar-SA")
    assert {name: shown[name] for name in shown if name not in {"created_at", "updated_at", "token_estimate"}} == {
        "id": "guide",
        "object": "knowledge_document",
        "title": "دليل الخدمة",
        "revision": "1",
        "locale": "ar-SA",
        "status": "published",
        "section_ids": ["delivery", "delivery.timing", "returns"],
        "char_count": 85,
        "parts": GUIDE_PARTS,
        "broken_references": [],
    }
    assert shown["token_estimate"] > 0
    assert shown["created_at"] == shown["updated_at"]


@pytest.mark.conformance("KK-002", "KK-011", "KK-021")
def test_the_example_of_the_specification_is_taken_as_parts(api: ApiClient) -> None:
    parts = ["全局引言。", {"id": "delivery", "parts": ["正文。", {"id": "مدة التوصيل", "parts": ["时机说明。"]}]}]
    answer = api.put(
        f"{DOCUMENTS}/service-guide", {"revision": "content-version-1", "locale": "zh-CN", "parts": parts}
    )
    assert answer.status_code == 201
    assert answer.json()["parts"] == parts
    assert answer.json()["section_ids"] == ["delivery", "مدة التوصيل"]


@pytest.mark.conformance("KK-002")
def test_title_and_locale_and_status_have_defaults(put: Put) -> None:
    shown = put()
    assert (shown["title"], shown["locale"], shown["status"]) == ("guide", None, "published")


@pytest.mark.conformance("KK-001", "KK-023", "KK-024", "KK-059")
@pytest.mark.parametrize(
    ("text", "section_ids", "parts"),
    [
        ("# Delivery\n\n## Timing\nTwo days.", [], ["# Delivery\n\n## Timing\nTwo days."]),
        (
            "```\n<!-- agent-section:a -->\n```\n<!-- /agent-section:a -->",
            ["a"],
            ["```", {"id": "a", "parts": ["```"]}],
        ),
        (
            "\ufeff<!-- agent-section:a -->\r\none\r\ntwo\r\n<!-- /agent-section:a -->\r\n",
            ["a"],
            [{"id": "a", "parts": ["one\ntwo"]}],
        ),
        ("", [], []),
    ],
)
def test_a_text_is_read_by_its_markers_alone(put: Put, text: str, section_ids: list[str], parts: list[Any]) -> None:
    shown = put(text=text)
    assert (shown["section_ids"], shown["parts"]) == (section_ids, parts)


@pytest.mark.conformance("KK-044")
@pytest.mark.parametrize("revision", ["7", "release 2026-11", " نسخة ", "0" * 64, "v" * 200])
def test_a_revision_is_any_text_and_comes_back_unchanged(put: Put, read: Read, revision: str) -> None:
    assert put(revision=revision)["revision"] == revision
    assert read(revision=revision)["revision"] == revision


@pytest.mark.conformance("KK-010", "KK-045")
def test_the_same_again_changes_nothing(api: ApiClient, put: Put) -> None:
    before = put(title="Guide", locale="ar")
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "title": "Guide", "locale": "ar", "text": GUIDE})
    assert (answer.status_code, answer.json()) == (200, before)


@pytest.mark.conformance("KK-045")
def test_text_and_parts_that_say_the_same_are_the_same(api: ApiClient, put: Put) -> None:
    before = put()
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "parts": GUIDE_PARTS})
    assert (answer.status_code, answer.json()) == (200, before)


@pytest.mark.conformance("KK-010", "KK-045")
@pytest.mark.parametrize("other", [{"text": f"{GUIDE}!"}, {"text": GUIDE, "locale": "ar"}, {"parts": []}])
def test_another_body_under_the_same_revision_is_refused(api: ApiClient, put: Put, other: dict[str, Any]) -> None:
    before = put()
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", **other})
    assert error_of(answer) == (409, "revision_conflict", "revision")
    assert api.get(f"{DOCUMENTS}/guide").json() == before


@pytest.mark.conformance("KK-045")
def test_an_earlier_revision_keeps_its_name_too(api: ApiClient, put: Put) -> None:
    put(revision="1")
    put(revision="2", text="two")
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": "other"})
    assert error_of(answer) == (409, "revision_conflict", "revision")


@pytest.mark.conformance("KK-026")
def test_text_and_title_change_and_the_ids_stay(put: Put, read: Read) -> None:
    put(title="Old title")
    shown = put(revision="2", title="New title", text=GUIDE.replace("يومين", "ثلاثة أيام"))
    assert (shown["title"], shown["section_ids"]) == ("New title", ["delivery", "delivery.timing", "returns"])
    assert read("self", "delivery.timing")["content"] == "خلال ثلاثة أيام."


@pytest.mark.conformance("KK-026", "KK-045")
def test_title_and_status_may_change_without_a_new_revision(put: Put) -> None:
    before = put()
    after = put(title="Another title", status="draft")
    assert (after["title"], after["status"], after["revision"]) == ("Another title", "draft", "1")
    assert after["updated_at"] == before["updated_at"]


def test_what_is_left_out_is_as_by_default_and_not_as_before(put: Put) -> None:
    put(title="Guide", status="draft")
    after = put()
    assert (after["title"], after["status"]) == ("guide", "published")


@pytest.mark.conformance("KK-053")
def test_old_revisions_stay_readable_and_can_be_put_again(api: ApiClient, put: Put, read: Read) -> None:
    put(revision="1", text="one")
    put(revision="2", text="two")
    assert (read()["content"], read(revision="1")["content"]) == ("two", "one")
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": "one"})
    assert (answer.status_code, answer.json()["revision"]) == (200, "1")
    assert (read()["content"], read(revision="2")["content"]) == ("one", "two")


@pytest.mark.conformance("KK-053")
def test_the_last_revisions_are_kept_and_older_ones_only_by_name(
    api: ApiClient, put: Put, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 2)
    texts = {str(number): f"text {number}" for number in range(5)}
    for revision, text in texts.items():
        put(revision=revision, text=text)
    kept = [
        api.post(f"{DOCUMENTS}/guide/read", {"selection": WHOLE, "revision": name}).status_code for name in texts
    ]
    assert kept == [404, 404, 200, 200, 200]
    refused = api.put(f"{DOCUMENTS}/guide", {"revision": "0", "text": "other"})
    assert error_of(refused) == (409, "revision_conflict", "revision")
    assert put(revision="0", text="text 0")["parts"] == ["text 0"]


def test_a_revision_that_a_snapshot_names_is_kept(
    api: ApiClient, put: Put, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 0)
    put(revision="1", text="one")
    assert api.post(f"{DOCUMENTS}/guide/snapshots", {"selection": WHOLE}).status_code == 201
    put(revision="2", text="two")
    assert read(revision="1")["content"] == "one"


def test_another_state_than_the_one_seen_is_not_changed(api: ApiClient, put: Put) -> None:
    put()
    etag = api.get(f"{DOCUMENTS}/guide")["ETag"]
    put(revision="2", text="two")
    body = {"revision": "3", "text": "three"}
    refused = api.put(f"{DOCUMENTS}/guide", body, if_match=etag)
    assert error_of(refused)[:2] == (412, "precondition_failed")
    seen = api.get(f"{DOCUMENTS}/guide")["ETag"]
    assert api.put(f"{DOCUMENTS}/guide", body, if_match=seen).status_code == 200


def test_a_state_of_a_document_that_is_not_there_has_not_been_seen(api: ApiClient) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": ""}, if_match='"x"')
    assert error_of(answer)[:2] == (412, "precondition_failed")


def test_the_state_of_a_document_has_one_etag(api: ApiClient, put: Put) -> None:
    put()
    etag = api.get(f"{DOCUMENTS}/guide")["ETag"]
    assert api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": GUIDE})["ETag"] == etag
    assert api.get(f"{DOCUMENTS}/guide", if_none_match=etag).status_code == 304


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-004", "KK-044")
@pytest.mark.parametrize(
    ("fields", "code", "param"),
    [
        ({"text": "x"}, "required", "revision"),
        ({"text": "x", "revision": ""}, "blank", "revision"),
        ({"text": "x", "revision": None}, "null", "revision"),
        ({"text": "x", "revision": 7}, "not_a_string", "revision"),
        ({"text": "x", "revision": "v" * 201}, "too_long", "revision"),
        ({"text": "x", "revision": "1", "title": ""}, "blank", "title"),
        ({"text": "x", "revision": "1", "title": "t" * 201}, "too_long", "title"),
        ({"text": "x", "revision": "1", "locale": ""}, "blank", "locale"),
        ({"text": "x", "revision": "1", "locale": "a b"}, "invalid_format", "locale"),
        ({"text": "x", "revision": "1", "status": "hidden"}, "invalid_choice", "status"),
        ({"text": "x", "revision": "1", "id": "guide"}, "unknown_field", "id"),
        ({"text": 5, "revision": "1"}, "not_a_string", "text"),
        ({"text": None, "revision": "1"}, "null", "text"),
    ],
)
def test_a_faulty_field_is_refused(api: ApiClient, fields: dict[str, Any], code: str, param: str) -> None:
    assert error_of(api.put(f"{DOCUMENTS}/guide", fields)) == (400, code, param)
    assert api.get(f"{DOCUMENTS}/guide").status_code == 404


@pytest.mark.conformance("KK-003")
@pytest.mark.parametrize("fields", [{}, {"text": "x", "parts": ["x"]}])
def test_a_document_comes_as_text_or_as_parts(api: ApiClient, fields: dict[str, Any]) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", **fields})
    assert error_of(answer) == (400, "text_or_parts", "text")


@pytest.mark.parametrize(
    ("document_id", "status", "code"),
    [
        ("a" * 201, 400, "invalid_format"),
        ("%D8%AF%D9%84%D9%8A%D9%84", 400, "invalid_format"),
        ("a%20b", 400, "invalid_format"),
        ("a@b", 400, "invalid_format"),
        ("%2E", 400, "document_id_reserved"),
        ("%2E%2E", 400, "document_id_reserved"),
        ("publish", 405, "method_not_allowed"),
    ],
)
def test_an_id_is_of_letters_digits_and_four_signs(
    api: ApiClient, document_id: str, status: int, code: str
) -> None:
    answer = api.put(f"{DOCUMENTS}/{document_id}", {"revision": "1", "text": "x"})
    assert error_of(answer)[:2] == (status, code)


@pytest.mark.parametrize("document_id", ["a" * 200, "Az09._:-", "publish.1", "..."])
def test_every_other_id_is_taken(put: Put, read: Read, document_id: str) -> None:
    put(document_id)
    assert read(of=document_id)["document_id"] == document_id


BAD_TEXTS = {
    "open without close": ("one\n<!-- agent-section:a -->\ntwo", "section_unclosed", 2),
    "close without open": ("one\ntwo\n<!-- /agent-section:a -->", "section_unopened", 3),
    "crossing": (
        "<!-- agent-section:a -->\n<!-- agent-section:b -->\n<!-- /agent-section:a -->\n<!-- /agent-section:b -->",
        "sections_crossing",
        3,
    ),
    "indented": ("one\n <!-- agent-section:a -->\n<!-- /agent-section:a -->", "marker_malformed", 2),
    "misspelt": ("<!-- agent-sction:a -->\n<!-- /agent-section:a -->", "marker_malformed", 1),
    "without spaces": ("<!--agent-section:a-->\n<!-- /agent-section:a -->", "marker_malformed", 1),
    "an Arabic id": ("<!-- agent-section:مقدمة -->\n<!-- /agent-section:مقدمة -->", "marker_id_invalid", 1),
    "an id with a space": ("<!-- agent-section:a b -->", "marker_id_invalid", 1),
    "twice": ("<!-- agent-section:a -->\n<!-- /agent-section:a -->\n" * 2, "section_repeated", 3),
    "in itself": ("<!-- agent-section:a -->\n" * 2 + "<!-- /agent-section:a -->\n" * 2, "section_cycle", 2),
    "too deep": ("".join(f"<!-- agent-section:s{n} -->\n" for n in range(33)), "sections_too_deep", 33),
}


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param(*case, id=name, marks=pytest.mark.conformance(*rows))
        for (name, case), rows in zip(
            BAD_TEXTS.items(),
            [
                ["KK-016"],
                ["KK-016", "KK-019"],
                ["KK-022"],
                ["KK-017"],
                ["KK-018"],
                ["KK-018"],
                ["KK-020"],
                ["KK-020"],
                ["KK-005", "KK-013", "KK-014"],
                ["KK-015"],
                ["KK-015"],
            ],
            strict=True,
        )
    ],
)
def test_a_faulty_text_is_refused_with_its_line_and_nothing_is_stored(
    api: ApiClient, text: str, code: str, line: int
) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": text})
    assert error_of(answer) == (400, code, "text")
    assert str(line) in answer.json()["error"]["message"]
    assert len(answer.json()["error"]["errors"]) == 1
    assert api.get(DOCUMENTS).json()["data"] == []


def section(section_id: Any, *parts: Any) -> dict[str, Any]:
    return {"id": section_id, "parts": list(parts)}


def nested(depth: int) -> dict[str, Any]:
    inner = section("s0")
    for number in range(1, depth):
        inner = section(f"s{number}", inner)
    return inner


@pytest.mark.parametrize(
    ("parts", "code", "param"),
    [
        pytest.param([section("")], "section_id_invalid", "parts[0].id", marks=pytest.mark.conformance("KK-012")),
        pytest.param([section(5)], "section_id_invalid", "parts[0].id", marks=pytest.mark.conformance("KK-012")),
        pytest.param([section(None)], "section_id_invalid", "parts[0].id", marks=pytest.mark.conformance("KK-012")),
        pytest.param([section(" a")], "section_id_invalid", "parts[0].id", marks=pytest.mark.conformance("KK-012")),
        pytest.param(
            [section("a" * 201)], "section_id_invalid", "parts[0].id", marks=pytest.mark.conformance("KK-021")
        ),
        pytest.param(
            [section("a", section("b")), section("c", "x", section("b"))],
            "section_repeated",
            "parts[1].parts[1]",
            marks=pytest.mark.conformance("KK-013", "KK-014"),
        ),
        pytest.param(
            [section("a", section("b", section("a")))],
            "section_cycle",
            "parts[0].parts[0].parts[0]",
            marks=pytest.mark.conformance("KK-015"),
        ),
        pytest.param(
            [nested(33)],
            "sections_too_deep",
            ".".join(["parts[0]"] * 33)[:200] + "…",
            marks=pytest.mark.conformance("KK-015"),
        ),
        pytest.param(["x", 5], "part_invalid", "parts[1]", marks=pytest.mark.conformance("KK-011")),
        pytest.param(["x", None], "part_invalid", "parts[1]", marks=pytest.mark.conformance("KK-011")),
        pytest.param(["x", ["y"]], "part_invalid", "parts[1]", marks=pytest.mark.conformance("KK-011")),
        pytest.param([{"id": "a"}], "part_invalid", "parts[0].parts"),
        pytest.param([{"parts": []}], "part_invalid", "parts[0].id"),
        pytest.param([{**section("a"), "title": "x"}], "unknown_field", "parts[0].title"),
        pytest.param("x", "part_invalid", "parts"),
        pytest.param(None, "null", "parts"),
        pytest.param({}, "part_invalid", "parts"),
    ],
)
def test_faulty_parts_are_refused_by_their_path_and_nothing_is_stored(
    api: ApiClient, parts: Any, code: str, param: str
) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "parts": parts})
    assert error_of(answer) == (400, code, param)
    assert len(answer.json()["error"]["errors"]) == 1
    assert api.get(DOCUMENTS).json()["data"] == []


def test_faults_of_fields_and_of_the_text_are_reported_together(api: ApiClient) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"text": "<!-- /agent-section:a -->", "colour": "red"})
    assert {fault["param"]: fault["code"] for fault in answer.json()["error"]["errors"]} == {
        "revision": "required",
        "colour": "unknown_field",
        "text": "section_unopened",
    }


def test_what_is_wrong_is_said_in_arabic_too(api: ApiClient) -> None:
    body = {"revision": "1", "text": "x\n <!-- agent-section:a -->"}
    answer = api.put(f"{DOCUMENTS}/guide", body, accept_language="ar")
    assert answer.json()["error"]["message"].startswith("السطر 2 يشبه علامة قسم وليس كذلك.")


@pytest.mark.conformance("KK-060")
@pytest.mark.parametrize("letter", ["a", "ع", "🌙"])
@pytest.mark.parametrize("form", ["text", "parts"])
def test_a_document_holds_200000_characters_and_no_more(api: ApiClient, letter: str, form: str) -> None:
    whole = {"text": letter * 200_000, "parts": [section("a", letter * 200_000)]}[form]
    more = {"text": letter * 200_001, "parts": [letter, section("a", letter * 200_000)]}[form]
    assert error_of(api.put(f"{DOCUMENTS}/guide", {"revision": "1", form: more})) == (400, "too_long", form)
    assert api.put(f"{DOCUMENTS}/guide", {"revision": "1", form: whole}).json()["char_count"] == 200_000


@pytest.mark.conformance("KK-060")
def test_a_body_past_its_bytes_is_413(api: ApiClient) -> None:
    answer = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": "x" * 5 * 1024 * 1024})
    assert error_of(answer)[:2] == (413, "request_too_large")


def test_a_document_has_5000_sections_at_most(api: ApiClient) -> None:
    parts = [section(f"s{number}") for number in range(5_001)]
    refused = api.put(f"{DOCUMENTS}/guide", {"revision": "1", "parts": parts})
    assert error_of(refused) == (400, "too_many_sections", "parts")
    assert api.put(f"{DOCUMENTS}/guide", {"revision": "1", "parts": parts[1:]}).status_code == 201


# --- listing, reading back, deleting ------------------------------------------------------------------------


@pytest.mark.conformance("KK-006")
def test_documents_are_listed_newest_first_without_their_parts(api: ApiClient, put: Put) -> None:
    put("first")
    put("second")
    listed = api.get(DOCUMENTS).json()["data"]
    assert [document["id"] for document in listed] == ["second", "first"]
    assert listed[0].keys().isdisjoint({"parts", "broken_references"})


def test_lists_can_be_narrowed_and_paged(api: ApiClient, put: Put) -> None:
    put("first", title="Delivery guide")
    put("second", title="Delivery plan", status="draft")
    put("third", title="Prices")
    assert [one["id"] for one in api.get(f"{DOCUMENTS}?q=delivery").json()["data"]] == ["second", "first"]
    assert [one["id"] for one in api.get(f"{DOCUMENTS}?status=draft").json()["data"]] == ["second"]
    page = api.get(f"{DOCUMENTS}?limit=2").json()
    rest = api.get(f"{DOCUMENTS}?limit=2&cursor={page['next_cursor']}").json()
    assert [one["id"] for one in page["data"] + rest["data"]] == ["third", "second", "first"]


@pytest.mark.conformance("KK-042", "KK-050")
def test_documents_of_another_project_do_not_exist(
    api: ApiClient, put: Put, other_api: ApiClient, other_shop: Tenant
) -> None:
    put("guide", text="ours")
    assert error_of(other_api.get(f"{DOCUMENTS}/guide")) == (404, "document_not_found", None)
    assert other_api.get(DOCUMENTS).json()["data"] == []
    put("guide", client=other_api, text="theirs")
    assert api.get(f"{DOCUMENTS}/guide").json()["parts"] == ["ours"]


def test_a_deleted_document_is_gone_and_its_id_is_free(api: ApiClient, put: Put) -> None:
    put(text="one")
    assert api.delete(f"{DOCUMENTS}/guide").status_code == 204
    assert error_of(api.get(f"{DOCUMENTS}/guide")) == (404, "document_not_found", None)
    assert api.put(f"{DOCUMENTS}/guide", {"revision": "1", "text": "another"}).status_code == 201


def test_a_document_that_something_uses_is_only_deleted_with_it(api: ApiClient, put: Put, saved: Saved) -> None:
    put()
    saved.save("guide", "document")
    refused = api.delete(f"{DOCUMENTS}/guide")
    assert error_of(refused) == (409, "document_in_use", None)
    assert "Adviser (agt_1)" in refused.json()["error"]["message"]
    assert api.delete(f"{DOCUMENTS}/guide?detach=true").status_code == 204
    assert saved.selections == {}


def test_documents_count_in_the_usage_of_the_project(api: ApiClient, put: Put) -> None:
    put("first")
    put("second")
    project = api.get("/v1/project").json()
    assert project["usage"]["knowledge_documents"] == 2
    assert project["limits"]["document_characters"] == 200_000
