"""Pages of webhooks: endpoints, secrets shown once, tests and repeats, and why an endpoint is off."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from apps.projects.models import Role
from apps.projects.scoping import project_scope
from apps.webhooks import services
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint
from tests.dashboard.world import Shop, signed_in

FORM = {"url": "https://shop.example/hook", "events": ["knowledge_source.sync_failed"]}
A_SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{40,}")


@pytest.fixture
def endpoint(shown: Shop) -> Endpoint:
    with project_scope(shown.tenant.id):
        made, _ = services.create_endpoint(
            shown.tenant.id, url="https://shop.example/hook", events=["*"], actor="operator"
        )
    return made


def post(shown: Shop, path: str, form: object = None, role: Role = Role.OWNER) -> HttpResponse:
    return signed_in(shown.people[role]).post(f"/p/{shown.tenant.id}/{path}", form or {})  # type: ignore[return-value]


def get(shown: Shop, path: str) -> str:
    return signed_in(shown.people[Role.OWNER]).get(f"/p/{shown.tenant.id}/{path}").content.decode()


def now_of(shown: Shop, endpoint: Endpoint) -> Endpoint:
    with project_scope(shown.tenant.id):
        return Endpoint.objects.for_project(shown.tenant.id).get(id=endpoint.id)


def deliveries(shown: Shop) -> list[Delivery]:
    with project_scope(shown.tenant.id):
        return list(Delivery.objects.for_project(shown.tenant.id))


def test_a_new_endpoint_shows_its_secret_once(shown: Shop) -> None:
    answer = post(shown, "webhooks/new", FORM)

    found = A_SECRET.search(answer.content.decode())
    assert found
    assert answer["Cache-Control"] == "no-store"
    assert found[0] not in get(shown, "webhooks")


def test_every_event_stands_for_each(shown: Shop) -> None:
    post(shown, "webhooks/new", {**FORM, "events": ["*", "knowledge_source.created"]})

    with project_scope(shown.tenant.id):
        assert Endpoint.objects.for_project(shown.tenant.id).get().events == ["*"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "http://shop.example/hook"}, "url"),
        ({"url": "https://10.0.0.1/hook"}, "url"),
        ({"url": "https://user:pw@shop.example/"}, "url"),
        ({"url": ""}, "url"),
        ({"events": []}, "events"),
        ({"events": ["everything"]}, "events"),
    ],
)
def test_a_wrong_form_makes_no_endpoint(shown: Shop, change: dict[str, object], field: str) -> None:
    page = post(shown, "webhooks/new", {**FORM, **change}).content.decode()

    assert f'id="id_{field}_error"' in page


def test_a_test_is_sent_to_the_endpoint(shown: Shop, endpoint: Endpoint) -> None:
    post(shown, f"webhooks/{endpoint.id}/test", role=Role.EDITOR)

    assert [(sent.endpoint_id, sent.is_test) for sent in deliveries(shown)] == [(endpoint.id, True)]


def test_every_attempt_is_shown_with_its_answer(shown: Shop, endpoint: Endpoint) -> None:
    attempt = {
        "at": timezone.now().isoformat(),
        "http_status": 502,
        "duration_ms": 31,
        "error": "http_status",
        "response": "<b>bad gateway</b>",
    }
    with project_scope(shown.tenant.id):
        sent = services.send_test(endpoint)
        sent.attempts = [attempt]
        sent.save()

    page = get(shown, f"webhooks/{endpoint.id}")

    assert "502" in page
    assert "&lt;b&gt;bad gateway&lt;/b&gt;" in page


def test_a_delivery_is_sent_again(shown: Shop, endpoint: Endpoint) -> None:
    with project_scope(shown.tenant.id):
        sent = services.send_test(endpoint)
        sent.status, sent.next_attempt_at = DeliveryStatus.FAILED, None
        sent.save()

    post(shown, f"deliveries/{sent.id}/retry")

    again = deliveries(shown)[0]
    assert again.status == DeliveryStatus.PENDING
    assert again.next_attempt_at is not None
    assert again.next_attempt_at <= timezone.now() + timedelta(seconds=1)


def test_an_endpoint_that_is_off_says_why_and_can_be_switched_on(shown: Shop, endpoint: Endpoint) -> None:
    with project_scope(shown.tenant.id):
        services.disable_endpoint(endpoint, DisabledReason.GONE, actor="operator")

    assert "answered that it is gone" in get(shown, f"webhooks/{endpoint.id}")
    post(shown, f"webhooks/{endpoint.id}/on")
    assert now_of(shown, endpoint).enabled


def test_switching_off_asks_and_then_does_it(shown: Shop, endpoint: Endpoint) -> None:
    assert "cancelled" in get(shown, f"webhooks/{endpoint.id}/off")
    post(shown, f"webhooks/{endpoint.id}/off")

    assert now_of(shown, endpoint).disabled_reason == DisabledReason.MANUAL


def test_a_new_signing_secret_is_shown_once(shown: Shop, endpoint: Endpoint) -> None:
    answer = post(shown, f"webhooks/{endpoint.id}/rotate")

    assert A_SECRET.search(answer.content.decode())
    assert not A_SECRET.search(get(shown, f"webhooks/{endpoint.id}"))
