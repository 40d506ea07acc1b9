"""A person's account: sessions on other devices, changing address and password, and what is mailed about it."""

import re

import pytest
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client

from apps.dashboard.accounts.browsers import short_name
from apps.projects.models import User
from tests.factories import make_user

PASSWORD = "a long password"


def on_a_device(person: User, browser: str = "Firefox Linux") -> Client:
    client = Client(headers={"accept-language": "en", "user-agent": browser})
    client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def session_of(client: Client) -> UserSession:
    return UserSession.objects.get(session_key=client.session.session_key)


def test_all_open_sessions_are_listed(member: User) -> None:
    here, _there = on_a_device(member), on_a_device(member, "Chrome Android")

    page = here.get("/accounts/sessions/").content.decode()

    assert "Firefox, Linux" in page
    assert "Chrome, Android" in page


def test_one_session_is_ended(member: User) -> None:
    here, there = on_a_device(member), on_a_device(member)

    here.post(f"/account/sessions/{session_of(there).pk}/end")

    assert (is_in(here), is_in(there)) == (True, False)


def test_all_other_sessions_are_ended(member: User) -> None:
    here, there = on_a_device(member), on_a_device(member)

    here.post("/accounts/sessions/")

    assert (is_in(here), is_in(there)) == (True, False)


@pytest.mark.parametrize("name", ["0", "x", "٣", "9" * 40, "-1"])
def test_a_session_that_is_not_there_is_not_found(member: User, name: str) -> None:
    assert on_a_device(member).post(f"/account/sessions/{name}/end").status_code == 404


def test_nobody_ends_the_session_of_somebody_else(member: User, outsider: User) -> None:
    theirs = on_a_device(outsider)

    answer = on_a_device(member).post(f"/account/sessions/{session_of(theirs).pk}/end")

    assert answer.status_code == 404
    assert is_in(theirs)


def test_a_new_password_ends_the_sessions_elsewhere_and_is_told_by_mail(member: User) -> None:
    here, there = on_a_device(member), on_a_device(member)
    passwords = {"oldpassword": PASSWORD, "password1": "a-new-long-one", "password2": "a-new-long-one"}

    here.post("/accounts/password/change/", passwords)

    assert (is_in(here), is_in(there)) == (True, False)
    assert mail.outbox[-1].subject == "A change to your account at Mawrid: the password was changed"


def test_a_new_address_counts_when_it_is_confirmed(member: User) -> None:
    client = on_a_device(member)
    client.post("/accounts/email/", {"action_add": "", "email": "moved@shop.example"})
    before = User.objects.get(pk=member.pk).email
    link = re.findall(r"http://127\.0\.0\.1:8000(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))[0]

    client.post(link)

    assert (before, User.objects.get(pk=member.pk).email) == (member.email, "moved@shop.example")


@pytest.mark.conformance("A-6")
def test_changing_to_a_taken_address_looks_the_same(member: User) -> None:
    make_user("known@shop.example")
    client = on_a_device(member)

    taken = client.post("/accounts/email/", {"action_add": "", "email": "known@shop.example"})

    assert (taken.status_code, taken["Location"]) == (302, "/accounts/email/")


@pytest.mark.parametrize(
    ("user_agent", "shown"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36",
            "Chrome, Windows",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0", "Edge, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko Firefox/132.0", "Firefox, Mac"),
        (
            "Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36",
            "Samsung Internet, Android",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "?"),
        ("x" * 500, "x" * 60),
    ],
)
def test_a_browser_is_named_so_that_its_owner_knows_it(user_agent: str, shown: str) -> None:
    assert short_name(user_agent) == shown
