"""The contents that a source had: what changed, and making one of them current again."""

import re

import pytest

from apps.knowledge.models import Source
from apps.projects.models import AuditEntry, User
from apps.projects.scoping import project_scope
from tests.dashboard.making import PRICES, Visitor, add_source, change_source, content_of, read_source
from tests.factories import Tenant

NEWER = PRICES.replace("95", "101") + "\nمسك أبيض — 220 ريال"


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


@pytest.fixture
def edited(shop: Tenant) -> tuple[Source, str]:
    """A source that was edited once, and the revision before that."""
    source = add_source(shop)
    assert source.revision is not None
    return change_source(source, content=NEWER), source.revision.sha256


def lines(page: str, sign: str) -> list[str]:
    """The lines of a sign, without their marks."""
    found = re.findall(rf'<li class="{sign}">.*?<bdi dir="rtl">(.*?)</bdi></li>', page)
    return [re.sub("</?mark>", "", line) for line in found]


def test_contents_are_listed_newest_first_with_how_they_came(visitor: Visitor, edited: tuple[Source, str]) -> None:
    shown = visitor.see(f"sources/{edited[0].id}/history")

    assert re.findall(r'data-label="Came by">(\w+)<', shown) == ["Edit", "Creation"]
    assert shown.count("Current") == 1


def test_an_earlier_content_shows_what_restoring_it_would_do(visitor: Visitor, edited: tuple[Source, str]) -> None:
    source, earlier = edited

    shown = visitor.see(f"sources/{source.id}/history/{earlier}")

    assert lines(shown, "removed") == ["صندوق بخور — 101 ريال", "مسك أبيض — 220 ريال"]
    assert lines(shown, "added") == ["صندوق بخور — 95 ريال"]
    assert "<mark>95</mark>" in shown


def test_the_current_content_shows_what_the_last_edit_did(visitor: Visitor, edited: tuple[Source, str]) -> None:
    source, _ = edited
    assert source.revision is not None

    shown = visitor.see(f"sources/{source.id}/history/{source.revision.sha256}")

    assert lines(shown, "added") == ["صندوق بخور — 101 ريال", "مسك أبيض — 220 ريال"]
    assert "/restore" not in shown


@pytest.mark.parametrize(
    ("against", "words"),
    [
        ("previous", "No earlier content is kept."),
        ("nothing", f">{PRICES}</pre>"),
        ("something else", "1 line added"),
    ],
)
def test_a_content_is_compared_as_wished(
    visitor: Visitor, edited: tuple[Source, str], against: str, words: str
) -> None:
    source, earlier = edited

    assert words in visitor.see(f"sources/{source.id}/history/{earlier}", against=against)


def test_only_line_ends_may_differ(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "عسل\nتمر")
    assert source.revision is not None
    change_source(source, content="عسل\r\nتمر")

    assert "No line differs." in visitor.see(f"sources/{source.id}/history/{source.revision.sha256}")


def test_restoring_makes_it_current_and_keeps_the_other(
    shop: Tenant, visitor: Visitor, edited: tuple[Source, str]
) -> None:
    source, earlier = edited

    answer = visitor.send(f"sources/{source.id}/history/{earlier}/restore")

    assert answer["Location"] == f"/p/{shop.id}/sources/{source.id}"
    assert content_of(source) == PRICES
    assert 'data-label="Came by">Restore<' in visitor.see(f"sources/{source.id}/history")
    assert visitor.see(f"sources/{source.id}/history").count("<tr>") == 3


def test_restoring_is_remembered(shop: Tenant, visitor: Visitor, member: User, edited: tuple[Source, str]) -> None:
    source, earlier = edited
    visitor.send(f"sources/{source.id}/history/{earlier}/restore")

    with project_scope(shop.id):
        entry = AuditEntry.objects.for_project(shop.id).get(action="source.restored")
    assert (entry.actor, entry.target) == (f"user:{member.pk}", source.id)


def test_a_content_that_today_cannot_be_read_is_refused_in_words(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, 'عسل "سدر')
    assert source.revision is not None
    changed = change_source(source, content="name\nx", config={"format": "csv"})

    answer = visitor.send(f"sources/{source.id}/history/{source.revision.sha256}/restore")

    assert answer.status_code in {302, 400}
    assert read_source(changed).revision is not None


@pytest.mark.conformance("U-5")
def test_a_difference_is_escaped(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, "<script>alert(1)</script>")
    assert source.revision is not None
    change_source(source, content="<img src=x onerror=alert(1)>")

    shown = visitor.see(f"sources/{source.id}/history/{source.revision.sha256}")

    assert "<script>alert" not in shown
    assert "<img" not in shown


def test_a_very_long_line_is_cut_to_what_changed(shop: Tenant, visitor: Visitor) -> None:
    words = [f"كلمة{number}" for number in range(2_000)]
    source = add_source(shop, " ".join(words), kind="text")
    assert source.revision is not None
    change_source(source, content=" ".join([*words[:1_000], "جديد", *words[1_000:]]))

    shown = visitor.see(f"sources/{source.id}/history/{source.revision.sha256}")

    assert [mark.strip() for mark in re.findall("<mark>(.*?)</mark>", shown)] == ["جديد"]
    assert len(shown) < 20_000
