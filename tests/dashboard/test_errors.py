"""What goes wrong is a page for people and the envelope for programs, in the reader's language."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.dashboard.world import signed_in

PAGE = "text/html,application/xhtml+xml"


@pytest.mark.parametrize(
    ("path", "accept", "media_type"),
    [
        ("/nowhere", PAGE, "text/html"),
        ("/p/", PAGE, "text/html"),
        ("/nowhere", "*/*", "application/json"),
        ("/nowhere", "application/json", "application/json"),
        ("/v1/nowhere", PAGE, "application/json"),
        ("/agent-api/v1/nowhere", PAGE, "application/json"),
        ("/.well-known/oauth-protected-resource", PAGE, "application/json"),
    ],
)
def test_an_address_without_anything_answers_as_its_reader_wants(
    path: str, accept: str, media_type: str, db: None
) -> None:
    answer = Client(headers={"accept": accept}).get(path)

    assert answer.status_code == 404
    assert answer["Content-Type"].startswith(media_type)


@pytest.mark.parametrize(("language", "text"), [("ar", "لا توجد صفحة هنا"), ("en", "There is no page here")])
def test_a_missing_page_is_told_in_the_readers_language(language: str, text: str, db: None) -> None:
    assert text in signed_in(None, language).get("/nowhere").content.decode()


def test_a_fault_of_ours_gives_the_request_id_and_nothing_else(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("the inside of the service")

    monkeypatch.setattr("apps.dashboard.accounts.views._status", broken)
    client = signed_in(None)
    client.raise_request_exception = False

    answer = client.get("/", headers={"x-request-id": "my-own-id"})

    assert answer.status_code == 500
    assert "my-own-id" in answer.content.decode()
    assert "the inside" not in answer.content.decode()


@pytest.mark.conformance("A-6")
def test_a_form_of_another_site_is_refused_in_words(db: None) -> None:
    client = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})

    answer = client.post("/i18n/setlang/", {"language": "en"})

    assert answer.status_code == 403
    assert "The form has expired" in answer.content.decode()
