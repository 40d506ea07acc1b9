"""Connecting feeds, trying their set-up on a sample, fetching them, and what is said when that fails."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.kernel.hooks import HookPoint
from apps.knowledge.models import Feed as FeedRow
from apps.knowledge.models import FeedSample, Source, SyncRun
from apps.knowledge.sync import due, run, samples, wakeup
from apps.knowledge.sync.faults import CODES
from apps.outbound import parse_trusted_origins
from apps.projects.models import User
from apps.projects.scoping import project_scope
from apps.vault.services import create_secret
from tests.dashboard.making import Visitor, add_source, change_source, content_of, only_source, read_source
from tests.factories import Tenant
from tests.fakes.feed import LINES, PRODUCTS, TRANSFORM, Feed, Says, listing, running_feed

SAMPLE = json.dumps({"products": PRODUCTS}, ensure_ascii=False)


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


@pytest.fixture
def feed(settings: Settings) -> Iterator[Feed]:
    """A feed on loopback, trusted since that is no public address."""
    with running_feed() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(running.origin)
        yield running


@pytest.fixture(autouse=True)
def _no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is called; the tests do the work themselves."""
    for name in ("sync_callers", "sample_callers"):
        empty: HookPoint[Any] = HookPoint(name)
        monkeypatch.setattr(wakeup, name, empty)


@pytest.fixture
def form(feed: Feed) -> dict[str, Any]:
    return {
        "name": "متجري",
        "url": feed.url,
        "refresh_minutes": "60",
        "header_name": ["", ""],
        "header_value": ["", ""],
        "shape": "lines",
        "items_path": "products",
        "line": "- {name} — {price} ريال",
        "complete": "kind",
    }


def sync(source: Source) -> None:
    """Do what is queued for a source."""
    with project_scope(source.project_id):
        queued = SyncRun.objects.for_project(source.project_id).get(source_id=source.id, status="queued")
    run.run_sync(source.project_id, queued.id)


def synced(visitor: Visitor, form: dict[str, Any], tenant: Tenant) -> Source:
    visitor.send("sources/new_feed", **form)
    source = only_source(tenant)
    sync(source)
    return source


# --- setting up ---------------------------------------------------------------------------------------------


def test_a_feed_is_connected_and_fetched(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    answer = visitor.send("sources/new_feed", **form)
    source = only_source(shop)
    waiting = visitor.see(f"sources/{source.id}")
    sync(source)

    assert answer["Location"] == f"/p/{shop.id}/sources/{source.id}"
    assert "Waiting for a background worker" in waiting
    assert content_of(source) == "\n".join(LINES)
    assert source.complete is True


def test_while_it_is_fetched_the_page_looks_again_by_itself(
    shop: Tenant, visitor: Visitor, form: dict[str, Any]
) -> None:
    visitor.send("sources/new_feed", **form)
    source = only_source(shop)
    before = visitor.see(f"sources/{source.id}")
    sync(source)

    assert 'hx-trigger="every 2s"' in before
    assert 'hx-trigger="every 2s"' not in visitor.see(f"sources/{source.id}")


def test_all_that_the_form_says_is_in_the_config(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    more = {
        "refresh_minutes": "١٥",
        "header_name": ["Accept", ""],
        "header_value": ["text/json", ""],
        "group_by": "category",
        "sort_by": "price",
        "skip_when_zero": "price",
        "max_items": "10",
        "top_line": "أسعار اليوم",
        "complete": "no",
    }

    visitor.send("sources/new_feed", **{**form, **more})

    source = only_source(shop)
    assert source.config == {
        "url": form["url"],
        "headers": {"Accept": "text/json"},
        "refresh_minutes": 15,
        "transform": {
            "items_path": "products",
            "line": "- {name} — {price} ريال",
            "group_by": "category",
            "sort_by": "price",
            "skip_when_zero": "price",
            "max_items": 10,
            "header": "أسعار اليوم",
        },
    }
    assert source.complete is False


def test_every_value_may_be_a_line(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    visitor.send("sources/new_feed", **{**form, "shape": "whole", "line": ""})

    config = only_source(shop).config
    assert config is not None
    assert config["transform"] is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"url": "http://shop.example/feed"}, "The URL must begin with https://."),
        ({"url": "https://10.0.0.1/feed"}, "address"),
        ({"url": ""}, "This field is required."),
        ({"refresh_minutes": "14"}, "This cannot be less than 15."),
        ({"refresh_minutes": "x"}, "Enter a whole number."),
        ({"line": ""}, "This field is required."),
        ({"line": "x" * 2_001}, "at most 2000 characters"),
        ({"max_items": "5001"}, "This cannot be more than 5000."),
        ({"header_name": ["Authorization"], "header_value": ["Bearer abc"]}, "Put this value into a secret"),
        (
            {"header_name": ["X-Key"], "header_value": ["{{secret.NOBODY}}"]},
            "The project has no usable secret named NOBODY",
        ),
        ({"header_name": ["Host"], "header_value": ["x"]}, "This header is set by the service"),
        ({"header_name": ["Accept", "accept"], "header_value": ["a", "b"]}, "This field stands twice."),
    ],
)
def test_what_cannot_be_saved_is_said_at_its_field(
    shop: Tenant, visitor: Visitor, form: dict[str, Any], fields: dict[str, Any], sentence: str
) -> None:
    shown = unescape(visitor.sent("sources/new_feed", **{**form, **fields}))

    assert sentence in shown.partition('class="columns"')[2]


