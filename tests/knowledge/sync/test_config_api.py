"""What an API source may be told, and what every refusal names."""

from typing import Any

import pytest

from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import TRANSFORM, Feed
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import SOURCES, runs, shown, work

URL = "https://shop.example.com/products.json"
SECRET = {"name": "CATALOG_TOKEN", "value": "unmistakable-81c2", "allowed_hosts": ["shop.example.com"]}


def faults_of(answer: Any) -> set[tuple[str, str]]:
    assert answer.status_code == 400, answer.content.decode()
    return {(fault["code"], fault["param"]) for fault in answer.json()["error"]["errors"]}


def refused(api: ApiClient, config: Any, **fields: Any) -> set[tuple[str, str]]:
    return faults_of(api.post(SOURCES, {"name": "prices", "kind": "api", "config": config, **fields}))


@pytest.fixture
def secret(api: ApiClient) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/secrets", SECRET).json()
    return answer


@pytest.mark.conformance("KA-070")
def test_the_config_of_an_example_creates_a_source(api: ApiClient, secret: dict[str, Any]) -> None:
    transform = {**TRANSFORM, "group_by": "category", "sort_by": "price", "skip_when_zero": "price"}
    config = {
        "url": URL,
        "headers": {"Authorization": "Bearer {{secret.CATALOG_TOKEN}}"},
        "refresh_minutes": 30,
        "transform": {**transform, "max_items": 500, "header": "الأسعار اليوم"},
    }
    created = api.post(SOURCES, {"name": "prices", "kind": "api", "config": config})

    assert created.status_code == 201
    assert created.json()["config"] == config


def test_a_new_source_has_no_content_and_waits_for_its_first_sync(api: ApiClient, create: CreateFeed) -> None:
    created = create()
    listed = api.get(SOURCES).json()["data"][0]

    assert (created["content"], created["revision"], created["chunk_count"]) == (None, None, 0)
    assert created["sync"] == {
        "status": "queued",
        "last_attempt_at": None,
        "last_success_at": None,
        "next_sync_at": None,
        "consecutive_failures": 0,
        "error": None,
    }
    assert listed["sync"] == created["sync"]


@pytest.mark.conformance("KA-076")
def test_a_feed_is_fetched_every_hour_unless_said_otherwise(create: CreateFeed) -> None:
    assert create()["config"]["refresh_minutes"] == 60


@pytest.mark.conformance("KA-075")
@pytest.mark.parametrize("minutes", [15, 1_440])
def test_an_interval_within_the_bounds_is_taken(create: CreateFeed, minutes: int) -> None:
    assert create(config={"refresh_minutes": minutes})["config"]["refresh_minutes"] == minutes


@pytest.mark.conformance("KA-075")
@pytest.mark.parametrize(
    ("minutes", "code"),
    [
        (14, "too_small"),
        (0, "too_small"),
        (1_441, "too_large"),
        (15.5, "not_an_integer"),
        (60.0, "not_an_integer"),
        ("60", "not_an_integer"),
        (True, "not_an_integer"),
        ([60], "not_an_integer"),
    ],
)
def test_an_interval_is_a_whole_number_from_15_to_1440(api: ApiClient, minutes: Any, code: str) -> None:
    assert refused(api, {"url": URL, "refresh_minutes": minutes}) == {(code, "config.refresh_minutes")}


