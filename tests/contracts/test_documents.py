"""What the documents say is what the code does: error codes, limits, settings, rooms."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from apps.agents import advice, context, runs, search
from apps.agents import models as agents
from apps.agents import queries as attachments
from apps.agents import serializers as agent_fields
from apps.dashboard.mailbox import KEPT_MESSAGES
from apps.dashboard.uploading import MAX_FORM_BYTES
from apps.gateway.mcp import door as mcp_door
from apps.gateway.mcp import results as mcp_results
from apps.gateway.mcp import schemas as mcp_schemas
from apps.gateway.mcp import turn_ids, waiting
from apps.kernel import strict_json
from apps.kernel.errors import CATALOGUE
from apps.knowledge import examples, kinds
from apps.knowledge import serializers as knowledge
from apps.knowledge import services as sources
from apps.knowledge.documents import body
from apps.knowledge.documents import serializers as documents
from apps.knowledge.documents import services as document_services
from apps.knowledge.sync import claims, config, samples
from apps.knowledge.transform import config as transform
from apps.knowledge.transform.apply import MAX_LINES as MAX_FEED_LINES
from apps.outbound import headers, policy, url
from apps.projects import accounts, membership, models, services
from apps.projects.serializers import MAX_SOURCES_OF_A_KEY
from apps.rest import errors, idempotency, request_id, throttles, views
from apps.rest.fields import ListQuery
from apps.search import query
from apps.sections import document as sections
from apps.vault import models as vault
from apps.vault.serializers import MAX_HOSTS
from apps.webhooks import retry
from apps.webhooks import services as webhooks
from tests.contracts import error_table

ROOT: Final = Path(__file__).resolve().parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
LIMITS: Final = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of every row of every table, without heads and rules."""
    tables = re.findall(r"^\|[-|]+\|\n((?:\|.*\|\n?)+)", text, re.MULTILINE)
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for table in tables
        for row in table.splitlines()
    ]


# --- errors -------------------------------------------------------------------------------------------------


def test_every_code_stands_in_the_document_with_its_sentences() -> None:
    written = error_table.DOCUMENT.read_text(encoding="utf-8").partition(error_table.MARK)[2]

    assert written == f"\n{error_table.table()}", (
        "Run .venv/bin/python -m tests.contracts.write_errors and commit it."
    )


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_a_code_has_a_sentence_in_both_languages(code: str) -> None:
    entry = CATALOGUE[code]

    assert re.fullmatch(r"[a-z][a-z0-9_]*", code)
    assert entry.en
    assert re.search("[\u0621-\u064a]|^{ar}$", entry.ar)
    assert placeholders(entry.en) == placeholders(entry.ar) or (entry.en, entry.ar) == ("{en}", "{ar}")


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"(?<!{){([a-z_]+)}(?!})", sentence))


# --- limits -------------------------------------------------------------------------------------------------


def days(kept: timedelta) -> int:
    return kept // timedelta(days=1)


def minutes(kept: timedelta) -> int:
    return kept // timedelta(minutes=1)


def hours(kept: timedelta) -> int:
    return kept // timedelta(hours=1)


