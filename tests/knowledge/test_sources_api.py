"""Sources through the API: creating, listing, reading, changing and deleting them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from apps.kernel import hooks
from apps.kernel.ids import is_id, new_id
from apps.knowledge import kinds
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.knowledge.conftest import SOURCES, CreateSource, Search

pytestmark = pytest.mark.django_db


def errors_of(answer: Any) -> dict[str, str]:
    """The code of every faulty field."""
    return {error["param"]: error["code"] for error in answer.json()["error"]["errors"]}


# --- creating -----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-001", "KA-011")
def test_a_source_is_created_with_its_location(api: ApiClient) -> None:
    answer = api.post(SOURCES, {"name": "Price list", "kind": "catalog", "content": "Bakhoor box — 95 SAR"})
    assert answer.status_code == 201
    assert is_id(answer.json()["id"], "ks")
    assert answer["Location"] == f"{SOURCES}/{answer.json()['id']}"


def test_a_new_source_shows_everything_of_itself(create: CreateSource) -> None:
    source = create("بخور — 95\nمسك — 220\n\n", name=" Price list ")
    shown = {name: source[name] for name in ("object", "name", "kind", "complete", "config", "sync", "warnings")}
    assert shown == {
        "object": "knowledge_source",
        "name": "Price list",
        "kind": "catalog",
        "complete": True,
        "config": {"format": "lines"},
        "sync": None,
        "warnings": [],
    }
    assert source["content"] == "بخور — 95\nمسك — 220\n\n"
    assert source["created_at"] == source["updated_at"]


def test_the_revision_is_the_hash_of_the_content_as_served(create: CreateSource) -> None:
    assert create("abc")["revision"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.conformance("KA-022")
def test_the_token_estimate_grows_with_the_content(create: CreateSource) -> None:
    short, long = create("صندوق بخور"), create("صندوق بخور\nدهن عود ملكي فاخر — 450 ريال")
    assert 0 < short["token_estimate"] < long["token_estimate"]


@pytest.mark.conformance("KA-007", "KA-055")
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_catalog_has_one_chunk_a_line(create: CreateSource, line_end: str) -> None:
    assert create(line_end.join(["one", "  two ", "", "\t", "three", "four\u2028still four"]))["chunk_count"] == 4


@pytest.mark.conformance("KA-006")
@pytest.mark.parametrize("letter", ["a", "ع", "🌙"])
def test_a_text_holds_200000_characters_and_no_more(api: ApiClient, letter: str) -> None:
    body = {"name": "Long", "kind": "text", "content": letter * 200_000}
    assert api.post(SOURCES, body).json()["char_count"] == 200_000
    assert errors_of(api.post(SOURCES, {**body, "content": letter * 200_001})) == {"content": "too_long"}


def test_a_catalog_line_holds_2000_characters_and_no_more(api: ApiClient, create: CreateSource) -> None:
    assert create(f"  {'x' * 2_000}  ")["chunk_count"] == 1
    refused = api.post(SOURCES, {"name": "x", "kind": "catalog", "content": "a\n\r\n" + "x" * 2_001})
    assert errors_of(refused) == {"content": "line_too_long"}
    assert "3" in refused.json()["error"]["message"]


@pytest.mark.conformance("KA-111")
def test_a_body_of_5_mib_is_taken_and_a_larger_one_refused(api: ApiClient) -> None:
    head, tail = b'{"name": "n", "kind": "catalog", "content": "', b'"}'
    room = 5 * 1024 * 1024 - len(head) - len(tail)
    content = b"oud oil 12 ml\\n" * (room // 15)
    largest = head + content + b" " * (room - len(content)) + tail
    assert api.post(SOURCES, largest).status_code == 201
    assert api.post(SOURCES, largest + b" ").status_code == 413


@pytest.mark.parametrize("content", ["", " \n\t\r\n ", "\ufeff", "\n"])
@pytest.mark.parametrize("kind", ["text", "catalog"])
def test_content_without_a_chunk_is_empty(api: ApiClient, kind: str, content: str) -> None:
    assert errors_of(api.post(SOURCES, {"name": "x", "kind": kind, "content": content})) == {
        "content": "empty_content"
    }


@pytest.mark.conformance("KA-005", "KA-013")
@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"kind": "url"}, {"kind": "invalid_choice"}),
        ({"kind": None}, {"kind": "null"}),
        ({"kind": 1}, {"kind": "invalid_choice"}),
        ({"name": None}, {"name": "null"}),
        ({"name": ""}, {"name": "blank"}),
        ({"name": "  "}, {"name": "blank"}),
        ({"name": "x" * 201}, {"name": "too_long"}),
        ({"name": "\u200b"}, {"name": "invisible_text"}),
        ({"name": "a\u202eb"}, {"name": "control_character"}),
        ({"content": None}, {"content": "null"}),
        ({"content": 5}, {"content": "not_a_string"}),
        ({"complete": "yes"}, {"complete": "not_a_boolean"}),
        ({"complete": None}, {"complete": "null"}),
        ({"colour": "red"}, {"colour": "unknown_field"}),
        ({"config": []}, {"config": "not_an_object"}),
        ({"config": {"format": "xml"}}, {"config.format": "invalid_choice"}),
        ({"config": {"format": None}}, {"config.format": "null"}),
        ({"config": {"header": 1}}, {"config.header": "not_a_boolean"}),
        ({"config": {"delimiter": "|"}}, {"config.delimiter": "invalid_choice"}),
        ({"config": {"x": 1, "y": 2}}, {"config.x": "unknown_field", "config.y": "unknown_field"}),
        ({"config": {"format": "csv"}, "content": 'a\n"b'}, {"content": "csv_unclosed_quote"}),
        ({"config": {"format": "csv"}, "content": "a,b\n"}, {"content": "empty_content"}),
        ({"kind": "text", "config": {}}, {"config": "config_not_taken"}),
        ({"kind": "text", "config": {"format": "csv"}}, {"config": "config_not_taken"}),
    ],
)
def test_each_faulty_field_is_refused_by_its_path(
    api: ApiClient, change: dict[str, Any], errors: dict[str, str]
) -> None:
    answer = api.post(SOURCES, {"name": "x", "kind": "catalog", "content": "y", **change})
    assert (answer.status_code, errors_of(answer)) == (400, errors)


@pytest.mark.parametrize("missing", ["name", "kind", "content"])
def test_each_needed_field_is_asked_for(api: ApiClient, missing: str) -> None:
    body = {"name": "x", "kind": "catalog", "content": "y"}
    del body[missing]
    assert errors_of(api.post(SOURCES, body)) == {missing: "required"}


def test_all_faulty_fields_are_reported_at_once(api: ApiClient) -> None:
    body = {"name": "", "kind": "catalog", "content": "x" * 2_001, "complete": 1, "config": {"x": 1}, "y": 2}
    assert errors_of(api.post(SOURCES, body)) == {
        "name": "blank",
        "complete": "not_a_boolean",
        "config.x": "unknown_field",
        "y": "unknown_field",
    }
    del body["config"]
    assert errors_of(api.post(SOURCES, body))["content"] == "line_too_long"


def test_nothing_is_written_when_content_is_refused(api: ApiClient) -> None:
    api.post(SOURCES, {"name": "x", "kind": "catalog", "content": ""})
    assert api.get(SOURCES).json()["data"] == []


@pytest.mark.conformance("KA-062", "KA-064")
@pytest.mark.parametrize(("kind", "complete"), [("catalog", True), ("text", False)])
def test_complete_is_assumed_by_kind(create: CreateSource, kind: str, complete: bool) -> None:
    assert create(kind=kind)["complete"] is complete


@pytest.mark.conformance("KA-066")
@pytest.mark.parametrize("kind", ["catalog", "text"])
@pytest.mark.parametrize("complete", [True, False])
def test_complete_can_be_stated_and_stays(api: ApiClient, create: CreateSource, kind: str, complete: bool) -> None:
    source = create(kind=kind, complete=complete)
    changed = api.patch(f"{SOURCES}/{source['id']}", {"content": "something else"})
    assert changed.json()["complete"] is complete


@pytest.mark.parametrize(
    ("content", "config", "warnings"),
    [
        ("a,1\nb,2\nc,3", None, ["looks_like_csv"]),
        ("a,1\nb,2\nc,3", {"format": "csv"}, []),
        ("???? ????? 95", None, ["letters_lost"]),
        ("ةبلع ةيده — لاير 95", None, ["reversed_text"]),
    ],
)
def test_doubts_about_content_are_shown_as_warnings(
    create: CreateSource, content: str, config: dict[str, Any] | None, warnings: list[str]
) -> None:
    assert [warning["code"] for warning in create(content, config=config)["warnings"]] == warnings


@pytest.mark.parametrize(("language", "word"), [("ar", "الأسطر"), ("en", "lines")])
def test_warnings_speak_the_callers_language(
    api: ApiClient, create: CreateSource, language: str, word: str
) -> None:
    source = create("a,1\nb,2\nc,3")
    shown = api.get(f"{SOURCES}/{source['id']}", accept_language=language).json()
    assert word in shown["warnings"][0]["message"]


@pytest.mark.conformance("KA-008", "KA-009")
def test_csv_is_read_by_config_format(create: CreateSource, search: Search) -> None:
    create('الصنف,السعر\n"عود\nملكي",450\n', config={"format": "csv"})
    hit = search("عود")["hits"][0]
    assert (hit["text"], hit["fields"]) == ("عود ملكي — 450", {"الصنف": "عود ملكي", "السعر": "450"})


def test_a_csv_config_shows_what_holds(create: CreateSource) -> None:
    assert create("a;b\nx;y", config={"format": "csv"})["config"] == {"format": "csv", "header": True}


def test_a_retried_post_creates_one_source(api: ApiClient) -> None:
    body = {"name": "x", "kind": "catalog", "content": "y"}
    first, second = (api.post(SOURCES, body, idempotency_key="k1") for _ in range(2))
    assert first.json() == second.json()
    assert len(api.get(SOURCES).json()["data"]) == 1


# --- listing ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-108")
def test_the_list_is_newest_first_and_without_contents(api: ApiClient, create: CreateSource) -> None:
    ids = [create(name=name)["id"] for name in ("first", "second", "third")]
    listed = api.get(SOURCES).json()["data"]
    assert [source["id"] for source in listed] == ids[::-1]
    assert all("content" not in source for source in listed)


def test_the_list_comes_in_pages(api: ApiClient, create: CreateSource) -> None:
    ids = [create(name=name)["id"] for name in ("first", "second", "third")]
    page = api.get(f"{SOURCES}?limit=2").json()
    rest = api.get(f"{SOURCES}?limit=2&cursor={page['next_cursor']}").json()
    assert [source["id"] for source in page["data"] + rest["data"]] == ids[::-1]
    assert (page["has_more"], rest["has_more"], rest["next_cursor"]) == (True, False, None)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("kind=text", ["policy"]),
        ("kind=catalog", ["Prices"]),
        ("q=pric", ["Prices"]),
        ("q=POL", ["policy"]),
        ("q=%25", []),
        ("sync_status=failing", []),
        ("updated_since=2000-01-01T00:00:00Z", ["policy", "Prices"]),
        ("updated_since=2999-01-01T00:00:00Z", []),
    ],
)
def test_filters_narrow_the_list(api: ApiClient, create: CreateSource, query: str, names: list[str]) -> None:
    create(name="Prices")
    create(name="policy", kind="text")
    assert [source["name"] for source in api.get(f"{SOURCES}?{query}").json()["data"]] == names


def test_updated_since_includes_the_moment_itself(api: ApiClient, create: CreateSource) -> None:
    source = create()
    assert api.get(f"{SOURCES}?updated_since={source['updated_at']}").json()["data"]


@pytest.mark.parametrize(
    "query", ["kind=url", "sync_status=great", "updated_since=today", "limit=0", "limit=101", "limit=x", "x=1"]
)
def test_faulty_filters_are_refused(api: ApiClient, query: str) -> None:
    answer = api.get(f"{SOURCES}?{query}")
    assert (answer.status_code, list(errors_of(answer))) == (400, [query.partition("=")[0]])


# --- reading ------------------------------------------------------------------------------------------------


def test_a_source_is_read_as_it_was_created(api: ApiClient, create: CreateSource) -> None:
    source = create()
    assert api.get(f"{SOURCES}/{source['id']}").json() == source


def test_an_unchanged_source_needs_no_second_answer(api: ApiClient, create: CreateSource) -> None:
    path = f"{SOURCES}/{create()['id']}"
    etag = api.get(path)["ETag"]
    assert api.get(path, if_none_match=etag).status_code == 304


@pytest.mark.parametrize("change", [{"name": "other"}, {"content": "other"}, {"complete": False}])
def test_the_etag_moves_with_what_is_shown(api: ApiClient, create: CreateSource, change: dict[str, Any]) -> None:
    path = f"{SOURCES}/{create()['id']}"
    before = api.get(path)["ETag"]
    after = api.patch(path, change)["ETag"]
    assert after != before
    assert api.get(path)["ETag"] == after


def test_the_etag_is_the_same_in_every_language(api: ApiClient, create: CreateSource) -> None:
    source = create("a,1\nb,2\nc,3")
    path = f"{SOURCES}/{source['id']}"
    assert api.get(path, accept_language="ar")["ETag"] == api.get(path, accept_language="en")["ETag"]


@pytest.mark.conformance("KA-002")
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
@pytest.mark.parametrize("tail", ["", "/chunks", "/revisions"])
def test_a_foreign_source_is_like_none(other_api: ApiClient, create: CreateSource, method: str, tail: str) -> None:
    foreign, unknown = create()["id"], new_id("ks")
    answers = [other_api.request(method, f"{SOURCES}/{source_id}{tail}", {}) for source_id in (foreign, unknown)]
    bodies = [{**answer.json()["error"], "request_id": ""} for answer in answers]
    assert answers[0].status_code == answers[1].status_code
    assert bodies[0] == bodies[1]


@pytest.mark.conformance("KA-002")
def test_a_foreign_source_is_not_listed(other_api: ApiClient, create: CreateSource) -> None:
    create()
    assert other_api.get(SOURCES).json()["data"] == []


# --- changing -----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-028", "KA-109")
def test_new_content_moves_updated_at_and_the_revision(
    api: ApiClient, create: CreateSource, search: Search
) -> None:
    source = create("بخور")
    changed = api.patch(f"{SOURCES}/{source['id']}", {"content": "مسك"}).json()
    assert datetime.fromisoformat(changed["updated_at"]) > datetime.fromisoformat(source["updated_at"])
    assert changed["revision"] != source["revision"]
    assert (len(search("مسك")["hits"]), len(search("بخور")["hits"])) == (1, 0)


@pytest.mark.parametrize(
    "change", [{}, {"name": "other"}, {"complete": False}, {"content": "بخور"}, {"config": {}}]
)
def test_anything_else_leaves_updated_at(api: ApiClient, create: CreateSource, change: dict[str, Any]) -> None:
    source = create("بخور")
    changed = api.patch(f"{SOURCES}/{source['id']}", change).json()
    assert (changed["updated_at"], changed["revision"]) == (source["updated_at"], source["revision"])


@pytest.mark.conformance("KA-109")
def test_fields_not_given_stay(api: ApiClient, create: CreateSource) -> None:
    source = create("a,b\nx,y", config={"format": "csv", "delimiter": ","})
    changed = api.patch(f"{SOURCES}/{source['id']}", {"name": "other"}).json()
    assert changed == {**source, "name": "other"}


@pytest.mark.parametrize(
    ("change", "config"),
    [
        ({"header": False}, {"format": "csv", "header": False, "delimiter": ","}),
        ({"delimiter": None}, {"format": "csv", "header": True}),
        ({"format": "lines"}, {"format": "lines", "header": True, "delimiter": ","}),
        (None, {"format": "lines"}),
    ],
)
def test_keys_of_config_are_merged(api: ApiClient, create: CreateSource, change: Any, config: Any) -> None:
    source = create("a,b\nx,y", config={"format": "csv", "delimiter": ","})
    assert api.patch(f"{SOURCES}/{source['id']}", {"config": change}).json()["config"] == config


def test_a_new_config_cuts_the_same_content_anew(api: ApiClient, create: CreateSource, search: Search) -> None:
    source = create("عود,450\nمسك,220\nبخور,95")
    changed = api.patch(f"{SOURCES}/{source['id']}", {"config": {"format": "csv", "header": False}}).json()
    assert (changed["revision"], changed["updated_at"]) == (source["revision"], source["updated_at"])
    assert changed["warnings"] == []
    assert search("عود")["hits"][0]["text"] == "عود — 450"


def test_a_config_that_cannot_read_the_content_changes_nothing(api: ApiClient, create: CreateSource) -> None:
    source = create('"عود\nمسك')
    refused = api.patch(f"{SOURCES}/{source['id']}", {"config": {"format": "csv"}, "name": "other"})
    assert errors_of(refused) == {"content": "csv_unclosed_quote"}
    assert api.get(f"{SOURCES}/{source['id']}").json() == source


@pytest.mark.conformance("KA-109")
def test_the_kind_never_changes(api: ApiClient, create: CreateSource) -> None:
    path = f"{SOURCES}/{create()['id']}"
    assert errors_of(api.patch(path, {"kind": "text"})) == {"kind": "kind_fixed"}
    assert api.patch(path, {"kind": "catalog"}).status_code == 200


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"name": " "}, {"name": "blank"}),
        ({"content": " "}, {"content": "empty_content"}),
        ({"content": None}, {"content": "null"}),
        ({"complete": None}, {"complete": "null"}),
        ({"config": {"url": "https://x.example"}}, {"config.url": "unknown_field"}),
        ({"id": "ks_1", "revision": "x"}, {"id": "unknown_field", "revision": "unknown_field"}),
    ],
)
def test_a_faulty_change_is_refused(
    api: ApiClient, create: CreateSource, change: dict[str, Any], errors: dict[str, str]
) -> None:
    source = create()
    assert errors_of(api.patch(f"{SOURCES}/{source['id']}", change)) == errors
    assert api.get(f"{SOURCES}/{source['id']}").json() == source


def test_a_change_of_something_else_than_was_seen_is_refused(api: ApiClient, create: CreateSource) -> None:
    path = f"{SOURCES}/{create()['id']}"
    seen = api.get(path)["ETag"]
    assert api.patch(path, {"name": "mine"}, if_match=seen).status_code == 200
    assert api.patch(path, {"name": "yours"}, if_match=seen).status_code == 412
    assert api.get(path).json()["name"] == "mine"


# --- deleting -----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-110")
def test_a_deleted_source_is_gone_from_everything(api: ApiClient, create: CreateSource, search: Search) -> None:
    path = f"{SOURCES}/{create()['id']}"
    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404
    assert search("بخور")["hits"] == []


def test_deleting_something_else_than_was_seen_is_refused(api: ApiClient, create: CreateSource) -> None:
    path = f"{SOURCES}/{create()['id']}"
    assert api.delete(path, if_match='"other"').status_code == 412
    assert api.get(path).status_code == 200


@pytest.fixture
def detached() -> Iterator[list[str]]:
    """Pretends that an agent uses every source until it is taken out."""
    taken_out: list[str] = []

    def users(_: str, source_id: str) -> list[hooks.User]:
        return [] if source_id in taken_out else [hooks.User("agt_1", "موظف المبيعات")]

    def take_out(_: str, source_id: str) -> None:
        taken_out.append(source_id)

    hooks.source_users.add(users)
    hooks.source_detachers.add(take_out)
    yield taken_out
    hooks.source_users.remove(users)
    hooks.source_detachers.remove(take_out)


@pytest.mark.conformance("KA-110")
def test_a_source_in_use_is_kept_and_its_users_named(
    api: ApiClient, create: CreateSource, detached: list[str]
) -> None:
    refused = api.delete(f"{SOURCES}/{create()['id']}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "source_in_use")
    assert "موظف المبيعات" in refused.json()["error"]["message"]
    assert detached == []


@pytest.mark.conformance("KA-110")
def test_detaching_takes_the_source_out_before_it_goes(
    api: ApiClient, create: CreateSource, detached: list[str]
) -> None:
    source = create()
    assert api.delete(f"{SOURCES}/{source['id']}?detach=true").status_code == 204
    assert detached == [source["id"]]


# --- keys ---------------------------------------------------------------------------------------------------


@pytest.fixture
def limited(shop: Tenant, create: CreateSource) -> tuple[ApiClient, str, str]:
    """A client whose key is limited to one source, that source, and one it may not touch."""
    own, other = create(name="own")["id"], create(name="other")["id"]
    _, key = make_key(shop, source_ids=[own])
    return ApiClient(key), own, other


def test_a_limited_key_lists_its_sources_only(limited: tuple[ApiClient, str, str]) -> None:
    client, own, _ = limited
    assert [source["id"] for source in client.get(SOURCES).json()["data"]] == [own]


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_limited_key_cannot_tell_another_source_from_none(
    limited: tuple[ApiClient, str, str], method: str
) -> None:
    client, _, other = limited
    answers = [client.request(method, f"{SOURCES}/{source_id}", {}) for source_id in (other, new_id("ks"))]
    errors = [{**answer.json()["error"], "request_id": None} for answer in answers]
    assert errors[0]["code"] == "key_limited_to_sources"
    assert errors[0] == errors[1]


def test_a_limited_key_changes_its_source(limited: tuple[ApiClient, str, str]) -> None:
    client, own, _ = limited
    assert client.patch(f"{SOURCES}/{own}", {"name": "renamed"}).json()["name"] == "renamed"


def test_a_limited_key_cannot_create(limited: tuple[ApiClient, str, str]) -> None:
    client, _, _ = limited
    refused = client.post(SOURCES, {"name": "x", "kind": "catalog", "content": "y"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "key_limited_to_sources")


@pytest.mark.conformance("KA-012")
@pytest.mark.parametrize(
    ("scope", "method", "status"),
    [
        ("read", "GET", 200),
        ("read", "PATCH", 403),
        ("write", "GET", 403),
        ("write", "PATCH", 200),
        ("search", "GET", 403),
    ],
)
def test_each_method_needs_its_scope(
    shop: Tenant, create: CreateSource, scope: str, method: str, status: int
) -> None:
    source = create()
    _, key = make_key(shop, scopes=(scope,))
    assert ApiClient(key).request(method, f"{SOURCES}/{source['id']}", {}).status_code == status


# --- what the project says of it ----------------------------------------------------------------------------


def test_the_project_shows_how_much_it_holds(api: ApiClient, create: CreateSource) -> None:
    create("12345")
    create("123")
    usage = api.get("/v1/project").json()["usage"]
    assert (usage["knowledge_sources"], usage["knowledge_characters"]) == (2, 8)


def test_the_etag_is_the_same_in_both_languages(api: ApiClient) -> None:
    made = api.post("/v1/knowledge_sources", {"name": "a", "kind": "catalog", "content": "??? ????\nعود"}).json()
    path = f"/v1/knowledge_sources/{made['id']}"

    arabic, english = api.get(path, accept_language="ar"), api.get(path, accept_language="en")

    assert arabic.json()["warnings"] != english.json()["warnings"]
    assert arabic["ETag"] == english["ETag"]


@pytest.mark.parametrize("config", [{"format": "lines"}, {"format": "csv", "header": False}])
def test_more_items_than_a_source_takes_are_refused(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch, config: dict[str, Any]
) -> None:
    monkeypatch.setattr(kinds, "MAX_ITEMS", 3)
    body = {"name": "a", "kind": "catalog", "content": "عود\nمسك\nورد\nعنبر", "config": config}

    answer = api.post("/v1/knowledge_sources", body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "too_many_items")
