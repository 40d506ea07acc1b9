"""One answer of a feed that is being set up: fetched by the rules of syncs, kept for a while, without secrets."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.kernel.errors import AppError
from apps.kernel.hooks import HookPoint
from apps.knowledge import services
from apps.knowledge.models import FeedSample, SampleStatus
from apps.knowledge.sync import claims, samples, wakeup
from apps.knowledge.sync.claims import PER_PROJECT_A_MINUTE
from apps.projects.scoping import project_scope
from apps.vault.services import create_secret
from tests.factories import Tenant
from tests.fakes.feed import PRODUCTS, Feed, Says


@pytest.fixture(autouse=True)
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The samples for which workers were called; none comes."""
    heard: list[str] = []
    callers: HookPoint[Any] = HookPoint("sample_callers")
    callers.add(lambda _, sample_id: heard.append(sample_id))
    monkeypatch.setattr(wakeup, "sample_callers", callers)
    return heard


@pytest.fixture
def in_shop(shop: Tenant) -> Iterator[None]:
    with project_scope(shop.id):
        yield


def requested(tenant: Tenant, feed: Feed, **headers: str) -> str:
    with project_scope(tenant.id):
        return samples.request_sample(tenant.id, url=feed.url, headers=headers).id


def fetched(tenant: Tenant, feed: Feed, **headers: str) -> FeedSample:
    sample_id = requested(tenant, feed, **headers)
    samples.fetch_sample(tenant.id, sample_id)
    return read(tenant, sample_id)


def read(tenant: Tenant, sample_id: str) -> FeedSample:
    with project_scope(tenant.id):
        return samples.get_sample(tenant.id, sample_id)


def change(tenant: Tenant, sample_id: str, **fields: Any) -> None:
    with project_scope(tenant.id):
        FeedSample.objects.for_project(tenant.id).filter(id=sample_id).update(**fields)


def code_of(sample: FeedSample) -> str | None:
    fault = samples.fault_of(sample, timezone.now(), language="en")
    return None if fault is None else fault["code"]


def test_the_answer_is_kept_as_it_came(shop: Tenant, feed: Feed) -> None:
    sample = fetched(shop, feed)

    assert (sample.status, sample.http_status) == (SampleStatus.READY, 200)
    assert [item["name"] for item in samples.value_of(sample)["products"]] == [item["name"] for item in PRODUCTS]


def test_the_feed_is_asked_once(shop: Tenant, feed: Feed) -> None:
    sample = fetched(shop, feed)
    samples.fetch_sample(shop.id, sample.id)

    assert len(feed.asked) == 1


