"""Signing in: bound to this site's form, alike for every wrong pair, and stopped after too many."""

import pytest
import redis
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from pytest_django import Settings

from apps.projects.models import User


@pytest.mark.conformance("A-6")
def test_signing_in_needs_the_form_of_this_site(member: User) -> None:
    client = Client(enforce_csrf_checks=True)

    answer = client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert answer.status_code == 403
    assert "text/html" in answer["Content-Type"]


@pytest.mark.conformance("A-6")
def test_a_wrong_password_and_an_unknown_address_look_alike(member: User) -> None:
    client = Client()

    wrong = client.post("/accounts/login/", {"login": member.email, "password": "not this one"})
    unknown = client.post("/accounts/login/", {"login": "nobody@shop.example", "password": "not this one"})

    assert wrong.status_code == unknown.status_code == 200
    assert wrong.content.decode().count('role="alert"') == unknown.content.decode().count('role="alert"') == 1


def test_people_sign_in_while_redis_is_down(member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(RedisCache, "_cache", property(lambda _: down()))
    client = Client()

    client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert "_auth_user_id" in client.session


@pytest.mark.conformance("A-6")
def test_too_many_failed_logins_are_stopped(member: User) -> None:
    client = Client()
    for _ in range(6):
        client.post("/accounts/login/", {"login": member.email, "password": "not this one"})

    client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(("address", "gets_in"), [("198.51.100.7", False), ("198.51.100.8", True)])
def test_behind_a_proxy_wrong_passwords_of_one_address_stop_no_other(
    member: User, settings: Settings, address: str, gets_in: bool
) -> None:
    settings.TRUSTED_PROXIES = 1
    for number in range(11):
        client = Client(headers={"x-forwarded-for": f"203.0.113.{number}, 198.51.100.7"})
        client.post("/accounts/login/", {"login": f"n{number}@shop.example", "password": "not this one"})
    client = Client(headers={"x-forwarded-for": address})

    client.post("/accounts/login/", {"login": member.email, "password": "a long password"})

    assert ("_auth_user_id" in client.session) is gets_in