def figures() -> Mapping[str, int]:
    """Each limit of the document by its words, as the code has it."""
    page: Any = ListQuery().fields["limit"]
    return {
        "requests a minute of one key (`RATE_LIMIT_PER_KEY`)": settings.RATE_LIMIT_PER_KEY,
        "requests a minute of one project (`RATE_LIMIT_PER_PROJECT`)": settings.RATE_LIMIT_PER_PROJECT,
        "bad keys a minute from one address, before 401 becomes 429": throttles.MAX_BAD_CREDENTIALS_PER_ADDRESS,
        "body of a knowledge request, in raw bytes": views.KNOWLEDGE_BODY_LIMIT,
        "body of any other request, in raw bytes": views.BODY_LIMIT,
        "bytes of a form of the dashboard, with its files": MAX_FORM_BYTES,
        "depth of nested JSON": strict_json.MAX_DEPTH,
        "characters of one JSON number": strict_json.MAX_NUMBER_LENGTH,
        "faulty fields that one refusal names": errors.MAX_REPORTED_FAULTS,
        "objects of one page": page.max_value,
        "objects of one page without `limit`": page.default,
        "characters of an Idempotency-Key": longest(idempotency._KEY.pattern),
        "hours in which an Idempotency-Key gets its stored answer": idempotency.KEEPING_SECONDS // 3_600,
        "characters of an `X-Request-Id` that is kept": 1 + longest(request_id._SAFE.pattern),
        "characters of a name (project, source, key)": models.NAME_LENGTH,
        "sources that a key can be limited to": MAX_SOURCES_OF_A_KEY,
        "hours for which a rotated key stays valid": hours(services.ROTATION_OVERLAP),
        "projects that a person owns": services.MAX_PROJECTS_OF_A_PERSON,
        "members and open invitations of a project": membership.MAX_MEMBERS,
        "days for which an invitation is good": days(membership.INVITATION_LIFE),
        "minutes before an invitation can be sent again": minutes(membership.RESEND_PAUSE),
        "invitations that a person can send a day": int(settings.ACCOUNT_RATE_LIMITS["invite"].partition("/")[0]),
        "days for which an expired invitation is kept": days(membership.INVITATION_KEEPING_TIME),
        "days for which an account waits for its address to be confirmed": days(accounts.UNCONFIRMED_KEEPING_TIME),
        "messages that a machine without a mail server keeps": KEPT_MESSAGES,
        "characters of a text source": kinds.MAX_TEXT_LENGTH,
        "characters of a catalog's line": kinds.MAX_LINE_LENGTH,
        "items of a catalog": kinds.MAX_ITEMS,
        "lines of a feed": MAX_FEED_LINES,
        "earlier contents that a source keeps": sources.KEPT_EARLIER_REVISIONS,
        "characters of a search's query": knowledge.MAX_QUERY_LENGTH,
        "words of a query that count": query.MOST_WORDS,
        "hits of a search": knowledge.MAX_HITS,
        "sources that a search can name": knowledge.MAX_SEARCHED_SOURCES,
        "documents that a search can name": knowledge.MAX_SEARCHED_DOCUMENTS,
        "days for which counts of queries are kept": days(sources.QUERY_COUNT_KEEPING_TIME),
        "saved questions of a project": examples.MAX_EXAMPLES,
        "characters of a document's text, or of its parts together": kinds.MAX_TEXT_LENGTH,
        "sections of a document": body.MAX_SECTIONS,
        "levels of sections": sections.MAX_DEPTH,
        "characters of a document's id, of a section's, of a revision's name": sections.MAX_ID_LENGTH,
        "sections that a selection can name": documents.MAX_SELECTED_SECTIONS,
        "documents of one publication": documents.MAX_PUBLISHED_DOCUMENTS,
        "earlier revisions of a document that stay readable": document_services.KEPT_EARLIER_REVISIONS,
        "minutes between two syncs, at least": config.MIN_REFRESH_MINUTES,
        "minutes between two syncs, at most": config.MAX_REFRESH_MINUTES,
        "minutes between two syncs, unless said otherwise": config.DEFAULT_REFRESH_MINUTES,
        "seconds of one fetch (`SYNC_DEADLINE_SECONDS`)": settings.SYNC_DEADLINE_SECONDS,
        "bytes of a feed's answer": policy.MIB,
        "lines of a transform, at most": transform.MAX_ITEMS,
        "lines of a transform, unless said otherwise": transform.DEFAULT_ITEMS,
        "fetches of one project at once": claims.PER_PROJECT,
        "fetches of one project a minute": claims.PER_PROJECT_A_MINUTE,
        "hours for which a fetched sample is kept": hours(sources.SAMPLE_KEEPING_TIME),
        "samples of one project whose answers are kept": samples.KEPT_BODIES,
        "characters of a URL": url.MAX_URL_LENGTH,
        "headers of a feed": headers.MAX_HEADERS,
        "hosts of a secret": MAX_HOSTS,
        "characters of a secret's name": vault.NAME_LENGTH,
        "characters of a secret's value": headers.MAX_VALUE_LENGTH,
        "webhook endpoints of a project": webhooks.MAX_ENDPOINTS,
        "seconds of one delivery (`WEBHOOK_TIMEOUT_SECONDS`)": settings.WEBHOOK_TIMEOUT_SECONDS,
        "attempts of a delivery": len(retry.SCHEDULE) + 1,
        "failures in a row that disable an endpoint": retry.DISABLE_AFTER_FAILURES,
        "days for which events and deliveries are kept": days(webhooks.KEEPING_TIME),
        "agents of a project": attachments.MAX_AGENTS,
        "sources of an agent": attachments.MAX_ATTACHMENTS,
        "characters of an agent's instructions": agent_fields.MAX_INSTRUCTIONS,
        "characters of its instructions for agent clients": agent_fields.MAX_CLIENT_INSTRUCTIONS,
        "audiences of an agent": agent_fields.MAX_AUDIENCES,
        "characters of a route": agents.ROUTE_LENGTH,
        "tokens of always-sources, from which on there is advice": advice.ADVISED_ALWAYS_TOKENS,
        "characters of always-sources that a prompt can hold": context.MAX_PROMPT_CHARACTERS,
        "UTF-16 units of a prompt that can be published": context.MAX_CLIENT_UNITS,
        "tokens of a search result for a model, at least": search.MIN_RESULT_TOKENS,
        "tokens of a search result for a model, at most": search.MAX_RESULT_TOKENS,
        "tokens of a search result for a model, unless said otherwise": agents.DEFAULT_RESULT_TOKENS,
        "steps of a run": runs.MAX_STEPS,
        "days for which runs are kept": days(runs.RUN_KEEPING_TIME),
        "days for which the contents that a run names stay readable": days(attachments.REVISION_KEEPING_TIME),
        "bytes of a request at `/mcp`": mcp_door.BODY_LIMIT,
        "bytes of an answer of `search_knowledge`, or of a job over MCP": mcp_results.MOST_BYTES,
        "seconds within which a repeated call is the same turn": int(turn_ids.REPEATED_WITHIN.total_seconds()),
        "seconds that `wait_for_governed_job` waits at most": mcp_schemas.MOST_WAIT_SECONDS,
        "waits at once of one web process; whoever comes then is answered at once": waiting.WAITS_PER_PROCESS,
    }


