"""How agents, prompts, runs and readiness look to callers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from apps.agents import context, readiness, tools
from apps.agents.context import Section
from apps.agents.editions import Attached, AttachedDocument, Edition
from apps.agents.models import Agent, AgentVersion, Attachment, Run, Step
from apps.agents.readiness import Issue
from apps.agents.runs import Looked, named_attached
from apps.agents.wording import PEOPLE
from apps.kernel.times import to_iso

DRAFT: Final = "draft"


def agent(shown: Agent, draft: Edition, *, language: str) -> dict[str, Any]:
    """An agent with the draft's knowledge; `draft` is read without content."""
    return {
        "id": shown.id,
        "object": "agent",
        "name": shown.name,
        "instructions": shown.instructions,
        "knowledge": {
            "enabled": shown.knowledge_enabled,
            "min_score": shown.min_score,
            "max_result_tokens": shown.max_result_tokens,
            "sources": [_attachment(attached) for attached in draft.sources],
        },
        "route": shown.route,
        "agent_client": {
            "enabled": shown.client_enabled,
            "audiences": shown.client_audiences,
            "instructions": shown.client_instructions,
        },
        "version": shown.version,
        "published_version": shown.published_version,
        "warnings": warnings(draft, language=language),
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }


def _attachment(attached: Attached) -> dict[str, Any]:
    if isinstance(attached, AttachedDocument):
        return _document_attachment(attached.document_id, attached.selection.as_mapping(), attached.mode)
    return {"source_id": attached.source_id, "mode": attached.mode}


def _document_attachment(document_id: str, selection: Mapping[str, Any], mode: str) -> dict[str, Any]:
    return {"document_id": document_id, "selection": _in_order(selection, _SELECTION), "mode": mode}


def tagged_agent(shown: Agent, draft: Edition) -> dict[str, Any]:
    """What an agent's ETag stands for: what a warning names instead of a sentence with their sizes."""
    named = [
        [warning["code"], warning["source_ids"], warning.get("document_ids")]
        for warning in warnings(draft, language="en")
    ]
    return {**agent(shown, draft, language="en"), "warnings": named}


def warnings(edition: Edition, *, language: str) -> list[dict[str, Any]]:
    """What to mind about an edition: what of it was deleted or is a draft, and the advice on its size."""
    missing = readiness.missing(edition.missing, edition.missing_documents)
    documents = [document for document in edition.sources if isinstance(document, AttachedDocument)]
    of_documents = [issue for document in documents for issue in readiness.of_document(document)]
    return [_warning(issue, language) for issue in [*missing, *of_documents, *readiness.large(edition.always)]]


def _warning(issue: Issue, language: str) -> dict[str, Any]:
    """What it names are sources, and documents where it names any."""
    source_ids = issue.values.get("source_ids", [] if issue.source_id is None else [issue.source_id])
    document_ids = issue.values.get("document_ids", [] if issue.document_id is None else [issue.document_id])
    warning = {"code": issue.code, "message": _message(issue, language), "source_ids": source_ids}
    return {**warning, "document_ids": document_ids} if document_ids else warning


def _message(issue: Issue, language: str) -> str:
    return PEOPLE[issue.code].put(language, **issue.values)


# --- versions -----------------------------------------------------------------------------------------------


def version(
    shown: AgentVersion, attached: Sequence[Attachment], *, published: int | None, language: str
) -> dict[str, Any]:
    """A version with what it attached, also what was deleted since."""
    missing = readiness.missing(
        [one.attached_id for one in attached if one.selection is None and one.source_id is None],
        [one.attached_id for one in attached if one.selection is not None and one.document_id is None],
    )
    return {
        "object": "agent_version",
        "agent_id": shown.agent_id,
        "version": shown.number,
        "published": shown.number == published,
        "instructions": shown.instructions,
        "knowledge": {
            "min_score": shown.min_score,
            "max_result_tokens": shown.max_result_tokens,
            "sources": [_frozen_attachment(one) for one in attached],
        },
        "warnings": [_warning(issue, language) for issue in missing],
        "created_at": to_iso(shown.created_at),
    }


def _frozen_attachment(one: Attachment) -> dict[str, Any]:
    if one.selection is not None:
        return _document_attachment(one.attached_id, one.selection, one.mode)
    return {"source_id": one.attached_id, "mode": one.mode}


