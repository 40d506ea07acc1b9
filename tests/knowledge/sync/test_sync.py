"""What a sync makes of a source: content, error, runs and events, together or not at all."""

import hashlib
import json
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.knowledge.sync import claims, due, fetching, run, settle
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.fakes.feed import LINES, PRODUCTS, TRANSFORM, Feed, Says, listing
from tests.knowledge.conftest import Search
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import (
    SOURCES,
    change_feed,
    event_types,
    events,
    feed_row,
    lease_runs_out,
    runs,
    shown,
    sync_now,
    tick,
    time_comes,
    work,
)

SECRET = "unmistakable-4d11"
MORE = [*PRODUCTS, {"name": "عنبر", "price": 75, "category": "عود"}]


def synced(create: CreateFeed, shop: Tenant, **fields: Any) -> str:
    """A source whose first sync is done."""
    source_id = str(create(**fields)["id"])
    work(shop)
    return source_id


def with_secret(api: ApiClient, host: str = "127.0.0.1") -> dict[str, str]:
    secret = {"name": "CATALOG_TOKEN", "value": SECRET, "allowed_hosts": [host]}
    assert api.post("/v1/secrets", secret).status_code == 201
    return {"Authorization": "Bearer {{secret.CATALOG_TOKEN}}"}


# --- a good sync --------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-010", "KA-078", "R-2")
def test_the_first_sync_brings_the_content(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source = shown(api, synced(create, shop))

    assert source["content"].split("\n") == LINES
    assert source["revision"] == hashlib.sha256(source["content"].encode()).hexdigest()
    assert source["chunk_count"] == 3
    assert source["sync"]["status"] == "ok"
    assert source["sync"]["error"] is None
    assert source["sync"]["next_sync_at"] > source["sync"]["last_attempt_at"]


@pytest.mark.conformance("KA-010")
def test_a_run_tells_what_it_did(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = synced(create, shop)
    (first,) = runs(api, source_id)

    assert {name: first[name] for name in ("source_id", "trigger", "status", "http_status", "error")} == {
        "source_id": source_id,
        "trigger": "create",
        "status": "succeeded",
        "http_status": 200,
        "error": None,
    }
    assert (first["bytes"], first["items"], first["lines"]) == (len(feed.says.body), 3, 3)
    assert first["revision"] == shown(api, source_id)["revision"]
    assert first["created_at"] <= first["started_at"] <= first["finished_at"]


@pytest.mark.conformance("KA-056", "KA-115")
def test_hits_are_items_with_their_group_and_never_headings(
    api: ApiClient, shop: Tenant, create: CreateFeed, search: Search
) -> None:
    synced(create, shop, config={"transform": {**TRANSFORM, "group_by": "category", "header": "أسعار العود"}})
    hits = search("عود")["hits"]

    assert [(hit["kind"], hit["text"], hit["group"]) for hit in hits] == [
        ("api", "- دهن عود كمبودي — 520 ريال", "عود")
    ]


@pytest.mark.conformance("KA-115")
def test_sources_of_all_kinds_share_one_ranking(
    api: ApiClient, shop: Tenant, create: CreateFeed, search: Search
) -> None:
    synced(create, shop)
    api.post(SOURCES, {"name": "catalog", "kind": "catalog", "content": "بخور"})
    api.post(SOURCES, {"name": "text", "kind": "text", "content": "البخور يصل غدًا إلى كل المدن"})

    assert [hit["kind"] for hit in search("بخور")["hits"]] == ["catalog", "api", "text"]


def test_an_item_that_looks_like_a_heading_is_an_item(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, search: Search
) -> None:
    feed.says = listing([{"name": "### مميز", "price": 1, "category": "أ"}])
    source_id = synced(create, shop, config={"transform": {"items_path": "products", "line": "{name}"}})
    chunks = api.get(f"{SOURCES}/{source_id}/chunks").json()["data"]

    assert [(chunk["text"], chunk["group"]) for chunk in chunks] == [("### مميز", None)]


@pytest.mark.conformance("KA-028")
def test_the_same_content_again_is_unchanged(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    before = shown(api, source_id)
    again = sync_now(api, shop, source_id)
    after = shown(api, source_id)

    assert (again["status"], again["revision"]) == ("unchanged", before["revision"])
    assert after["updated_at"] == before["updated_at"]
    assert after["sync"]["last_success_at"] > before["sync"]["last_success_at"]


@pytest.mark.conformance("KA-028")
def test_another_content_moves_the_source(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = synced(create, shop)
    before = shown(api, source_id)
    feed.says = listing(MORE)
    again = sync_now(api, shop, source_id)
    after = shown(api, source_id)

    assert again["status"] == "succeeded"
    assert after["revision"] == again["revision"] != before["revision"]
    assert after["updated_at"] > before["updated_at"]
    assert [one["origin"] for one in api.get(f"{SOURCES}/{source_id}/revisions").json()["data"]] == ["sync"]


def test_an_etag_survives_a_sync_that_changed_nothing(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    etag = api.get(f"{SOURCES}/{source_id}")["ETag"]
    sync_now(api, shop, source_id)

    assert api.patch(f"{SOURCES}/{source_id}", {"name": "new"}, if_match=etag).status_code == 200


def test_a_good_sync_tells_of_its_news_only(api: ApiClient, shop: Tenant, create: CreateFeed) -> None:
    source_id = synced(create, shop)
    sync_now(api, shop, source_id)
    ((type_, data),) = events(shop)

    assert type_ == "sync_succeeded"
    assert data["source"]["id"] == source_id
    assert not {"content", "config"} & set(data["source"])
    assert data["run"]["status"] == "succeeded"
    assert data["consecutive_failures"] == 0


def test_without_a_transform_every_value_is_a_line(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    feed.says = Says(b'{"shop": {"open": true, "tel": "123"}, "note": ""}')
    source_id = synced(create, shop, config={"transform": None})

    assert shown(api, source_id)["content"] == "shop.open: true\nshop.tel: 123"


@pytest.mark.conformance("T-11")
def test_a_preview_gives_the_lines_of_the_sync(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    transform = {**TRANSFORM, "group_by": "category", "sort_by": "price", "header": "اليوم"}
    source_id = synced(create, shop, config={"transform": transform})
    sample = json.loads(feed.says.body)
    preview = api.post(f"{SOURCES}/preview_transform", {"sample": sample, "transform": transform}).json()

    assert preview["lines"] == shown(api, source_id)["content"].split("\n")


# --- failures -----------------------------------------------------------------------------------------------

FAILURES = [
    (Says(status=500), "http_status", 500),
    (Says(status=404), "http_status", 404),
    (Says(status=304), "http_status", 304),
    (Says(status=302, headers={"Location": "/elsewhere"}), "redirect_refused", 302),
    (Says(b"<html>"), "invalid_json", 200),
    (Says(b'{"items": []}'), "items_path_missing", 200),
    (Says(b'{"products": []}'), "empty_result", 200),
    (Says(b'{"products": [{"title": "x"}]}'), "empty_result", 200),
    (Says(b" " * 1_048_577), "too_large", 200),
    (Says(b"x", headers={"Content-Encoding": "br"}), "invalid_json", 200),
]


@pytest.mark.conformance("KA-098", "KA-099", "KA-100", "KA-101", "KA-102", "KA-103", "KA-104", "R-3", "T-10")
@pytest.mark.parametrize(("says", "code", "http_status"), FAILURES)
def test_a_failure_leaves_the_copy_and_shows_its_error(
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    feed: Feed,
    search: Search,
    *,
    says: Says,
    code: str,
    http_status: int,
) -> None:
    source_id = synced(create, shop)
    before, found_before = shown(api, source_id), search("بخور")["hits"]
    feed.says = says
    failed = sync_now(api, shop, source_id)
    after = shown(api, source_id)

    assert (failed["status"], failed["error"]["code"], failed["http_status"]) == ("failed", code, http_status)
    assert failed["revision"] is None
    assert {**after, "sync": None} == {**before, "sync": None}
    assert search("بخور")["hits"] == found_before
    assert after["sync"]["status"] == "failing"
    assert after["sync"]["consecutive_failures"] == 1
    assert after["sync"]["error"] == {**failed["error"], "at": failed["finished_at"]}


@pytest.mark.conformance("KA-103", "C-9")
def test_a_slow_feed_fails_in_time(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, settings: Any
) -> None:
    settings.SYNC_DEADLINE_SECONDS = 0.2
    source_id = synced(create, shop)
    feed.says = listing(MORE, after=1.0)

    assert sync_now(api, shop, source_id)["error"]["code"] == "timeout"


def test_a_feed_that_is_gone_fails(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = synced(create, shop)
    feed.close()

    assert sync_now(api, shop, source_id)["error"]["code"] == "connection_failed"


@pytest.mark.conformance("C-2", "KA-097")
def test_a_url_that_is_no_longer_allowed_is_not_called(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, settings: Any
) -> None:
    source_id = synced(create, shop)
    settings.OUTBOUND_TRUSTED_ORIGINS = frozenset()

    assert sync_now(api, shop, source_id)["error"]["code"] == "url_refused"
    assert len(feed.asked) == 1


@pytest.mark.conformance("KA-104")
@pytest.mark.parametrize(("language", "expected"), [("ar", "حالة نجاح"), ("en", "success status")])
def test_an_error_is_told_in_the_readers_language(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, *, language: str, expected: str
) -> None:
    feed.says = Says(status=500)
    source_id = synced(create, shop)
    answer = api.get(f"{SOURCES}/{source_id}", accept_language=language).json()

    assert expected in answer["sync"]["error"]["message"]


@pytest.mark.conformance("T-10")
@pytest.mark.parametrize("step", ["apply", "decode_body", "fetch"])
def test_an_unforeseen_error_is_a_failed_run(
    api: ApiClient, shop: Tenant, create: CreateFeed, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    source_id = synced(create, shop)

    def breaks(*_: Any, **__: Any) -> Any:
        raise RecursionError(SECRET)

    monkeypatch.setattr(fetching, step, breaks)

    assert sync_now(api, shop, source_id)["error"]["code"] == "transform_error"
    assert shown(api, source_id)["content"].split("\n") == LINES


@pytest.mark.conformance("KA-105")
def test_every_failed_run_tells_of_itself(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = synced(create, shop)
    feed.says = Says(status=500)
    failed = [sync_now(api, shop, source_id) for _ in range(2)]
    told = events(shop)[1:]

    assert [type_ for type_, _ in told] == ["sync_failed", "sync_failed"]
    assert [data["consecutive_failures"] for _, data in told] == [1, 2]
    assert [data["run"]["id"] for _, data in told] == [one["id"] for one in failed]
    assert told[0][1]["source"]["sync"]["error"]["code"] == "http_status"


@pytest.mark.conformance("KA-107")
@pytest.mark.parametrize(
    ("products", "told"),
    [(PRODUCTS, ["sync_recovered"]), (MORE, ["sync_succeeded", "sync_recovered"])],
)
def test_the_next_good_run_clears_the_error(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, *, products: Any, told: list[str]
) -> None:
    source_id = synced(create, shop)
    feed.says = Says(status=500)
    sync_now(api, shop, source_id)
    feed.says = listing(products)
    sync_now(api, shop, source_id)
    sync = shown(api, source_id)["sync"]

    assert (sync["status"], sync["consecutive_failures"], sync["error"]) == ("ok", 0, None)
    assert event_types(shop) == ["sync_succeeded", "sync_failed", *told]


# --- secrets ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-071", "KA-074", "S-1", "S-2")
def test_a_secret_is_filled_in_when_it_is_sent_and_shows_nowhere(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, caplog: pytest.LogCaptureFixture
) -> None:
    source_id = synced(create, shop, config={"headers": with_secret(api)})

    assert feed.asked[0]["authorization"] == f"Bearer {SECRET}"
    assert feed.asked[0]["accept"] == "application/json"
    assert SECRET not in json.dumps([shown(api, source_id), runs(api, source_id), events(shop)])
    assert SECRET not in caplog.text


@pytest.mark.conformance("KA-071", "KA-073", "C-16", "S-4")
@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE vault_secret SET allowed_hosts = '{other.example.com}'", "secret_host_not_allowed"),
        ("UPDATE vault_secret SET sealed = '\\x00'", "secret_missing"),
        ("DELETE FROM vault_secret", "secret_missing"),
    ],
)
def test_a_secret_that_may_not_be_sent_any_more_sends_nothing(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, *, statement: str, code: str
) -> None:
    source_id = synced(create, shop, config={"headers": with_secret(api)})
    with project_scope(shop.id), connection.cursor() as cursor:
        cursor.execute(statement)
    failed = sync_now(api, shop, source_id)

    assert failed["error"]["code"] == code
    assert "CATALOG_TOKEN" in failed["error"]["message"]
    assert len(feed.asked) == 1


def test_a_header_that_grew_too_long_to_be_sent_names_the_secret(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    headers = {"X-Long": "{{secret.CATALOG_TOKEN}}" * 21}
    with_secret(api)
    secret = api.get("/v1/secrets").json()["data"][0]
    api.patch(f"/v1/secrets/{secret['id']}", {"value": "b" * 200})
    source_id = synced(create, shop, config={"headers": headers})
    (failed,) = runs(api, source_id)

    assert failed["error"]["code"] == "secret_missing"
    assert feed.asked == []


# --- conditional requests -----------------------------------------------------------------------------------

VALIDATORS = {"ETag": '"v1"', "Last-Modified": "Mon, 30 Nov 2026 08:00:00 GMT"}


def test_a_feed_that_has_nothing_new_need_not_send_it(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    feed.says = listing(PRODUCTS, headers=VALIDATORS)
    source_id = synced(create, shop)
    feed.says = Says(b"", status=304)
    again = sync_now(api, shop, source_id)

    assert (feed.asked[1]["if-none-match"], feed.asked[1]["if-modified-since"]) == tuple(VALIDATORS.values())
    assert (again["status"], again["http_status"]) == ("unchanged", 304)
    assert again["revision"] == shown(api, source_id)["revision"]


@pytest.mark.conformance("KA-100")
def test_after_a_change_of_config_the_feed_has_to_send_everything(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    feed.says = listing(PRODUCTS, headers=VALIDATORS)
    source_id = synced(create, shop)
    api.patch(f"{SOURCES}/{source_id}", {"config": {"transform": {"items_path": "products", "line": "{name}"}}})
    work(shop)

    assert "if-none-match" not in feed.asked[1]
    assert shown(api, source_id)["content"].startswith("صندوق بخور\n")


def test_a_validator_that_cannot_be_sent_back_is_forgotten(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    feed.says = listing(PRODUCTS, headers={"ETag": '"' + "x" * 5_000 + '"'})
    source_id = synced(create, shop)
    sync_now(api, shop, source_id)

    assert "if-none-match" not in feed.asked[1]


def test_a_failure_keeps_the_validators_of_the_copy(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    feed.says = listing(PRODUCTS, headers=VALIDATORS)
    source_id = synced(create, shop)
    feed.says = Says(status=500, headers={"ETag": '"error"'})
    sync_now(api, shop, source_id)
    sync_now(api, shop, source_id)

    assert feed.asked[2]["if-none-match"] == '"v1"'


# --- a restored revision ------------------------------------------------------------------------------------


def test_a_restored_content_stays_until_the_feed_changes(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = synced(create, shop, config={"transform": {**TRANSFORM, "group_by": "category"}})
    first = shown(api, source_id)
    feed.says = listing(MORE)
    sync_now(api, shop, source_id)
    api.post(f"{SOURCES}/{source_id}/restore", {"revision": first["revision"]})
    unchanged = sync_now(api, shop, source_id)
    restored = shown(api, source_id)
    feed.says = listing([*MORE, *PRODUCTS])
    sync_now(api, shop, source_id)

    assert unchanged["status"] == "unchanged"
    assert (restored["content"], restored["chunk_count"]) == (first["content"], first["chunk_count"])
    assert shown(api, source_id)["revision"] not in {first["revision"], unchanged["revision"]}


# --- what a feed leaves in doubt ----------------------------------------------------------------------------


def paged(products: list[dict[str, Any]]) -> Says:
    return Says(json.dumps({"products": products, "total": 900}).encode())


def mostly_dropped(products: list[dict[str, Any]]) -> Says:
    return listing([*products, *({"title": "x"} for _ in range(9))])


def linked(products: list[dict[str, Any]]) -> Says:
    return listing(products, headers={"Link": '</products?page=2>; rel="next"'})


@pytest.mark.parametrize(
    ("says", "code"),
    [
        (paged(PRODUCTS), "feed_paged"),
        (linked(PRODUCTS), "feed_paged"),
        (mostly_dropped(PRODUCTS), "items_dropped"),
    ],
)
def test_a_doubtful_answer_is_warned_of_and_spoils_evidence(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, search: Search, *, says: Says, code: str
) -> None:
    feed.says = says
    source_id = synced(create, shop)

    assert [warning["code"] for warning in shown(api, source_id)["warnings"]] == [code]
    assert search("زعفران")["miss"]["reasons"] == [{"code": "source_warning", "source_id": source_id}]


def test_a_doubt_goes_with_the_answer_that_caused_it(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, search: Search
) -> None:
    feed.says = linked(PRODUCTS)
    source_id = synced(create, shop)
    feed.says = listing(PRODUCTS)
    again = sync_now(api, shop, source_id)

    assert again["status"] == "unchanged"
    assert shown(api, source_id)["warnings"] == []
    assert search("زعفران")["miss"]["evidence"]


@pytest.mark.conformance("KA-067")
def test_a_feed_that_was_cut_proves_nothing(
    api: ApiClient, shop: Tenant, create: CreateFeed, search: Search
) -> None:
    source_id = synced(create, shop, config={"transform": {**TRANSFORM, "max_items": 2}})

    assert search("زعفران")["miss"]["reasons"] == [{"code": "items_capped", "source_id": source_id}]


@pytest.mark.conformance("KA-067")
def test_a_feed_that_was_never_read_proves_nothing(create: CreateFeed, search: Search) -> None:
    source_id = create()["id"]
    answer = search("زعفران")

    assert answer["miss"]["reasons"] == [{"code": "never_synced", "source_id": source_id}]
    assert answer["searched_sources"][0]["sync_status"] == "queued"


@pytest.mark.conformance("KA-067")
def test_a_failing_feed_proves_nothing_until_it_recovers(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, search: Search
) -> None:
    source_id = synced(create, shop)
    feed.says = Says(status=500)
    sync_now(api, shop, source_id)
    failing = search("زعفران")["miss"]
    feed.says = listing(PRODUCTS)
    sync_now(api, shop, source_id)

    assert failing["reasons"] == [{"code": "sync_failing", "source_id": source_id}]
    assert search("زعفران")["miss"]["evidence"]


def test_many_sources_show_the_state_of_their_feeds_as_it_is(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, search: Search
) -> None:
    """So many that what is known of them is remembered between two searches."""
    for number in range(20):
        api.post(SOURCES, {"name": f"catalog {number}", "kind": "catalog", "content": "عنبر"})
    source_id = synced(create, shop)
    before = search("زعفران")["miss"]["evidence"]
    feed.says = Says(status=500)
    sync_now(api, shop, source_id)

    assert before
    assert search("زعفران")["miss"]["reasons"] == [{"code": "sync_failing", "source_id": source_id}]


# --- on demand ----------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-080", "R-4")
def test_a_sync_on_demand_answers_with_its_run(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = synced(create, shop)
    answer = api.post(f"{SOURCES}/{source_id}/sync")
    again = api.post(f"{SOURCES}/{source_id}/sync")
    work(shop)

    assert (answer.status_code, again.status_code) == (202, 202)
    assert (answer.json()["status"], answer.json()["trigger"]) == ("queued", "manual")
    assert again.json()["id"] == answer.json()["id"]
    assert len(feed.asked) == 2


@pytest.mark.conformance("KA-080", "R-4")
def test_a_sync_on_demand_joins_the_one_that_is_running(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = create()["id"]
    claimed = claims.claim(shop.id, runs(api, source_id)[0]["id"])
    answer = api.post(f"{SOURCES}/{source_id}/sync").json()

    assert claimed is not None
    assert (answer["id"], answer["status"]) == (claimed.run_id, "running")
    assert shown(api, source_id)["sync"]["status"] == "running"


@pytest.mark.conformance("KA-081")
@pytest.mark.parametrize("kind", ["text", "catalog"])
def test_only_api_sources_can_be_synced(api: ApiClient, kind: str) -> None:
    source = api.post(SOURCES, {"name": "x", "kind": kind, "content": "عود"}).json()
    answer = api.post(f"{SOURCES}/{source['id']}/sync")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not_an_api_source")


def test_a_key_that_only_reads_cannot_sync(shop: Tenant, create: CreateFeed) -> None:
    source_id = create()["id"]
    reader = ApiClient(make_key(shop, scopes=("read",))[1])

    assert reader.post(f"{SOURCES}/{source_id}/sync").status_code == 403
    assert reader.get(f"{SOURCES}/{source_id}/sync_runs").status_code == 200


@pytest.mark.conformance("KA-002", "I-5")
@pytest.mark.parametrize(("method", "path"), [("POST", "sync"), ("GET", "sync_runs")])
def test_another_projects_source_does_not_exist(
    create: CreateFeed, other_api: ApiClient, method: str, path: str
) -> None:
    assert other_api.request(method, f"{SOURCES}/{create()['id']}/{path}").status_code == 404


def test_sources_are_listed_by_how_their_syncs_went(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    good = synced(create, shop)
    feed.says = Says(status=500)
    bad = synced(create, shop)

    assert [one["id"] for one in api.get(f"{SOURCES}?sync_status=ok").json()["data"]] == [good]
    assert [one["id"] for one in api.get(f"{SOURCES}?sync_status=failing").json()["data"]] == [bad]
    assert api.get(f"{SOURCES}?sync_status=never").json()["data"] == []


# --- what happens meanwhile ---------------------------------------------------------------------------------


def in_flight(api: ApiClient, shop: Tenant, source_id: str) -> tuple[Any, Any, Any]:
    """A fetch that is done and not yet written down."""
    claimed = claims.claim(shop.id, runs(api, source_id)[0]["id"])
    assert claimed is not None
    prepared = run._prepare(claimed)
    assert prepared is not None
    return claimed, prepared, run._do(prepared.work)


@pytest.mark.conformance("R-5")
@pytest.mark.parametrize("says", [listing(PRODUCTS), Says(status=500)])
def test_a_result_of_an_edited_config_is_thrown_away_and_fetched_anew(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed, says: Says
) -> None:
    feed.says = says
    source_id = create()["id"]
    claimed, prepared, fetched = in_flight(api, shop, source_id)
    api.patch(f"{SOURCES}/{source_id}", {"config": {"transform": {"items_path": "products", "line": "{name}"}}})
    settle.settle(claimed, fetched, config_version=prepared.config_version)
    thrown_away, next_run = reversed(runs(api, source_id))
    untouched = shown(api, source_id)
    feed.says = listing(PRODUCTS)
    work(shop)

    assert (thrown_away["status"], thrown_away["revision"]) == ("unchanged", None)
    assert (next_run["status"], next_run["trigger"]) == ("queued", "config_change")
    assert (untouched["revision"], untouched["sync"]["status"]) == (None, "queued")
    assert untouched["sync"]["last_success_at"] is None
    assert shown(api, source_id)["content"].startswith("صندوق بخور\n")
    assert event_types(shop) == ["sync_succeeded"]


@pytest.mark.conformance("R-6")
def test_a_result_of_a_deleted_source_writes_nothing(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = create()["id"]
    feed.says = Says(status=500)
    claimed, prepared, fetched = in_flight(api, shop, source_id)
    api.delete(f"{SOURCES}/{source_id}")

    assert not settle.settle(claimed, fetched, config_version=prepared.config_version)
    assert event_types(shop) == []
    assert api.get(f"{SOURCES}/{source_id}").status_code == 404


@pytest.mark.conformance("R-6")
def test_a_source_deleted_before_it_is_fetched_is_not_fetched(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = create()["id"]
    run_id = runs(api, source_id)[0]["id"]
    api.delete(f"{SOURCES}/{source_id}")
    run.run_sync(shop.id, run_id)

    assert feed.asked == []


@pytest.mark.conformance("R-1", "R-10")
def test_who_lost_the_lease_has_nothing_to_say(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = create()["id"]
    claimed, prepared, fetched = in_flight(api, shop, source_id)
    lease_runs_out(shop, source_id)
    feed.says = listing(MORE)
    tick(shop)
    by_another = shown(api, source_id)
    lost = REGISTRY.get_sample_value("mawrid_sync_lost_leases_total") or 0

    assert not settle.settle(claimed, fetched, config_version=prepared.config_version)
    assert REGISTRY.get_sample_value("mawrid_sync_lost_leases_total") == lost + 1
    assert shown(api, source_id) == by_another
    assert len(by_another["content"].split("\n")) == 4


@pytest.mark.conformance("R-1")
def test_a_lost_worker_is_a_failed_run_and_another_follows(
    api: ApiClient, shop: Tenant, create: CreateFeed
) -> None:
    source_id = create()["id"]
    claims.claim(shop.id, runs(api, source_id)[0]["id"])
    lease_runs_out(shop, source_id)
    tick(shop)
    second, lost = runs(api, source_id)

    assert (lost["status"], lost["error"]["code"]) == ("failed", "worker_lost")
    assert (second["status"], second["trigger"]) == ("succeeded", "create")
    assert event_types(shop) == ["sync_failed", "sync_succeeded"]


@pytest.mark.conformance("R-1")
def test_three_lost_workers_in_a_row_are_a_failure_that_waits(
    api: ApiClient, shop: Tenant, create: CreateFeed
) -> None:
    source_id = create()["id"]
    states = []
    for _ in range(3):
        claims.claim(shop.id, runs(api, source_id)[0]["id"])
        lease_runs_out(shop, source_id)
        due.sync_due()
        states.append(shown(api, source_id)["sync"])

    assert [sync["consecutive_failures"] for sync in states] == [0, 0, 1]
    assert [sync["status"] for sync in states] == ["queued", "queued", "failing"]
    assert states[2]["error"]["code"] == "worker_lost"
    assert states[2]["next_sync_at"] > states[2]["last_attempt_at"]


def test_a_run_is_done_once(api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed) -> None:
    source_id = create()["id"]
    run_id = runs(api, source_id)[0]["id"]
    run.run_sync(shop.id, run_id)
    run.run_sync(shop.id, run_id)

    assert len(feed.asked) == 1


# --- on schedule --------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-077")
def test_a_due_source_is_fetched_and_one_that_is_not_due_is_left_alone(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    due_id, other_id = synced(create, shop), synced(create, shop)
    time_comes(shop, due_id)
    tick(shop)

    assert [one["trigger"] for one in runs(api, due_id)] == ["schedule", "create"]
    assert [one["trigger"] for one in runs(api, other_id)] == ["create"]
    assert feed_row(shop, due_id).next_sync_at > timezone.now()  # type: ignore[operator]  # it has one


@pytest.mark.conformance("R-8")
def test_a_failing_source_can_still_be_synced_on_demand(
    api: ApiClient, shop: Tenant, create: CreateFeed, feed: Feed
) -> None:
    source_id = synced(create, shop)
    change_feed(shop, source_id, consecutive_failures=9, status="failing")

    assert sync_now(api, shop, source_id)["status"] == "unchanged"