@pytest.mark.conformance("KA-070")
@pytest.mark.parametrize(
    ("config", "faults"),
    [
        ({}, {("required", "config.url")}),
        (None, {("required", "config.url")}),
        ({"url": 5}, {("not_a_string", "config.url")}),
        ({"url": URL, "method": "POST"}, {("unknown_field", "config.method")}),
        ({"url": URL, "format": "csv"}, {("unknown_field", "config.format")}),
        ({"url": URL, "headers": ["x"]}, {("not_an_object", "config.headers")}),
        ({"url": URL, "headers": {"Accept": 5}}, {("not_a_string", "config.headers.Accept")}),
        ({"url": URL, "transform": "x"}, {("not_an_object", "config.transform")}),
        ({"url": URL, "transform": {}}, {("required", "config.transform.line")}),
        ({"url": URL, "transform": {"line": " "}}, {("blank", "config.transform.line")}),
        ({"url": URL, "transform": {"line": "x", "filter": "y"}}, {("unknown_field", "config.transform.filter")}),
        ({"url": URL, "transform": {"line": "x" * 2_001}}, {("too_long", "config.transform.line")}),
        ({"url": URL, "transform": {"line": "x", "max_items": 0}}, {("too_small", "config.transform.max_items")}),
        (
            {"url": URL, "transform": {"line": "x", "max_items": 5_001}},
            {("too_large", "config.transform.max_items")},
        ),
    ],
)
def test_a_faulty_config_is_refused_by_the_path_of_its_field(
    api: ApiClient, config: Any, faults: set[tuple[str, str]]
) -> None:
    assert refused(api, config) == faults


def test_all_faults_are_told_at_once_wherever_they_are(api: ApiClient) -> None:
    config = {
        "url": "http://shop.example.com/",
        "headers": {"X-Token": "abc", "Host": "x"},
        "refresh_minutes": 1,
        "transform": {"max_items": 0},
    }

    assert refused(api, config, name="", complete="yes") == {
        ("blank", "name"),
        ("not_a_boolean", "complete"),
        ("url_refused", "config.url"),
        ("header_needs_secret", "config.headers.X-Token"),
        ("header_refused", "config.headers.Host"),
        ("too_small", "config.refresh_minutes"),
        ("required", "config.transform.line"),
        ("too_small", "config.transform.max_items"),
    }


@pytest.mark.conformance("KA-112")
def test_content_of_an_api_source_cannot_be_posted(api: ApiClient, feed: Feed) -> None:
    assert refused(api, {"url": feed.url}, content="x") == {("content_not_taken", "content")}


@pytest.mark.conformance("KA-112")
def test_content_of_an_api_source_cannot_be_replaced(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source = create()
    work(shop)
    content = shown(api, source["id"])["content"]

    assert faults_of(api.patch(f"{SOURCES}/{source['id']}", {"content": content})) == {
        ("content_not_taken", "content")
    }


@pytest.mark.parametrize("kind", ["text", "catalog"])
def test_every_other_kind_needs_content(api: ApiClient, kind: str) -> None:
    assert faults_of(api.post(SOURCES, {"name": "prices", "kind": kind})) == {("required", "content")}


# --- where a feed may be ------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-095", "KA-096", "KA-097", "C-2", "C-19")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://shop.example.com/", "url_refused"),
        ("ftp://shop.example.com/", "url_refused"),
        ("https://shop.example.com:444/", "url_refused"),
        ("https://shop.example.com:80/", "url_refused"),
        ("https://user:password@shop.example.com/", "url_refused"),
        ("https://localhost/", "url_refused"),
        ("https://intranet/", "url_refused"),
        ("https://2130706433/", "url_refused"),
        ("https://127.0.0.1/", "address_refused"),
        ("https://10.1.2.3:8443/", "address_refused"),
        ("https://169.254.169.254/", "address_refused"),
        ("https://[::1]/", "address_refused"),
        ("", "url_refused"),
    ],
)
def test_a_url_that_may_not_be_called_is_refused_when_it_is_saved(api: ApiClient, url: str, code: str) -> None:
    assert refused(api, {"url": url}) == {(code, "config.url")}


@pytest.mark.conformance("KA-096")
@pytest.mark.parametrize("url", ["https://shop.example.com/", "https://shop.example.com:8443/x?page=1"])
def test_a_public_url_is_taken_without_being_asked(api: ApiClient, url: str) -> None:
    assert api.post(SOURCES, {"name": "prices", "kind": "api", "config": {"url": url}}).status_code == 201


@pytest.mark.conformance("C-19")
def test_a_refusal_does_not_tell_whether_something_listens(api: ApiClient, feed: Feed) -> None:
    """The feed's own port is open; without being trusted it is refused as a closed one is."""
    open_port = feed.url.replace("127.0.0.1", "127.0.0.2")
    closed_port = "http://127.0.0.2:1/products.json"

    answers = [
        api.post(SOURCES, {"name": "x", "kind": "api", "config": {"url": url}}).json()
        for url in (open_port, closed_port)
    ]

    assert answers[0]["error"]["errors"] == answers[1]["error"]["errors"]