def test_a_worker_is_called_when_it_is_committed(
    shop: Tenant, feed: Feed, called: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        sample_id = requested(shop, feed)

    assert called == [sample_id]


@pytest.mark.conformance("C-16")
def test_a_secret_goes_to_its_host_only_and_is_kept_nowhere(shop: Tenant, feed: Feed) -> None:
    with project_scope(shop.id):
        create_secret(shop.id, name="TOKEN", value="s3cret-value", allowed_hosts=["127.0.0.1"], actor="operator")

    sample = fetched(shop, feed, Authorization="Bearer {{secret.TOKEN}}")

    assert feed.asked[0]["authorization"] == "Bearer s3cret-value"
    assert "s3cret-value" not in str(vars(sample))


@pytest.mark.parametrize(
    ("url", "headers", "param"),
    [
        ("http://shop.example/feed", {}, "config.url"),
        ("https://127.0.0.1/feed", {}, "config.url"),
        ("", {}, "config.url"),
        ("https://shop.example/feed", {"Authorization": "Bearer abc"}, "config.headers.Authorization"),
        ("https://shop.example/feed", {"X-Key": "{{secret.NOBODY}}"}, "config.headers.X-Key"),
    ],
)
def test_what_could_not_be_saved_is_not_fetched(
    in_shop: None, shop: Tenant, url: str, headers: dict[str, str], param: str
) -> None:
    with pytest.raises(AppError) as refused:
        samples.request_sample(shop.id, url=url, headers=headers)

    assert refused.value.errors[0].param == param
    assert not FeedSample.objects.for_project(shop.id).exists()


@pytest.mark.parametrize(
    ("says", "code"),
    [
        (Says(b"<html>", 200), "invalid_json"),
        (Says(b"{}", 503), "http_status"),
        (Says(b"", 302, {"Location": "https://shop.example/"}), "redirect_refused"),
        (Says(b"x" * 1_048_577, 200), "too_large"),
        (Says(b"{}", 200, {"Content-Encoding": "br"}), "invalid_json"),
    ],
)
def test_an_answer_that_a_sync_would_refuse_is_none(shop: Tenant, feed: Feed, says: Says, code: str) -> None:
    feed.says = says

    sample = fetched(shop, feed)

    assert (sample.status, code_of(sample), sample.body) == (SampleStatus.FAILED, code, None)


def test_a_legacy_charset_is_kept_with_the_answer(shop: Tenant, feed: Feed) -> None:
    feed.says = Says(
        '{"name": "عود"}'.encode("cp1256"), 200, {"Content-Type": "application/json; charset=windows-1256"}
    )

    assert samples.value_of(fetched(shop, feed)) == {"name": "عود"}


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("code", [samples.NO_ROOM, samples.NO_WORKER, "worker_lost", "timeout", "transform_error"])
def test_every_fault_has_a_sentence(code: str, language: str) -> None:
    sample = FeedSample(status=SampleStatus.FAILED, error_code=code)

    fault = samples.fault_of(sample, timezone.now(), language=language)

    assert fault is not None
    assert len(fault["message"]) > 20


# --- limits -------------------------------------------------------------------------------------------------


@pytest.mark.conformance("C-22")
def test_a_tenant_has_two_fetches_at_once_samples_among_them(shop: Tenant, feed: Feed) -> None:
    first, second, third = (requested(shop, feed) for _ in range(3))
    claims.claim_sample(shop.id, first)
    claims.claim_sample(shop.id, second)

    samples.fetch_sample(shop.id, third)

    assert code_of(read(shop, third)) == samples.NO_ROOM
    assert feed.asked == []


@pytest.mark.conformance("C-22")
def test_a_host_has_two_fetches_at_once_over_all_tenants(shop: Tenant, other_shop: Tenant, feed: Feed) -> None:
    claims.claim_sample(shop.id, requested(shop, feed))
    claims.claim_sample(other_shop.id, requested(other_shop, feed))

    with pytest.raises(claims.NoRoomError):
        claims.claim_sample(shop.id, requested(shop, feed))


def add_samples(tenant: Tenant, *, created_at: datetime) -> None:
    """As many as may be fetched in a minute, fetched just now."""
    lately = timezone.now() - timedelta(seconds=50)
    with project_scope(tenant.id):
        FeedSample.objects.for_project(tenant.id).bulk_create(
            FeedSample(
                project_id=tenant.id,
                url="x",
                target_host="x",
                status="ready",
                created_at=created_at,
                started_at=lately,
            )
            for _ in range(PER_PROJECT_A_MINUTE)
        )


@pytest.mark.conformance("C-22")
def test_a_tenant_has_sixty_fetches_a_minute_samples_among_them(shop: Tenant, feed: Feed) -> None:
    add_samples(shop, created_at=timezone.now() - timedelta(minutes=2))

    assert code_of(fetched(shop, feed)) == samples.NO_ROOM


def test_more_than_can_be_fetched_are_not_even_queued(shop: Tenant, feed: Feed) -> None:
    add_samples(shop, created_at=timezone.now())

    with pytest.raises(AppError) as refused:
        requested(shop, feed)

    assert refused.value.code == "rate_limited"


def test_a_new_sample_does_not_free_the_minute_of_earlier_ones(shop: Tenant, feed: Feed) -> None:
    fetched(shop, feed)
    fetched(shop, feed)

    with project_scope(shop.id):
        assert FeedSample.objects.for_project(shop.id).exclude(started_at=None).count() == 2


# --- time ---------------------------------------------------------------------------------------------------


def test_only_the_last_answers_are_kept(shop: Tenant, feed: Feed) -> None:
    first = fetched(shop, feed)
    for _ in range(samples.KEPT_BODIES):
        requested(shop, feed)

    with pytest.raises(AppError) as gone:
        samples.value_of(read(shop, first.id))

    assert gone.value.code == "sample_not_found"


def test_who_waits_in_vain_is_told(shop: Tenant, feed: Feed) -> None:
    sample_id = requested(shop, feed)
    change(shop, sample_id, created_at=timezone.now() - samples.GIVEN_UP_AFTER - timedelta(seconds=1))

    assert code_of(read(shop, sample_id)) == samples.NO_WORKER


def test_a_worker_that_never_came_back_is_told(shop: Tenant, feed: Feed) -> None:
    sample_id = requested(shop, feed)
    claims.claim_sample(shop.id, sample_id)
    change(shop, sample_id, lease_until=timezone.now() - timedelta(seconds=1))

    assert code_of(read(shop, sample_id)) == "worker_lost"


def test_a_result_past_its_lease_is_dropped(shop: Tenant, feed: Feed, settings: Settings) -> None:
    settings.SYNC_LEASE_SECONDS = 0

    sample = fetched(shop, feed)

    assert len(feed.asked) == 1
    assert (sample.body, code_of(sample)) == (None, "worker_lost")


def test_samples_are_forgotten_after_an_hour(shop: Tenant, feed: Feed) -> None:
    old, young = fetched(shop, feed), fetched(shop, feed)
    change(shop, old.id, created_at=timezone.now() - services.SAMPLE_KEEPING_TIME - timedelta(seconds=1))

    assert services.forget_old_samples() == 1
    assert read(shop, young.id).id == young.id


# --- tenants ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("I-5")
def test_a_sample_of_another_project_is_no_sample(shop: Tenant, other_shop: Tenant, feed: Feed) -> None:
    sample = fetched(other_shop, feed)

    with project_scope(shop.id), pytest.raises(AppError) as missing:
        samples.get_sample(shop.id, sample.id)

    assert missing.value.code == "sample_not_found"


def test_a_sample_of_a_deleted_project_is_not_fetched(shop: Tenant, feed: Feed) -> None:
    sample_id = requested(shop, feed)
    with project_scope(shop.id):
        FeedSample.objects.for_project(shop.id).delete()

    samples.fetch_sample(shop.id, sample_id)

    assert feed.asked == []
