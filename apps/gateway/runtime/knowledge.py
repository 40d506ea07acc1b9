"""Knowledge by reference: what a workspace offers, and searching it in bounded hints."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from apps.gateway import budget, errors, references
from apps.gateway.auth import AgentCaller
from apps.gateway.hints import MOST_BYTES, MOST_HINTS, Hint, bounded
from apps.gateway.references import Holder, Reference
from apps.gateway.runtime import protocol, runs
from apps.gateway.runtime.searching import Find, Findings, look_up
from apps.gateway.runtime.workspaces import Workspace, enter
from apps.kernel.errors import AppError
from apps.kernel.times import to_iso

LIMITS: Final = {
    "search_max_results": MOST_HINTS,
    "search_max_bytes": MOST_BYTES,
    "read_default_bytes": budget.DEFAULT_PAGE_BYTES,
    "read_max_bytes": budget.MOST_PAGE_BYTES,
    "reference_ttl_seconds": references.TTL_SECONDS,
    "read_chain_max_bytes": budget.CHAIN_BYTES,
}


def capabilities(caller: AgentCaller, route: str) -> dict[str, Any]:
    workspace = enter(caller, route)
    return protocol.named(
        protocol.KNOWLEDGE_CAPABILITIES,
        protocol=protocol.KNOWLEDGE_PROTOCOL,
        supported=True,
        route=workspace.route,
        enabled=workspace.edition.knowledge_enabled,
        knowledge_scope_revision=workspace.scope_revision,
        delivery_modes=["inline", protocol.ON_DEMAND],
        limits=LIMITS,
    )


def search(
    caller: AgentCaller,
    route: str,
    *,
    query: str,
    limit: int = MOST_HINTS,
    run_id: str | None = None,
    also: Mapping[str, Any] = protocol.NOTHING,
) -> dict[str, Any]:
    """Hints to what answers a query, the best source first; in a run they are noted there.

    `also` are members that a door adds to the answer; they take of its bytes. Raises as `enter` does,
    `invalid_request` for a blank query, `run_not_found`, and `too_many_steps`.
    """
    if not query.strip():
        raise AppError(errors.INVALID_REQUEST, param="query")
    workspace = enter(caller, route)
    run = None if run_id is None else runs.open_run(workspace, run_id)
    findings = look_up(workspace, query, parents=limit)
    envelope = protocol.named(
        protocol.KNOWLEDGE_SEARCH,
        route=workspace.route,
        **({} if run_id is None else {"run_id": run_id}),
        knowledge_scope_revision=workspace.scope_revision,
        status=findings.status,
        trust=protocol.REFERENCE_ONLY,
        **also,
    )
    answer = bounded(envelope, hints_of(workspace, findings, run_id))
    if run is not None:
        runs.note_search(run, workspace, findings)
    return answer


def delivery(workspace: Workspace, findings: Findings, run_id: str) -> dict[str, Any]:
    """What a turn says of knowledge that is delivered on demand."""
    envelope = {
        "schema_version": protocol.KNOWLEDGE_DELIVERY,
        "mode": protocol.ON_DEMAND,
        "protocol": protocol.KNOWLEDGE_PROTOCOL,
        "knowledge_scope_revision": workspace.scope_revision,
        "status": findings.status,
    }
    return bounded(envelope, hints_of(workspace, findings, run_id))


def hints_of(workspace: Workspace, findings: Findings, run_id: str | None) -> list[Hint]:
    """The finds with references that are good from now on, for this caller in this run."""
    expires_at = int(timezone.now().timestamp()) + references.TTL_SECONDS
    scope_revision, holder = bytes.fromhex(workspace.scope_revision), workspace.holder(run_id)
    return [
        _hint(
            find,
            holder,
            Reference(expires_at, find.place, find.part, scope_revision, bytes.fromhex(find.revision)),
        )
        for find in findings.finds
    ]


def _hint(find: Find, holder: Holder, reference: Reference) -> Hint:
    return Hint(
        ref=references.seal_reference(settings.SECRET_KEY, holder, reference),
        title=find.title,
        summary="\n".join(find.lines),
        revision=find.revision,
        score=find.score,
        expires_at=to_iso(datetime.fromtimestamp(reference.expires_at, UTC)),
    )