# --- headers and secrets ------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-072", "C-15")
@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Authorization", "Bearer abc", "header_needs_secret"),
        ("X-Api-Key", "abc", "header_needs_secret"),
        ("X-Shop", "main", "header_needs_secret"),
        ("X-Api-Key", "password123 {{secret.TOKEN}}", "header_needs_secret"),
        ("X-Api-Key", "{{secret.TOKEN}}password123", "header_needs_secret"),
        ("Authorization", "Bearer abc{{secret.TOKEN}}", "header_needs_secret"),
        ("Host", "other.example.com", "header_refused"),
        ("Cookie", "{{secret.CATALOG_TOKEN}}", "header_refused"),
        ("User-Agent", "{{secret.CATALOG_TOKEN}}", "header_refused"),
        ("X-Forwarded-For", "{{secret.CATALOG_TOKEN}}", "header_refused"),
        ("bad name", "{{secret.CATALOG_TOKEN}}", "header_refused"),
        ("Accept", "text/html\r\nX-Evil: 1", "header_refused"),
        ("Accept", " text/html", "header_refused"),
        ("Authorization", "{{secret.lower}}", "secret_reference_malformed"),
        ("Authorization", "{{env.TOKEN}}", "secret_reference_malformed"),
        ("Authorization", "Bearer {{secret.UNKNOWN}}", "secret_missing"),
    ],
)
def test_a_header_that_may_not_be_sent_is_refused_by_name(
    api: ApiClient, secret: dict[str, Any], name: str, value: str, code: str
) -> None:
    assert (code, f"config.headers.{name}") in refused(api, {"url": URL, "headers": {name: value}})


@pytest.mark.conformance("KA-072")
@pytest.mark.parametrize("name", ["Accept", "accept-language"])
def test_harmless_headers_may_be_literal(create: CreateFeed, name: str) -> None:
    assert create(config={"headers": {name: "ar"}})["config"]["headers"] == {name: "ar"}


def test_more_than_twenty_headers_are_refused_as_a_whole(api: ApiClient, secret: dict[str, Any]) -> None:
    headers = {f"X-{number}": "{{secret.CATALOG_TOKEN}}" for number in range(21)}

    assert refused(api, {"url": URL, "headers": headers}) == {("header_refused", "config.headers")}


@pytest.mark.conformance("KA-073", "C-16", "S-6")
def test_a_secret_for_another_host_is_refused(api: ApiClient, secret: dict[str, Any]) -> None:
    config = {"url": "https://other.example.com/", "headers": {"Authorization": "{{secret.CATALOG_TOKEN}}"}}

    assert refused(api, config) == {("secret_host_not_allowed", "config.headers.Authorization")}


@pytest.mark.conformance("KA-073", "C-16", "S-6")
def test_a_url_cannot_be_moved_away_from_under_its_secret(api: ApiClient, secret: dict[str, Any]) -> None:
    config = {"url": URL, "headers": {"Authorization": "{{secret.CATALOG_TOKEN}}"}}
    source = api.post(SOURCES, {"name": "prices", "kind": "api", "config": config}).json()

    answer = api.patch(f"{SOURCES}/{source['id']}", {"config": {"url": "https://thief.example.com/"}})

    assert faults_of(answer) == {("secret_host_not_allowed", "config.headers.Authorization")}


@pytest.mark.conformance("KA-073")
@pytest.mark.parametrize("host", ["SHOP.example.com", "shop.example.com."])
def test_hosts_are_compared_in_their_canonical_form(api: ApiClient, secret: dict[str, Any], host: str) -> None:
    config = {"url": f"https://{host}/", "headers": {"Authorization": "{{secret.CATALOG_TOKEN}}"}}

    assert api.post(SOURCES, {"name": "prices", "kind": "api", "config": config}).status_code == 201


