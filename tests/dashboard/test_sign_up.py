"""Getting an account: by signing up and confirming the address, or by an invitation; never learning who has one."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from pytest_django import Settings

from apps.projects.models import User
from tests.factories import make_user

SIGN_UP = {"email": "new@shop.example", "password1": "kahraman-and-oud"}


@pytest.fixture
def client(db: None) -> Client:
    return Client(headers={"accept-language": "en"})


def link_in(text: str) -> str:
    """The path of the only link of a mail."""
    found = re.findall(r"http://127\.0\.0\.1:8000(/\S+)", text)
    assert len(found) == 1, text
    return str(found[0])


def test_a_new_person_confirms_the_address_and_creates_a_first_project(client: Client) -> None:
    client.post("/accounts/signup/", SIGN_UP)
    confirmed = client.post(link_in(str(mail.outbox[0].body)), follow=True)

    assert confirmed.redirect_chain[-1][0] == "/projects/new"
    assert "Create your first project" in confirmed.content.decode()
    assert EmailAddress.objects.get(email="new@shop.example").verified


def test_nobody_is_in_before_the_address_is_confirmed(client: Client) -> None:
    answer = client.post("/accounts/signup/", SIGN_UP, follow=True)

    assert "Open your mail" in answer.content.decode()
    assert client.get("/account").status_code == 302


def test_opening_the_link_alone_confirms_nothing(client: Client) -> None:
    """Programs that look at mail before people do open every link."""
    client.post("/accounts/signup/", SIGN_UP)

    client.get(link_in(str(mail.outbox[0].body)))

    assert not EmailAddress.objects.get(email="new@shop.example").verified


@pytest.mark.conformance("A-6")
def test_signing_up_with_a_taken_address_looks_the_same(client: Client) -> None:
    make_user("known@shop.example")

    taken = client.post("/accounts/signup/", {**SIGN_UP, "email": "known@shop.example"})
    free = Client(headers={"accept-language": "en"}).post("/accounts/signup/", SIGN_UP)

    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert [message.to for message in mail.outbox] == [["known@shop.example"], ["new@shop.example"]]
    assert "/accounts/password/reset/" in mail.outbox[0].body


@pytest.mark.conformance("A-6")
def test_resetting_a_password_looks_the_same_for_every_address(client: Client) -> None:
    make_user("known@shop.example")

    known = client.post("/accounts/password/reset/", {"email": "known@shop.example"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@shop.example"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert len(mail.outbox) == 2


def test_a_password_is_reset_by_the_link_in_the_mail(client: Client) -> None:
    person = make_user("known@shop.example")
    client.post("/accounts/password/reset/", {"email": person.email})
    form = client.get(link_in(str(mail.outbox[0].body)), follow=True)

    client.post(form.redirect_chain[-1][0], {"password1": "a-new-long-one", "password2": "a-new-long-one"})

    person.refresh_from_db()
    assert person.check_password("a-new-long-one")


def test_a_link_of_a_reset_works_once(client: Client) -> None:
    person = make_user("known@shop.example")
    client.post("/accounts/password/reset/", {"email": person.email})
    link = link_in(str(mail.outbox[0].body))
    form = client.get(link, follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": "a-new-long-one", "password2": "a-new-long-one"})

    again = Client(headers={"accept-language": "en"}).get(link, follow=True)

    assert "The link does not work" in again.content.decode()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000"])
def test_links_in_mail_lead_to_the_public_address_whatever_host_was_asked(
    client: Client, settings: Settings, host: str
) -> None:
    settings.PUBLIC_URL = "https://mawrid.example"

    client.post("/accounts/signup/", SIGN_UP, headers={"host": host})

    assert "https://mawrid.example/accounts/confirm-email/" in mail.outbox[0].body


def test_mail_is_in_the_language_of_the_page(db: None) -> None:
    Client(headers={"accept-language": "ar"}).post("/accounts/signup/", SIGN_UP)

    assert mail.outbox[0].subject == "أكّد بريدك في مورد"


@pytest.mark.conformance("A-6")
def test_a_deployment_can_keep_signing_up_closed(client: Client, settings: Settings) -> None:
    settings.SIGNUP_OPEN = False

    answer = client.post("/accounts/signup/", SIGN_UP)

    assert "Signing up is closed" in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("new@shop.example", "short"),
        ("new@shop.example", "password123"),
        ("no address", "kahraman-and-oud"),
        ("", ""),
    ],
)
def test_what_cannot_be_an_account_is_refused_at_its_field(client: Client, email: str, password: str) -> None:
    answer = client.post("/accounts/signup/", {"email": email, "password1": password})

    assert 'aria-invalid="true"' in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ar", "كلمة المرور قصيرة. اكتب ١٠ أحرف على الأقل."),
        ("en", "This password is too short. Use at least 10 characters."),
    ],
)
def test_a_short_password_is_refused_in_the_language_of_the_page(db: None, language: str, said: str) -> None:
    client = Client(headers={"accept-language": language})

    assert said in client.post("/accounts/signup/", {**SIGN_UP, "password1": "short"}).content.decode()


def test_mail_that_cannot_be_sent_is_told_and_no_error(client: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    answer = client.post("/accounts/signup/", SIGN_UP, follow=True)

    assert answer.status_code == 200
    assert "The message could not be sent" in answer.content.decode()