def shown_version(number: int | None) -> int | str:
    return DRAFT if number is None else number


# --- prompts ------------------------------------------------------------------------------------------------


def prompt(edition: Edition, *, form: str, language: str) -> dict[str, Any]:
    """The X-ray of an edition read with its content: what a model is told, and where each part comes from."""
    shown = context.assemble(edition)
    return {
        "object": "agent_prompt",
        "agent_id": edition.agent_id,
        "version": shown_version(edition.version),
        "sections": [_section(section) for section in shown.sections],
        "text": shown.text,
        "token_estimate": shown.token_estimate,
        "tools": tools.search_tools(edition, form),
        "warnings": warnings(edition, language=language),
    }


def _section(shown: Section) -> dict[str, Any]:
    return {
        "title": shown.title,
        "label": shown.label,
        "text": shown.text,
        "token_estimate": shown.token_estimate,
        "sources": [_used(source) for source in shown.sources],
    }


def _used(attached: Attached) -> dict[str, Any]:
    return {**named_attached(attached), "token_estimate": attached.token_estimate}


# --- runs ---------------------------------------------------------------------------------------------------


def listed_run(shown: Run) -> dict[str, Any]:
    """A run as lists show it, without its steps."""
    return {
        "id": shown.id,
        "object": "agent_run",
        "agent_id": shown.agent_id,
        "version": shown_version(shown.version),
        "created_at": to_iso(shown.created_at),
    }


def run(shown: Run, steps: Iterable[tuple[Step, str | None]]) -> dict[str, Any]:
    """A run with its steps; beside each prompt step its text, unless a content of it is not kept any more."""
    return {**listed_run(shown), "steps": [step(one, text=text) for one, text in steps]}


def step(shown: Step, *, text: str | None = None) -> dict[str, Any]:
    """A step; what only the other kind has is null."""
    detail: Mapping[str, Any] = shown.detail
    return {
        "id": shown.id,
        "object": "agent_run_step",
        "kind": shown.kind,
        "sources": [_named(source) for source in shown.sources],
        "text": text,
        "text_sha256": detail.get("text_sha256"),
        "token_estimate": detail.get("token_estimate"),
        "query": detail.get("query"),
        "hits": [_named_hit(hit) for hit in detail["hits"]] if "hits" in detail else None,
        "miss": _miss(detail.get("miss")),
        "content": detail.get("content"),
        "truncated": detail.get("truncated", False),
        "created_at": to_iso(shown.created_at),
    }


# The documented orders, which the database does not keep.
_NAMED: Final = ("source_id", "source_name", "updated_at", "revision")
_HIT: Final = ("source_id", "position", "score", "full_match")
_MISS: Final = ("evidence", "reasons", "guidance")
_SELECTION: Final = ("mode", "section_ids")


def _in_order(stored: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: stored[name] for name in names if name in stored}


def _named(stored: Mapping[str, Any]) -> dict[str, Any]:
    named = _in_order(stored, (*_NAMED, "document_id"))
    return {**named, "selection": _in_order(stored["selection"], _SELECTION)} if "selection" in stored else named


def _named_hit(stored: Mapping[str, Any]) -> dict[str, Any]:
    return _in_order(stored, (*_HIT, "document_id", "section_id"))


def _miss(stored: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    reasons = [_in_order(reason, ("code", "source_id")) for reason in stored["reasons"]]
    return {**_in_order(stored, _MISS), "reasons": reasons}


def looked(shown: Looked) -> dict[str, Any]:
    """The answer to a search of a run: the result, and what the model is to be told of it."""
    return {
        **shown.result,
        "content": shown.content.text,
        "truncated": shown.content.truncated,
        "run_id": shown.step.run_id,
        "step_id": shown.step.id,
    }


# --- readiness ----------------------------------------------------------------------------------------------


def judgement(issues: Sequence[Issue], *, language: str) -> dict[str, Any]:
    return {
        "object": "agent_readiness",
        "ready": readiness.is_ready(issues),
        "issues": [
            {
                "code": issue.code,
                "severity": issue.severity,
                "source_id": issue.source_id,
                **({} if issue.document_id is None else {"document_id": issue.document_id}),
                "message": _message(issue, language),
            }
            for issue in issues
        ],
    }