@pytest.mark.conformance("KA-113")
def test_a_secret_that_a_source_names_cannot_be_deleted(api: ApiClient, secret: dict[str, Any]) -> None:
    config = {"url": URL, "headers": {"Authorization": "{{secret.CATALOG_TOKEN}}"}}
    api.post(SOURCES, {"name": "قائمة المتجر", "kind": "api", "config": config})

    answer = api.delete(f"/v1/secrets/{secret['id']}")

    assert answer.status_code == 409
    assert "قائمة المتجر" in answer.json()["error"]["message"]


def test_a_line_that_looks_like_naming_a_secret_uses_none(api: ApiClient, secret: dict[str, Any]) -> None:
    config = {"url": URL, "transform": {"line": "{{secret.CATALOG_TOKEN}} {name}"}}
    api.post(SOURCES, {"name": "prices", "kind": "api", "config": config})

    assert api.delete(f"/v1/secrets/{secret['id']}").status_code == 204


# --- complete -----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-063", "KA-065")
@pytest.mark.parametrize(("transform", "complete"), [(TRANSFORM, True), (None, False)])
def test_a_feed_is_complete_when_a_transform_says_what_it_is(
    create: CreateFeed, transform: Any, complete: bool
) -> None:
    assert create(config={"transform": transform})["complete"] is complete


@pytest.mark.conformance("KA-066")
@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("transform", [TRANSFORM, None])
def test_what_a_caller_says_of_completeness_holds(
    api: ApiClient, create: CreateFeed, complete: bool, transform: Any
) -> None:
    source = create(complete=complete)
    changed = api.patch(f"{SOURCES}/{source['id']}", {"config": {"transform": transform}}).json()

    assert (source["complete"], changed["complete"]) == (complete, complete)


@pytest.mark.conformance("KA-065")
def test_without_a_word_of_the_caller_completeness_follows_the_transform(
    api: ApiClient, create: CreateFeed
) -> None:
    source = create(config={"transform": None})
    changed = api.patch(f"{SOURCES}/{source['id']}", {"config": {"transform": TRANSFORM}}).json()

    assert (source["complete"], changed["complete"]) == (False, True)


# --- changes ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-109")
def test_a_change_of_config_merges_its_keys_and_replaces_headers_and_transform(
    api: ApiClient, create: CreateFeed, feed: Feed
) -> None:
    source = create(config={"headers": {"Accept": "text/json"}, "refresh_minutes": 30})
    transform = {"items_path": "products", "line": "{name}"}

    changed = api.patch(
        f"{SOURCES}/{source['id']}", {"config": {"headers": {"Accept-Language": "ar"}, "transform": transform}}
    ).json()

    assert changed["config"] == {
        "url": feed.url,
        "headers": {"Accept-Language": "ar"},
        "refresh_minutes": 30,
        "transform": transform,
    }


@pytest.mark.conformance("KA-078", "KA-079")
@pytest.mark.parametrize(
    "change",
    [
        {"config": {"url": "FEED?page=1"}},
        {"config": {"headers": {"Accept-Language": "ar"}}},
        {"config": {"transform": {"items_path": "products", "line": "{name}"}}},
        {"config": {"transform": None}},
    ],
)
def test_a_change_of_what_is_fetched_fetches_at_once(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, change: dict[str, Any]
) -> None:
    source = create()
    work(shop)
    config = {key: feed.url + "?page=1" if key == "url" else value for key, value in change["config"].items()}
    changed = api.patch(f"{SOURCES}/{source['id']}", {"config": config}).json()

    assert changed["sync"]["status"] == "queued"
    assert [run["trigger"] for run in runs(api, source["id"])] == ["config_change", "create"]


@pytest.mark.conformance("KA-079")
@pytest.mark.parametrize(
    "change", [{"name": "أسعار اليوم"}, {"complete": False}, {"config": {"refresh_minutes": 15}}]
)
def test_any_other_change_fetches_nothing(
    api: ApiClient, shop: Tenant, create: CreateFeed, change: dict[str, Any]
) -> None:
    source = create()
    work(shop)
    changed = api.patch(f"{SOURCES}/{source['id']}", change).json()

    assert changed["sync"]["status"] == "ok"
    assert len(runs(api, source["id"])) == 1