def test_secrets_are_offered_by_name_and_never_shown(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    with project_scope(shop.id):
        create_secret(shop.id, name="TOKEN", value="s3cret-value", allowed_hosts=["127.0.0.1"], actor="operator")
    offered = visitor.see("sources/new_feed")
    headers = {"header_name": ["Authorization"], "header_value": ["Bearer {{secret.TOKEN}}"]}
    source = synced(visitor, {**form, **headers}, shop)

    edited = visitor.see(f"sources/{source.id}/edit")

    assert '<option value="Bearer {{secret.TOKEN}}">' in offered
    assert feed.asked[0]["authorization"] == "Bearer s3cret-value"
    assert 'value="Bearer {{secret.TOKEN}}"' in edited
    assert "s3cret-value" not in offered + edited + visitor.see(f"sources/{source.id}")


# --- trying -------------------------------------------------------------------------------------------------


def test_a_pasted_sample_shows_its_lists_and_fields(visitor: Visitor, form: dict[str, Any]) -> None:
    shown = visitor.sent("sources/new_feed/try", **{**form, "line": "", "sample": SAMPLE})

    assert re.findall(r'data-fills="items_path" data-value="([^"]*)"', shown) == ["products"]
    assert re.findall(r'data-inserts="line" data-value="([^"]*)"', shown) == ["{name}", "{price}", "{category}"]
    assert "<html" not in shown


def test_the_result_is_what_a_sync_would_make(visitor: Visitor, form: dict[str, Any]) -> None:
    shown = visitor.sent("sources/new_feed/try", **{**form, "sample": SAMPLE})

    assert re.findall(r'<p><bdi dir="rtl">(.*?)</bdi></p>', shown) == LINES
    assert "3 lines" in shown


def test_skipped_and_missing_items_are_counted(visitor: Visitor, form: dict[str, Any]) -> None:
    sample = json.dumps({"products": [{"name": "a", "price": 0}, {"other": 1}, {"name": "b", "price": 2}, 5]})

    shown = visitor.sent("sources/new_feed/try", **{**form, "skip_when_zero": "price", "sample": sample})

    assert "4 items in the list" in shown
    assert "2 items skipped" in shown
    assert "1 item without a line" in shown


def test_groups_show_as_headings(visitor: Visitor, form: dict[str, Any]) -> None:
    shown = visitor.sent("sources/new_feed/try", **{**form, "group_by": "category", "sample": SAMPLE})

    assert re.findall(r'<h4><bdi dir="rtl">(.*?)</bdi></h4>', shown) == ["عود", "بخور"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"sample": '{"products":\n [oud]}'}, "not valid JSON in UTF-8: look at line 2, column 3"),
        ({"sample": '"' + "x" * 1_100_000 + '"'}, "This cannot be more than"),
        ({"sample": "{}"}, "The JSON has no list where items_path points."),
        ({"sample": SAMPLE, "line": "{nothing}"}, "No line came out of the JSON."),
        ({"sample": SAMPLE, "max_items": "0"}, "This cannot be less than 1."),
    ],
)
def test_what_a_sync_would_refuse_is_said_in_words(
    visitor: Visitor, form: dict[str, Any], fields: dict[str, str], sentence: str
) -> None:
    assert sentence in unescape(visitor.sent("sources/new_feed/try", **{**form, **fields}))


