"""Owners hear of an endpoint that had to be disabled."""

from collections.abc import Iterator
from smtplib import SMTPServerDisconnected

import pytest
import redis
from django.core import mail
from django.core.mail import EmailMessage
from kombu.exceptions import OperationalError

from apps.projects.models import Project, Role
from apps.projects.scoping import project_scope
from apps.projects.services import update_project
from apps.webhooks import services, tasks
from apps.webhooks.models import DisabledReason, Endpoint
from tests.factories import Tenant, make_member
from tests.webhooks.making import make_endpoint

URL = "https://hooks.example.com/in/a-credential?token=another"
AUTOMATIC = [DisabledReason.GONE, DisabledReason.NO_SUCCESS, DisabledReason.FAILURES_IN_A_ROW]


@pytest.fixture
def endpoint(shop: Tenant) -> Endpoint:
    return make_endpoint(shop, URL)


@pytest.fixture
def owner(shop: Tenant) -> str:
    return make_member(shop, "owner@example.com", Role.OWNER).email


def disable(endpoint: Endpoint, reason: str = DisabledReason.GONE) -> None:
    with project_scope(endpoint.project_id):
        services.disable_endpoint(endpoint, reason, actor="dispatcher")


def tell(endpoint: Endpoint) -> None:
    tasks.tell_owners(endpoint.project_id, endpoint.id)


# --- whether and when ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("reason", AUTOMATIC)
def test_the_owners_are_told_once_it_is_committed(
    endpoint: Endpoint, told: list[tuple[str, str]], reason: str
) -> None:
    with project_scope(endpoint.project_id):
        services.disable_endpoint(endpoint, reason, actor="dispatcher")
        before = list(told)

    assert before == []
    assert told == [(endpoint.project_id, endpoint.id)]


@pytest.mark.django_db(transaction=True)
def test_who_disables_by_hand_needs_no_mail(endpoint: Endpoint, told: list[tuple[str, str]]) -> None:
    disable(endpoint, DisabledReason.MANUAL)

    assert told == []


def test_the_call_goes_to_the_queue_of_webhooks(valkey: "redis.Redis") -> None:
    tasks.have_owners_told("prj_1", "whe_1")

    assert b"tell_owners" in valkey.lrange("webhooks", 0, 0)[0]


def test_without_a_broker_the_call_fails_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr(tasks.tell_owners, "apply_async", refuse)

    tasks.have_owners_told("prj_1", "whe_1")


# --- who ----------------------------------------------------------------------------------------------------


def test_each_owner_gets_a_message_of_their_own_and_nobody_else_one(
    shop: Tenant, other_shop: Tenant, endpoint: Endpoint, owner: str
) -> None:
    make_member(shop, "second@example.com", Role.OWNER)
    make_member(shop, "editor@example.com", Role.EDITOR)
    make_member(other_shop, "stranger@example.com", Role.OWNER)
    disable(endpoint)
    tell(endpoint)

    assert [message.to for message in mail.outbox] == [[owner], ["second@example.com"]]


def test_an_owner_whose_account_is_closed_gets_none(shop: Tenant, endpoint: Endpoint) -> None:
    user = make_member(shop, "gone@example.com", Role.OWNER)
    user.is_active = False
    user.save()
    disable(endpoint)
    tell(endpoint)

    assert mail.outbox == []


@pytest.mark.usefixtures("owner")
def test_an_endpoint_that_somebody_has_enabled_again_is_no_news(endpoint: Endpoint) -> None:
    disable(endpoint)
    with project_scope(endpoint.project_id):
        services.update_endpoint(endpoint, enabled=True, actor="operator")
    tell(endpoint)

    assert mail.outbox == []


@pytest.mark.usefixtures("owner")
def test_a_deleted_endpoint_is_no_news(endpoint: Endpoint) -> None:
    disable(endpoint)
    with project_scope(endpoint.project_id):
        services.delete_endpoint(endpoint, actor="operator")
    tasks.tell_owners(endpoint.project_id, "whe_gone")

    assert mail.outbox == []


# --- what ---------------------------------------------------------------------------------------------------


def in_language(shop: Tenant, locale: str) -> Project:
    with project_scope(shop.id):
        return update_project(shop.project, locale=locale, actor="operator")


WORDS = [
    ("en", DisabledReason.GONE, "Webhooks to hooks.example.com have been stopped", "gone for good (410)"),
    ("en", DisabledReason.NO_SUCCESS, "Webhooks to hooks.example.com have been stopped", "for five days"),
    ("en", DisabledReason.FAILURES_IN_A_ROW, "Webhooks to hooks.example.com have been stopped", "in a row"),
    ("ar", DisabledReason.GONE, "توقف إرسال إشعارات Webhook إلى hooks.example.com", "لم يعد موجودًا"),
    ("ar", DisabledReason.NO_SUCCESS, "توقف إرسال إشعارات Webhook إلى hooks.example.com", "خمسة أيام"),
    ("ar", DisabledReason.FAILURES_IN_A_ROW, "توقف إرسال إشعارات Webhook إلى hooks.example.com", "المتتالية"),
]


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize(("locale", "reason", "subject", "because"), WORDS)
def test_the_message_says_what_happened_and_why_in_the_language_of_the_project(
    shop: Tenant, endpoint: Endpoint, *, locale: str, reason: str, subject: str, because: str
) -> None:
    project = in_language(shop, locale)
    disable(endpoint, reason)
    tell(endpoint)
    (message,) = mail.outbox

    assert message.subject == subject
    assert because in message.body
    assert project.name in message.body
    assert f"/v1/webhook_endpoints/{endpoint.id}" in message.body


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize("part", ["a-credential", "token", "another"])
def test_the_message_shows_nothing_of_the_url_but_its_host(endpoint: Endpoint, part: str) -> None:
    disable(endpoint)
    tell(endpoint)
    (message,) = mail.outbox

    assert part not in f"{message.subject} {message.body}"


# --- when mail does not work --------------------------------------------------------------------------------


@pytest.fixture
def failing_once(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    send = EmailMessage.send
    errors: Iterator[Exception] = iter([request.param])

    def fail_once(message: EmailMessage) -> int:
        for error in errors:
            raise error
        return send(message)

    monkeypatch.setattr(EmailMessage, "send", fail_once)


@pytest.mark.usefixtures("failing_once", "owner")
@pytest.mark.parametrize(
    "failing_once", [SMTPServerDisconnected("gone"), ConnectionRefusedError(), TimeoutError()], indirect=True
)
def test_mail_that_cannot_be_sent_stops_nothing(shop: Tenant, endpoint: Endpoint) -> None:
    make_member(shop, "second@example.com", Role.OWNER)
    disable(endpoint)
    tell(endpoint)

    assert [message.to for message in mail.outbox] == [["second@example.com"]]
