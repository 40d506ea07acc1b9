"""Uploads through the API: creating a source from a file and replacing its content by one."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.knowledge.conftest import SOURCES, CreateSource, Search

pytestmark = pytest.mark.django_db

CSV = "الصنف,السعر\nصندوق بخور,95\n"


def file(text: str, *, name: str = "list.csv", media_type: str = "text/csv", encoding: str = "utf-8") -> Any:
    return SimpleUploadedFile(name, text.encode(encoding), content_type=media_type)


def upload(api: ApiClient, **fields: Any) -> Any:
    return api.upload("POST", SOURCES, {"name": "قائمة", "kind": "catalog", **fields})


@pytest.mark.conformance("KA-008")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1256"])
def test_a_csv_file_becomes_items_with_fields(api: ApiClient, search: Search, encoding: str) -> None:
    created = upload(api, file=file(CSV, encoding=encoding))
    assert created.status_code == 201
    assert (created.json()["content"], created.json()["config"]) == (CSV, {"format": "csv", "header": True})
    assert search("بخور")["hits"][0]["fields"] == {"الصنف": "صندوق بخور", "السعر": "95"}


def test_a_plain_file_becomes_lines(api: ApiClient) -> None:
    created = upload(api, file=file("a,b\nc,d", name="list.txt", media_type="text/plain")).json()
    assert (created["config"], created["chunk_count"]) == ({"format": "lines"}, 2)


def test_what_excel_browsers_send_follows_its_file_name(api: ApiClient) -> None:
    created = upload(api, file=file(CSV, media_type="application/vnd.ms-excel"))
    assert created.json()["config"]["format"] == "csv"


def test_a_form_may_hold_config_and_complete(api: ApiClient) -> None:
    created = upload(api, file=file("a;b"), config='{"header": false, "delimiter": ";"}', complete="false").json()
    assert created["config"] == {"format": "csv", "header": False, "delimiter": ";"}
    assert created["complete"] is False


def test_a_stated_format_wins_over_the_type_of_the_file(api: ApiClient) -> None:
    assert upload(api, file=file(CSV), config='{"format": "lines"}').json()["chunk_count"] == 2


def test_a_text_source_takes_any_text_file_as_it_is(api: ApiClient) -> None:
    created = upload(api, kind="text", file=file(CSV)).json()
    assert (created["config"], created["content"]) == (None, CSV)


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({}, "file", "required"),
        ({"file": "text"}, "file", "not_a_file"),
        ({"file": file("x", name="x.pdf", media_type="application/pdf")}, "file", "unsupported_file_type"),
        ({"file": file("a\0b")}, "file", "file_not_text"),
        ({"file": file("Größe", encoding="latin-1")}, "file", "unknown_encoding"),
        ({"file": file('a\n"b')}, "content", "csv_unclosed_quote"),
        ({"file": file(" ")}, "content", "empty_content"),
        ({"file": file("a"), "config": "{"}, "config", "invalid_json"),
        ({"file": file("a"), "config": "[]"}, "config", "body_not_an_object"),
        ({"file": file("a"), "config": '{"x": 1}'}, "config.x", "unknown_field"),
        ({"file": file("a"), "complete": "yes"}, "complete", "not_a_boolean"),
        ({"file": file("a"), "content": "b"}, "content", "unknown_field"),
    ],
)
def test_a_faulty_form_is_refused(api: ApiClient, fields: dict[str, Any], param: str, code: str) -> None:
    for value in fields.values():
        getattr(value, "seek", lambda _: None)(0)
    error = upload(api, **fields).json()["error"]
    assert (error["param"], error["code"]) == (param, code)


def test_a_file_replaces_the_content(api: ApiClient, create: CreateSource, search: Search) -> None:
    source = create("مسك")
    replaced = api.upload("PUT", f"{SOURCES}/{source['id']}/content", {"file": file(CSV)})
    assert replaced.status_code == 200
    assert replaced.json()["config"] == {"format": "csv", "header": True}
    assert [hit["text"] for hit in search("بخور")["hits"]] == ["صندوق بخور — 95"]


def test_a_plain_file_leaves_the_config(api: ApiClient, create: CreateSource) -> None:
    source = create("a;b\nx;y", config={"format": "csv", "delimiter": ";"})
    plain = file("a;b\nx;z", name="list.txt", media_type="text/plain")
    replaced = api.upload("PUT", f"{SOURCES}/{source['id']}/content", {"file": plain}).json()
    assert (replaced["config"], replaced["chunk_count"]) == (source["config"], 1)


def test_replacing_something_else_than_was_seen_is_refused(api: ApiClient, create: CreateSource) -> None:
    path = f"{SOURCES}/{create()['id']}/content"
    assert api.upload("PUT", path, {"file": file(CSV)}, if_match='"other"').status_code == 412


def test_content_is_replaced_by_files_only(api: ApiClient, create: CreateSource) -> None:
    assert api.put(f"{SOURCES}/{create()['id']}/content", {"content": "x"}).status_code == 415


def test_a_limited_key_replaces_the_content_of_its_source_only(shop: Tenant, create: CreateSource) -> None:
    own, other = create()["id"], create()["id"]
    client = ApiClient(make_key(shop, source_ids=[own])[1])
    statuses = [
        client.upload("PUT", f"{SOURCES}/{source_id}/content", {"file": file(CSV)}).status_code
        for source_id in (own, other)
    ]
    assert statuses == [200, 403]