def test_a_sample_is_fetched_by_a_worker_while_the_page_waits(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    waiting = visitor.sent("sources/new_feed/try", **{**form, "do": "fetch"})
    sample_id = sample_in(waiting)
    samples.fetch_sample(shop.id, sample_id)

    arrived = visitor.sent("sources/new_feed/try", **{**form, "sample_id": sample_id})

    assert 'hx-trigger="every 1s"' in waiting
    assert LINES[0] in arrived
    assert 'hx-trigger="every 1s"' not in arrived
    assert len(feed.asked) == 1


def sample_in(page: str) -> str:
    found = re.search(r'name="sample_id" value="(smp_\w+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.conformance("KA-104")
def test_a_sample_that_cannot_be_fetched_says_why_and_what_to_do(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    feed.says = Says(b"no entrance for you", 403)
    sample_id = sample_in(visitor.sent("sources/new_feed/try", **{**form, "do": "fetch"}))
    samples.fetch_sample(shop.id, sample_id)

    shown = visitor.sent("sources/new_feed/try", **{**form, "sample_id": sample_id})

    assert "status <bdi>403</bdi>" in shown
    assert "What to do: Open the address yourself." in shown
    assert "no entrance" not in shown


def test_what_could_not_be_saved_is_not_fetched(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    shown = visitor.sent("sources/new_feed/try", **{**form, "url": "https://localhost/", "do": "fetch"})

    assert 'role="alert"' in shown
    with project_scope(shop.id):
        assert not FeedSample.objects.for_project(shop.id).exists()


@pytest.mark.conformance("I-5")
def test_a_sample_of_another_project_is_none(
    shop: Tenant, other_shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    with project_scope(other_shop.id):
        foreign = samples.request_sample(other_shop.id, url=feed.url, headers={})
    samples.fetch_sample(other_shop.id, foreign.id)

    shown = visitor.sent("sources/new_feed/try", **{**form, "sample_id": foreign.id})

    assert "This sample of the feed is not kept any more." in shown
    assert LINES[0] not in shown


def test_the_form_is_filled_in_where_that_is_wished(visitor: Visitor, form: dict[str, Any]) -> None:
    empty = {**form, "items_path": "", "line": "", "sample": SAMPLE, "do": "fill"}

    shown = visitor.sent("sources/new_feed", **empty)

    assert 'name="items_path" value="products"' in shown
    assert 'name="line" value="{name} — {price}"' in shown
    assert "صندوق بخور — 95" in shown


def test_without_scripts_trying_forgets_nothing_and_complains_of_nothing(
    visitor: Visitor, form: dict[str, Any]
) -> None:
    shown = visitor.sent("sources/new_feed", **{**form, "name": "", "sample": SAMPLE, "do": "look"})

    assert LINES[0] in shown
    assert 'role="alert"' not in shown
    assert f'value="{form["url"]}"' in shown


@pytest.mark.conformance("U-5")
def test_a_hostile_sample_stays_text(visitor: Visitor, form: dict[str, Any]) -> None:
    sample = json.dumps([{"<script>": "<script>alert(1)</script>", "name": '"><img src=x>', "a{b}": "x"}])

    shown = visitor.sent("sources/new_feed/try", **{**form, "items_path": "", "line": "{name}", "sample": sample})

    assert "<script>" not in shown
    assert "<img" not in shown


# --- a feed that is there -----------------------------------------------------------------------------------


def test_fetching_now_asks_the_feed_again(shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]) -> None:
    source = synced(visitor, form, shop)
    feed.says = listing([{"name": "مسك", "price": 5}])
    visitor.send(f"sources/{source.id}/sync")
    sync(source)

    assert "- مسك — 5 ريال" in visitor.see(f"sources/{source.id}")


@pytest.mark.conformance("KA-104")
def test_a_failed_fetch_is_told_in_plain_words_with_what_to_do(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    source = synced(visitor, form, shop)
    feed.says = Says(b"<h1>secret maintenance</h1>")
    visitor.send(f"sources/{source.id}/sync")
    sync(source)

    shown = visitor.see(f"sources/{source.id}")

    assert "The answer is not valid JSON" in shown
    assert "What to do: The address answers with a page or text, not with data." in shown
    assert "The last good content stays as it is" in shown
    assert "secret maintenance" not in shown
    assert LINES[0] in shown


# What the sentences of some codes need.
DETAILS: dict[str, dict[str, str]] = {
    "items_path_missing": {"part": "text"},
    "empty_result": {"part": "text"},
    "secret_missing": {"name": "TOKEN"},
    "secret_host_not_allowed": {"name": "TOKEN", "host": "shop.example"},
}


def test_a_refusal_of_the_feed_is_told_with_its_status(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    feed.says = Says(b"{}", 403)
    source = synced(visitor, form, shop)

    assert "status <bdi>403</bdi>" in visitor.see(f"sources/{source.id}").partition('role="alert"')[2]
    assert "status <bdi>403</bdi>" in visitor.see(f"sources/{source.id}/runs")


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("code", CODES)
def test_every_error_has_advice(
    shop: Tenant, member: User, form: dict[str, Any], *, code: str, language: str
) -> None:
    visitor = Visitor(shop, member, language)
    visitor.send("sources/new_feed", **form)
    source = only_source(shop)
    with project_scope(shop.id):
        FeedRow.objects.for_project(shop.id).update(
            status="failing",
            error_code=code,
            error_detail=DETAILS.get(code, {}),
            error_at=timezone.now(),
            consecutive_failures=2,
        )

    shown = visitor.see(f"sources/{source.id}")

    assert {"ar": "ما العمل: ", "en": "What to do: "}[language] in shown
    assert {"ar": "محاولتان فاشلتان", "en": "2 failures in a row"}[language] in shown


def test_the_record_shows_every_run(shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]) -> None:
    source = synced(visitor, form, shop)
    for says in (feed.says, Says(b"{}", 500)):
        feed.says = says
        visitor.send(f"sources/{source.id}/sync")
        sync(source)

    shown = visitor.see(f"sources/{source.id}/runs")

    outcomes = re.findall(r'<td data-label="Outcome"><div><span class="badge[^"]*">([^<]*)<', shown)
    assert outcomes == ["Failed", "Nothing new", "New content"]
    assert shown.count('<rect class="bar') == 3
    assert "The last 3 fetches: 2 good, 1 failed." in shown


def test_only_feeds_have_a_record_of_fetches(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    assert visitor.ask(f"sources/{source.id}/runs").status_code == 400
    assert visitor.send(f"sources/{source.id}/sync").status_code == 400


def test_a_changed_line_is_fetched_anew_and_a_changed_name_is_not(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    source = synced(visitor, form, shop)
    address = f"sources/{source.id}/edit"
    visitor.send(address, **{**form, "seen": seen_in(visitor.see(address)), "name": "other", "complete": "yes"})
    visitor.send(address, **{**form, "seen": seen_in(visitor.see(address)), "line": "{name}", "complete": "yes"})

    with project_scope(shop.id):
        triggers = SyncRun.objects.for_project(shop.id).order_by("created_at").values_list("trigger", flat=True)
        assert list(triggers) == ["create", "config_change"]
    assert read_source(source).name == "متجري"


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found is not None
    return unescape(found[1])


def test_news_of_the_feed_are_no_conflict_with_an_edit(
    shop: Tenant, visitor: Visitor, feed: Feed, form: dict[str, Any]
) -> None:
    source = synced(visitor, form, shop)
    seen = seen_in(visitor.see(f"sources/{source.id}/edit"))
    feed.says = listing([{"name": "مسك", "price": 5}])
    visitor.send(f"sources/{source.id}/sync")
    sync(source)

    answer = visitor.send(f"sources/{source.id}/edit", **{**form, "seen": seen, "complete": "yes"})

    assert answer.status_code == 302


def test_two_edits_of_a_set_up_are_a_conflict(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    source = synced(visitor, form, shop)
    seen = seen_in(visitor.see(f"sources/{source.id}/edit"))
    change_source(source, config={"refresh_minutes": 30})

    answer = visitor.send(f"sources/{source.id}/edit", **{**form, "seen": seen, "complete": "yes"})

    assert answer.status_code == 409
    assert "<del><bdi>30</bdi></del> <ins><bdi>60</bdi></ins>" in answer.content.decode()


def test_the_editor_shows_the_set_up_as_it_is(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    source = synced(visitor, form, shop)

    shown = visitor.see(f"sources/{source.id}/edit")

    assert "Live: applies to all versions" in shown
    assert f'name="url" value="{form["url"]}"' in shown
    assert f'name="line" value="{TRANSFORM["line"]}"' in shown
    assert "open" not in shown.partition('class="fold"')[2].partition(">")[0]


def test_a_lost_worker_is_told(shop: Tenant, visitor: Visitor, form: dict[str, Any]) -> None:
    visitor.send("sources/new_feed", **form)
    source = only_source(shop)
    with project_scope(shop.id):
        long_ago = timezone.now() - timedelta(hours=1)
        SyncRun.objects.for_project(shop.id).update(status="running", started_at=long_ago)
        FeedRow.objects.for_project(shop.id).update(
            status="running", lease_token="x", lease_until=long_ago, lost_claims=2
        )
    due.close_lost_runs(timezone.now())

    assert "The worker that ran this sync was lost" in visitor.see(f"sources/{source.id}")