def test_the_same_config_again_changes_nothing(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source = create()
    work(shop)
    api.patch(f"{SOURCES}/{source['id']}", {"config": source["config"]})

    assert len(runs(api, source["id"])) == 1


def test_another_interval_moves_the_next_sync(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source = create(config={"refresh_minutes": 1_440})
    work(shop)
    before = shown(api, source["id"])["sync"]["next_sync_at"]
    after = api.patch(f"{SOURCES}/{source['id']}", {"config": {"refresh_minutes": 15}}).json()

    assert after["sync"]["next_sync_at"] < before


# --- previews -----------------------------------------------------------------------------------------------

PREVIEW = f"{SOURCES}/preview_transform"


@pytest.mark.conformance("T-11")
def test_a_preview_shows_the_lines_and_counts(api: ApiClient) -> None:
    sample = b'[{"name": "Oud", "price": 12.50}, {"name": "Musk", "price": 0}, {"name": "Amber", "price": 1e2}]'
    transform = b'{"line": "- {name} {price}", "skip_when_zero": "price", "header": "Today", "max_items": 5}'
    body = b'{"sample": ' + sample + b', "transform": ' + transform + b"}"

    assert api.post(PREVIEW, body).json() == {
        "lines": ["Today", "- Oud 12.50", "- Amber 1e2"],
        "items": 3,
        "skipped": 1,
    }


def test_a_preview_without_a_transform_shows_paths_and_values(api: ApiClient) -> None:
    answer = api.post(PREVIEW, {"sample": {"a": [{"b": 1}]}, "transform": None})

    assert answer.json()["lines"] == ["a.0.b: 1"]


@pytest.mark.parametrize(
    ("sample", "transform", "code", "param"),
    [
        ({"x": 1}, {"items_path": "products", "line": "{name}"}, "items_path_missing", "sample"),
        ([], {"line": "{name}"}, "empty_result", "sample"),
        (None, {"line": "{name}"}, "items_path_missing", "sample"),
        ([{"name": "x"}], {"line": ""}, "blank", "transform.line"),
        ([{"name": "x"}], {"line": "{name}", "max_items": "5"}, "not_an_integer", "transform.max_items"),
        ([{"name": "x"}], "x", "not_an_object", "transform"),
    ],
)
def test_a_preview_refuses_what_a_sync_would_refuse(
    api: ApiClient, sample: Any, transform: Any, code: str, param: str
) -> None:
    assert (code, param) in faults_of(api.post(PREVIEW, {"sample": sample, "transform": transform}))


@pytest.mark.parametrize("body", [{}, {"sample": []}, {"transform": {"line": "x"}}])
def test_a_preview_needs_both(api: ApiClient, body: dict[str, Any]) -> None:
    assert {code for code, _ in faults_of(api.post(PREVIEW, body))} == {"required"}


@pytest.mark.conformance("T-11")
def test_a_preview_takes_numbers_past_every_float_as_a_sync_does(api: ApiClient) -> None:
    answer = api.post(PREVIEW, b'{"sample": [{"n": 1e400}], "transform": {"line": "{n}"}}')

    assert answer.json()["lines"] == ["1e400"]


@pytest.mark.conformance("T-11")
def test_a_preview_refuses_a_sample_that_no_feed_may_answer(api: ApiClient) -> None:
    answer = api.post(PREVIEW, {"sample": ["x" * (1024 * 1024)], "transform": None})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "too_large")


def test_all_faults_of_a_new_source_are_told_at_once(api: ApiClient) -> None:
    config = {
        "url": "http://x",
        "refresh_minutes": 5,
        "headers": {"X-Y": "plain"},
        "transform": {"line": "{a}", "max_items": 0},
        "zz": 1,
    }

    answer = api.post(SOURCES, {"kind": "api", "config": config})

    params = {fault["param"] for fault in answer.json()["error"]["errors"]}
    assert params == {
        "name",
        "config.url",
        "config.refresh_minutes",
        "config.headers.X-Y",
        "config.transform.max_items",
        "config.zz",
    }
