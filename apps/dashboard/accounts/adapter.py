"""What allauth does in our words: messages and mail in both languages, public links, sealed second factors."""

import base64
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import reverse

from apps.dashboard import digits
from apps.dashboard.language import current_language
from apps.dashboard.texts import Words, words_in
from apps.kernel.errors import CATALOGUE
from apps.projects import errors
from apps.rest.addresses import client_address
from apps.vault import personal

log = structlog.get_logger(__name__)

VERIFIED_EMAIL: Final = "account_verified_email"

# What allauth calls its messages to the next page, and ours; others say what the page shows anyway.
_SAID: Final = frozenset(
    {
        "email_confirmed",
        "email_confirmation_sent",
        "email_confirmation_failed",
        "email_deleted",
        "password_changed",
        "logged_out",
        "sessions_logged_out",
        "totp_activated",
        "totp_deactivated",
        "recovery_codes_generated",
    }
)
# Kinds of mail: our texts, and where its link is in what allauth gives.
_MAILS: Final[Mapping[str, tuple[str, str]]] = {
    "email_confirmation": ("confirm", "activate_url"),
    "email_confirmation_signup": ("confirm", "activate_url"),
    "account_already_exists": ("exists", "password_reset_url"),
    "unknown_account": ("unknown", "signup_url"),
    "password_reset_key": ("reset", "password_reset_url"),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Signing up, mail and messages."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Open to all unless the operator closed it, and then to whoever came by an invitation."""
        return bool(settings.SIGNUP_OPEN or request.session.get(VERIFIED_EMAIL))

    def clean_email(self, email: str) -> str:
        """Where signing up is closed, an invitation lets in the invited address alone."""
        invited = self.request.session.get(VERIFIED_EMAIL)
        if not settings.SIGNUP_OPEN and invited and email.lower() != invited:
            message = CATALOGUE[errors.INVITATION_OF_ANOTHER].message(current_language(), {})
            raise ValidationError(message)
        return email

    def add_message(  # noqa: PLR0917 -- allauth's signature
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: Mapping[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,  # noqa: ARG002 -- allauth gives templates only
    ) -> None:
        name = (message_template or "").rpartition("/")[2].removesuffix(".txt")
        if name in _SAID:
            email = (message_context or {}).get("email", "")
            text = words_in(current_language()).html(f"accounts.said_{name}", email=email)
            messages.add_message(request, level, text, extra_tags=extra_tags)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The one that the API counts by, for limits and for the list of sessions."""
        return client_address(request)

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, Any]) -> None:
        """Mail that cannot be sent is logged, and the next page says so, alike for known and unknown addresses."""
        name = template_prefix.rpartition("/")[2]
        subject, body = _letter(name, context, words_in(current_language()))
        try:
            EmailMessage(subject, body, self.get_from_email(), [email]).send()
        except OSError as error:
            log.warning("account_mail_not_sent", kind=name, error=type(error).__name__)
            messages.error(self.request, words_in(current_language())("accounts.said_mail_failed"))

    def send_notice_of_deletion(self, email: str) -> None:
        """The last mail to somebody whose account is gone."""
        self.send_mail("account_deleted", email, {})

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002 -- allauth's signature
        return reverse("account")


def _letter(name: str, context: Mapping[str, Any], t: Words) -> tuple[str, str]:
    """Subject and text of a mail."""
    if name == "account_deleted":
        return t("accounts.mail_deleted_subject"), t("accounts.mail_deleted")
    if name not in _MAILS:
        return _notice(name, context, t)
    kind, link = _MAILS[name]
    return t(f"accounts.mail_{kind}_subject"), t(f"accounts.mail_{kind}", link=_public(context[link]))


def _notice(name: str, context: Mapping[str, Any], t: Words) -> tuple[str, str]:
    """The mail that tells of a change to an account."""
    key = "password_changed" if name == "password_set" else name
    what = t(f"accounts.notice_{key}")
    body = t(
        "accounts.mail_notice",
        what=what,
        ip=context["ip"],
        user_agent=context["user_agent"],
        at=digits.instant(context["timestamp"], t.language),
        link=_public(reverse("account_reset_password")),
    )
    return t("accounts.mail_notice_subject", what=what), body


def _public(address: str) -> str:
    """An address of ours as the outside reaches it, whatever Host a request named."""
    return settings.PUBLIC_URL + urlsplit(address).path


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc] # allauth ships no types
    """Keeps what codes are made from sealed under the deployment's keys."""

    def encrypt(self, text: str) -> str:
        return base64.b64encode(personal.seal(text)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return personal.open_sealed(base64.b64decode(encrypted_text))