def longest(pattern: str) -> int:
    return int(re.findall(r"{\d+,(\d+)}", pattern)[-1])


def test_every_limit_of_the_document_is_that_of_the_code() -> None:
    assert dict(rows(LIMITS)) == {words: f"{figure:,}" for words, figure in figures().items()}


# --- settings -----------------------------------------------------------------------------------------------

READERS: Final = re.compile(
    r"""(?:env\.(?:text|integer|boolean|items|url|parsed)\(|_database\(|_value\(environment,\s|environ\.get\()"""
    r"""\s*"([A-Z][A-Z0-9_]*)\""""
)
# Read, and no settings: the shell's own, what stops a start, and a place for developers' other PostgreSQL.
NO_SETTINGS: Final = {"PATH", "DEBUG", "SSLKEYLOGFILE", "POSTGRES_BIN_DIR"}


def read_variables() -> Iterator[str]:
    for folder in ("config", "runner"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from READERS.findall(path.read_text(encoding="utf-8"))


def test_the_settings_of_the_readme_are_those_that_are_read() -> None:
    documented = {name.strip("`") for name, *_ in rows(section(README, "Settings"))}

    assert documented == set(read_variables()) - NO_SETTINGS


# --- rooms --------------------------------------------------------------------------------------------------


def test_every_room_stands_on_the_map_and_every_room_of_the_map_stands() -> None:
    built = {f"apps/{path.parent.name}" for path in (ROOT / "apps").glob("*/__init__.py")}
    mapped = {room.strip("`") for _, room, _ in rows(section(README, "Map of rooms")) if room.startswith("`apps/")}

    assert mapped == built


def test_the_floors_of_the_map_are_those_that_imports_are_held_to() -> None:
    contract = re.search(r'name = "Floors.*?layers = \[(.*?)\]', (ROOT / "pyproject.toml").read_text(), re.DOTALL)
    assert contract is not None
    floors: list[Any] = re.findall(r'"([^"]+)"', contract[1])
    order = [f"apps/{room}" for floor in floors for room in re.findall(r"apps\.([a-z]+)", floor)]
    mapped = [room.strip("`") for _, room, _ in rows(section(README, "Map of rooms")) if room.startswith("`apps/")]

    assert mapped == [room for room in order if room in mapped]
