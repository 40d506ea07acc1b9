"""Mail on a machine without a mail server: kept as files in `MAILBOX_DIR`, and shown on a page."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import HttpRequest
from django.utils import timezone

from apps.rest.addresses import client_address

KEPT_MESSAGES: Final = 100
_TIME: Final = "%Y%m%dT%H%M%S%f"


class MailboxBackend(BaseEmailBackend):
    """Writes each message to a file of its own; the oldest go when there are too many."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for message in email_messages:
            name = f"{timezone.now():{_TIME}}-{secrets.token_hex(4)}"
            unfinished = folder / f"{name}.part"
            unfinished.write_bytes(message.message().as_bytes())
            unfinished.rename(folder / f"{name}.eml")
        for old in _newest_first()[KEPT_MESSAGES:]:
            old.unlink(missing_ok=True)
        return len(email_messages)


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message as the page shows it."""

    recipient: str
    subject: str
    at: datetime
    text: str


def kept_messages() -> list[KeptMessage]:
    """The newest first."""
    shown = []
    for path in _newest_first():
        with suppress(FileNotFoundError):  # Another process may have thrown it away just now.
            shown.append(_read(path))
    return shown


def is_open_to(request: HttpRequest) -> bool:
    """Only where mail is kept at all, and for whoever sits at this machine: mail lets people into accounts."""
    if settings.MAILBOX_DIR is None:
        return False
    # Not for others behind a proxy on this machine, nor for who reaches it from elsewhere and claims to be here.
    return _is_here(request.META.get("REMOTE_ADDR", "")) and _is_here(client_address(request))


def _is_here(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _read(path: Path) -> KeptMessage:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    return KeptMessage(
        recipient=str(message["To"]),
        subject=str(message["Subject"]),
        at=datetime.strptime(path.name.partition("-")[0], _TIME).replace(tzinfo=UTC),
        text="" if body is None else body.get_content(),
    )


def _newest_first() -> list[Path]:
    return sorted(_folder().glob("*.eml"), reverse=True)


def _folder() -> Path:
    assert settings.MAILBOX_DIR is not None  # noqa: S101 -- set together with this backend
    return Path(settings.MAILBOX_DIR)
