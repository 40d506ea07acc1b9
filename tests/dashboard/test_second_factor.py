"""The second factor: codes of an app and recovery codes, sealed in the database, asked for at every sign-in."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from apps.projects.models import User

PASSWORD = "a long password"
OLD, NEW = "old:" + "A" * 43 + "=", "new:" + "B" * 43 + "="


def signed_in_by_form(person: User) -> Client:
    """Somebody who gave the password, and again where that is enough, as what concerns security wants."""
    client = Client(headers={"accept-language": "en"})
    client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def code_for(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[1])))


def activate(client: Client) -> str:
    """The secret of the app."""
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.findall(r"<code>([A-Z2-7]+)</code>", page)[0]
    client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    return str(secret)


@pytest.fixture
def secret(member: User) -> str:
    return activate(signed_in_by_form(member))


def test_activating_gives_recovery_codes_and_tells_by_mail(
    member: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    client = signed_in_by_form(member)

    with django_capture_on_commit_callbacks(execute=True):
        activate(client)

    assert len(re.findall(r"<li><code>", client.get("/accounts/2fa/recovery-codes/").content.decode())) == 10
    assert [message.subject for message in mail.outbox][:1] == [
        "A change to your account at Mawrid: the second factor was activated"
    ]


def test_a_wrong_code_activates_nothing(member: User) -> None:
    client = signed_in_by_form(member)
    client.get("/accounts/2fa/totp/activate/")

    answer = client.post("/accounts/2fa/totp/activate/", {"code": "000000"})

    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Authenticator.objects.exists()


@pytest.mark.conformance("A-6")
def test_with_it_the_password_alone_lets_nobody_in(member: User, secret: str) -> None:
    client = signed_in_by_form(member)

    assert "_auth_user_id" not in client.session


def test_a_code_of_the_app_completes_signing_in(member: User, secret: str) -> None:
    client = signed_in_by_form(member)
    # The code of this half minute was used up by activating.
    code = format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[2]))

    client.post("/accounts/2fa/authenticate/", {"code": code})

    assert "_auth_user_id" in client.session


def test_a_recovery_code_lets_in_once(member: User, secret: str) -> None:
    codes = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).wrap().get_unused_codes()
    first, second = signed_in_by_form(member), signed_in_by_form(member)

    first.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    second.post("/accounts/2fa/authenticate/", {"code": codes[0]})

    assert ("_auth_user_id" in first.session, "_auth_user_id" in second.session) == (True, False)


@pytest.mark.conformance("A-6")
def test_codes_cannot_be_guessed_through(member: User, secret: str) -> None:
    client = signed_in_by_form(member)
    for guess in range(10):
        client.post("/accounts/2fa/authenticate/", {"code": f"{guess:06}"})

    client.post(
        "/accounts/2fa/authenticate/",
        {"code": format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[2]))},
    )

    assert "_auth_user_id" not in client.session


def test_deactivating_asks_who_is_there(member: User, secret: str) -> None:
    """Signed in long ago is not enough."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")

    answer = client.post("/accounts/2fa/totp/deactivate/")

    assert "/reauthenticate/" in answer["Location"]
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()


def test_the_database_does_not_hold_what_codes_are_made_from(member: User, secret: str) -> None:
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))

    assert secret not in stored


def test_it_outlives_a_replaced_encryption_key(settings: Settings, member: User) -> None:
    settings.ENCRYPTION_KEYS = [OLD]
    activate(signed_in_by_form(member))
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    call_command("rotate_encryption_keys", verbosity=0)
    settings.ENCRYPTION_KEYS = [NEW]

    assert Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).wrap().get_unused_codes()
