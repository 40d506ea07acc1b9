"""Mail of a machine without a mail server: kept in files, shown to whoever sits there, and to nobody else."""

from pathlib import Path

import pytest
from django.core.mail import send_mail
from pytest_django import Settings

from apps.dashboard import mailbox
from tests.dashboard.world import signed_in


@pytest.fixture
def folder(db: None, settings: Settings, tmp_path: Path) -> Path:
    settings.EMAIL_BACKEND = "apps.dashboard.mailbox.MailboxBackend"
    settings.MAILBOX_DIR = tmp_path / "mail"
    return tmp_path / "mail"


def send(number: int = 1) -> None:
    send_mail(
        f"أكّد بريدك {number}", "افتح http://127.0.0.1:8000/accounts/confirm-email/x:y/", None, ["new@shop.example"]
    )


def test_mail_stands_on_the_page_with_a_link(folder: Path) -> None:
    send()

    page = signed_in(None).get("/mail").content.decode()

    assert "أكّد بريدك 1" in page
    assert 'href="http://127.0.0.1:8000/accounts/confirm-email/x:y/"' in page


def test_the_newest_is_first(folder: Path) -> None:
    send(1)
    send(2)

    assert [message.subject for message in mailbox.kept_messages()] == ["أكّد بريدك 2", "أكّد بريدك 1"]


def test_the_oldest_go_when_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "KEPT_MESSAGES", 2)
    send(1)
    send(2)
    send(3)

    assert [message.subject[-1] for message in mailbox.kept_messages()] == ["3", "2"]


def test_an_empty_mailbox_says_what_will_stand_there(folder: Path) -> None:
    assert "No messages yet" in signed_in(None).get("/mail").content.decode()


@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8::1", "", "no address"])
def test_nobody_reads_it_from_another_machine(folder: Path, address: str) -> None:
    assert signed_in(None).get("/mail", REMOTE_ADDR=address).status_code == 404


@pytest.mark.parametrize(
    ("peer", "forwarded"), [("127.0.0.1", "192.0.2.7"), ("192.0.2.7", "127.0.0.1"), ("192.0.2.7", "::1")]
)
def test_nobody_reads_it_through_a_proxy_or_by_claiming_to_be_one(
    folder: Path, settings: Settings, peer: str, forwarded: str
) -> None:
    settings.TRUSTED_PROXIES = 1

    answer = signed_in(None).get("/mail", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)

    assert answer.status_code == 404


def test_where_mail_is_sent_there_is_no_such_page(db: None) -> None:
    assert signed_in(None).get("/mail").status_code == 404


def test_content_of_mail_is_escaped(folder: Path) -> None:
    send_mail("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", None, ["a@shop.example"])

    page = signed_in(None).get("/mail").content.decode()

    assert "<script>alert" not in page
    assert "<img" not in page


def test_only_our_account_can_read_the_files(folder: Path) -> None:
    send()

    assert oct(folder.stat().st_mode & 0o777) == "0o700"
