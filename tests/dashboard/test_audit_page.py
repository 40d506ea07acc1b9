"""The audit log: every deed has its words, names stand for ids, and what was written by others is escaped."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.agents.services import _AGENT_CLIENT, _KNOWLEDGE
from apps.dashboard.audit.details import UNTOLD, details_of
from apps.dashboard.audit.texts import TEXTS
from apps.dashboard.audit.views import KINDS
from apps.dashboard.texts import words_in
from apps.gateway.models import RevokedReason
from apps.knowledge.documents.models import DocumentStatus
from apps.projects import audit
from apps.projects.models import AuditEntry, Role
from apps.projects.scoping import project_scope
from apps.projects.services import ALL_SCOPES
from apps.webhooks.models import DisabledReason
from tests.dashboard.world import Shop, signed_in

APPS = Path(__file__).resolve().parents[2] / "apps"
# Where a deed is named: the argument, either branch of a choice, or a variable of that name.
A_DEED = re.compile(r'action\s*=\s*"([a-z_.]+)"(?: if [^,]+ else "([a-z_.]+)")?')
# What every record has besides its details.
OF_EVERY_RECORD = {"actor", "action", "target"}
# Values of details that are words of the code, with the field and a deed in which they stand.
WORDS_OF_THE_CODE = [
    *(("member.role_changed", "role", role.value) for role in Role),
    *(("member.role_changed", "before", role.value) for role in Role),
    *(("api_key.created", "scopes", scope) for scope in ALL_SCOPES),
    *(("document.changed", "status", status.value) for status in DocumentStatus),
    *(("webhook_endpoint.disabled", "reason", reason.value) for reason in DisabledReason),
    *(("agent_session.revoked", "reason", reason.value) for reason in RevokedReason),
    *(("agent_client.updated", "enabled", enabled) for enabled in (True, False)),
    *(("source.updated", "changed", field) for field in ("name", "content", "config", "complete")),
    *(("agent.updated", "changed", column) for column in ("name", "instructions", "route", "sources")),
    *(("agent.updated", "changed", column) for column in (*_KNOWLEDGE.values(), *_AGENT_CLIENT.values())),
]


def recording_sources() -> Iterator[str]:
    for path in APPS.rglob("*.py"):
        if "audit.record(" in (text := path.read_text()):
            yield text


def recorded_deeds() -> Iterator[str]:
    """Every action that the code records, as it stands in the sources."""
    for text in recording_sources():
        yield from (deed for found in A_DEED.findall(text) for deed in found if deed)
    sessions = (APPS / "gateway" / "sessions.py").read_text()
    yield from (f"agent_session.{event}" for event in re.findall(r'_audit\(session, "([a-z_]+)"', sessions))
    yield from (f"agent_authorization.{status}" for status in ("approved", "denied"))


def recorded_fields() -> Iterator[str]:
    """Every field of details that the code records."""
    for text in recording_sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"audit.record", "_audit"}:
                yield from (keyword.arg for keyword in node.keywords if keyword.arg)


def record(shown: Shop, action: str, *, actor: str = "operator", target: str = "x", **details: object) -> None:
    with project_scope(shown.tenant.id):
        audit.record(shown.tenant.id, actor=actor, action=action, target=target, **details)


def page(shown: Shop, query: str = "") -> str:
    return signed_in(shown.people[Role.OWNER]).get(f"/p/{shown.tenant.id}/audit{query}").content.decode()


@pytest.mark.parametrize("deed", sorted(set(recorded_deeds())))
def test_a_recorded_deed_has_words_and_a_kind(deed: str) -> None:
    assert deed in TEXTS
    assert deed.partition(".")[0] in {*KINDS, "search_example", "snapshot"}


@pytest.mark.parametrize("field", sorted(set(recorded_fields()) - OF_EVERY_RECORD))
def test_a_recorded_field_has_words(field: str) -> None:
    assert f"field_{field}" in TEXTS or field in UNTOLD


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize(("deed", "field", "value"), WORDS_OF_THE_CODE)
def test_a_value_of_the_code_has_words(deed: str, field: str, value: object, language: str) -> None:
    [detail] = details_of(deed, {field: value}, {}, words_in(language))

    assert [(one.is_code, one.is_content) for one in detail.values] == [(False, False)]


@pytest.mark.parametrize("name", ["source_id", "agent_id", "secret_id", "endpoint_id", "agent_client_id"])
def test_a_thing_is_named_and_leads_to_its_page(shown: Shop, name: str) -> None:
    thing = shown.id_of(name)

    assert re.search(rf'<a href="/p/{shown.tenant.id}/[a-z]+/{thing}"><bdi>[^<]', page(shown))


def test_a_document_is_named_and_leads_to_its_page(shown: Shop) -> None:
    handle = shown.id_of("document_id")

    assert f'<a href="/p/{shown.tenant.id}/documents/{handle}"><bdi>' in page(shown)


def test_what_is_gone_keeps_its_name_beside_its_id(shown: Shop) -> None:
    record(shown, "source.deleted", target="ks_gone", name="قائمة قديمة")

    assert '<bdi>قائمة قديمة</bdi> <code class="small">ks_gone</code>' in page(shown)


@pytest.mark.parametrize("target", ["document:x", "document:9" + "9" * 30, "user:x", "snapshot:", "ks_", "_", ""])
def test_an_id_that_names_nothing_stands_as_it_is(shown: Shop, target: str) -> None:
    record(shown, "source.created", target=target)

    assert f'<code class="small">{target}</code>' in page(shown)


def test_a_thing_of_another_project_is_not_named(shown: Shop, foreign: Shop) -> None:
    theirs = foreign.id_of("secret_id")
    record(shown, "secret.deleted", target=theirs)

    assert f'<code class="small">{theirs}</code>' in page(shown)


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
