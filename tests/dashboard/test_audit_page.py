"""The audit log: every deed has its words, names stand for ids, and what was written by others is escaped."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.dashboard.audit.texts import TEXTS
from apps.dashboard.audit.views import KINDS
from apps.projects import audit
from apps.projects.models import AuditEntry, Role
from apps.projects.scoping import project_scope
from tests.dashboard.world import Shop, signed_in

APPS = Path(__file__).resolve().parents[2] / "apps"
# Where a deed is named: the argument, either branch of a choice, or a variable of that name.
A_DEED = re.compile(r'action\s*=\s*"([a-z_.]+)"(?: if [^,]+ else "([a-z_.]+)")?')


def recorded_deeds() -> Iterator[str]:
    """Every action that the code records, as it stands in the sources."""
    for path in APPS.rglob("*.py"):
        if "audit.record(" in (text := path.read_text()):
            yield from (deed for found in A_DEED.findall(text) for deed in found if deed)


def record(shown: Shop, action: str, *, actor: str = "operator", target: str = "x", **details: object) -> None:
    with project_scope(shown.tenant.id):
        audit.record(shown.tenant.id, actor=actor, action=action, target=target, **details)


def page(shown: Shop, query: str = "") -> str:
    return signed_in(shown.people[Role.OWNER]).get(f"/p/{shown.tenant.id}/audit{query}").content.decode()


@pytest.mark.parametrize("deed", sorted(set(recorded_deeds())))
def test_a_recorded_deed_has_words_and_a_kind(deed: str) -> None:
    assert deed in TEXTS
    assert deed.partition(".")[0] in {*KINDS, "search_example", "snapshot"}


def test_people_and_keys_are_named(shown: Shop) -> None:
    editor = shown.people[Role.EDITOR]
    record(shown, "secret.created", actor=f"user:{editor.pk}", target="sec_1", name="TOKEN")

    assert editor.email in page(shown)


def test_a_deed_without_words_is_shown_by_its_code(shown: Shop) -> None:
    record(shown, "moon.landed")

    assert "<code>moon.landed</code>" in page(shown)


def test_details_are_escaped(shown: Shop) -> None:
    record(shown, "secret.created", name="<script>alert(1)</script>")

    shown_page = page(shown)
    assert "<script>alert" not in shown_page
    assert "&lt;script&gt;alert" in shown_page


def test_the_log_is_narrowed_to_a_kind_of_thing(shown: Shop) -> None:
    record(shown, "secret.created", target="the-secret")
    record(shown, "webhook_endpoint.created", target="the-endpoint")

    narrowed = page(shown, "?about=secret")
    assert "the-secret" in narrowed
    assert "the-endpoint" not in narrowed


def test_an_unknown_kind_narrows_nothing(shown: Shop) -> None:
    record(shown, "secret.created", target="the-secret")

    assert "the-secret" in page(shown, "?about=%00__all__")


def test_the_log_goes_on_on_further_pages(shown: Shop) -> None:
    with project_scope(shown.tenant.id):
        AuditEntry.objects.for_project(shown.tenant.id).delete()
        for number in range(30):
            audit.record(shown.tenant.id, actor="operator", action="secret.created", target=f"secret-{number:02}")

    first = page(shown)
    older = re.search(r'href="(\?[^"]*cursor=[^"]+)"', first)

    assert older
    second = page(shown, older[1].replace("&amp;", "&"))
    assert "secret-29" in first
    assert "secret-00" in second


def test_the_log_of_another_project_stays_there(shown: Shop, foreign: Shop) -> None:
    record(foreign, "secret.created", target="their-secret")

    assert "their-secret" not in page(shown)
