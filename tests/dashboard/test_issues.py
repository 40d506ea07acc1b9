"""What keeps an agent from answering well, in the words of pages: every code in both languages, and nothing raw."""

import re

import pytest

from apps.agents.readiness import SEVERITIES, Issue
from apps.agents.wording import PEOPLE
from apps.dashboard.issues import sentence_of, sentences_of
from tests.dashboard.test_pages import strange_words

VALUES = {
    "name": "Price <b>list",
    "names": "Price list",
    "source_id": "ks_1",
    "document_id": "guide",
    "sections": "delivery, returns",
    "tokens": "9,000",
    "advised": "8,000",
    "units": "50,000",
    "limit": "40,000",
}
each_code = pytest.mark.parametrize("code", sorted({*SEVERITIES, *PEOPLE}))


@each_code
@pytest.mark.parametrize("language", ["ar", "en"])
def test_every_issue_has_a_sentence_in_the_language_of_the_page(code: str, language: str) -> None:
    said = sentence_of(Issue(code, values=VALUES), language)

    assert said
    assert strange_words(said, language) == set()


@each_code
def test_an_issue_in_arabic_has_arabic_digits(code: str) -> None:
    said = re.sub(r"<code>.*?</code>", "", sentence_of(Issue(code, values=VALUES), "ar"))

    assert re.findall(r"[0-9]", said) == []


def test_ids_are_code_and_names_are_escaped() -> None:
    missing = Issue("source_missing", values={"source_id": "ks_1"})
    empty = Issue("knowledge_empty", values={"name": "<script>"})

    said = sentences_of([missing, empty], "en")

    assert "An attached source, <bdi><code>ks_1</code></bdi>, was deleted." in said
    assert "The source <bdi>&lt;script&gt;</bdi> is empty" in said
