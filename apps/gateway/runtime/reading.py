"""Reads what a reference leads to, page by page; never another text under a revision that was found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from apps.gateway import budget, errors, references
from apps.gateway.auth import AgentCaller
from apps.gateway.budget import Page
from apps.gateway.references import Holder, Reference
from apps.gateway.runtime import protocol, runs
from apps.gateway.runtime.bodies import Body, read_body
from apps.gateway.runtime.workspaces import Workspace, enter
from apps.kernel.errors import AppError
from apps.rest.renderers import encode


@dataclass(frozen=True, slots=True)
class Reading:
    """One page being made: what is read, by whom, and by which reference."""

    workspace: Workspace
    holder: Holder
    ref: str
    body: Body
    also: Mapping[str, Any]

    def shown(self, page: Page) -> dict[str, Any]:
        run_id = self.holder.run_id
        return protocol.named(
            protocol.KNOWLEDGE_READ,
            route=self.workspace.route,
            **({} if run_id is None else {"run_id": run_id}),
            knowledge_scope_revision=self.workspace.scope_revision,
            ref=self.ref,
            revision=self.body.revision,
            title=self.body.title,
            content=page.content,
            trust=protocol.REFERENCE_ONLY,
            next_cursor=None if page.next_start is None else self._cursor(page.next_start),
            truncated=page.truncated,
            budget_exhausted=page.budget_exhausted,
            total_content_bytes=self.body.window.total,
            read_chain_max_bytes=budget.CHAIN_BYTES,
            **self.also,
        )

    def size_of(self, page: Page) -> int:
        return len(encode(self.shown(page)))

    def _cursor(self, start: int) -> str:
        return references.seal_cursor(settings.SECRET_KEY, self.holder, self.ref, start)


def read(
    caller: AgentCaller,
    route: str,
    *,
    ref: str,
    run_id: str | None = None,
    cursor: str | None = None,
    max_bytes: int = budget.DEFAULT_PAGE_BYTES,
    also: Mapping[str, Any] = protocol.NOTHING,
) -> dict[str, Any]:
    """One page of what a reference leads to, from its beginning or from where a cursor says.

    `also` are members that a door adds to the page; they take of its bytes.

    Raises as `enter` does, and in this order `knowledge_reference_invalid`, `run_not_found`,
    `knowledge_reference_expired`, `knowledge_scope_changed`, `knowledge_changed`.
    """
    workspace = enter(caller, route)
    holder = workspace.holder(run_id)
    reference = references.open_reference(settings.SECRET_KEY, holder, ref)
    start = 0 if cursor is None else references.open_cursor(settings.SECRET_KEY, holder, ref, cursor)
    if run_id is not None:
        runs.open_run(workspace, run_id)
    references.check_age(reference, now=timezone.now().timestamp())
    references.check_scope(reference, scope_revision=workspace.scope_revision)
    body = _body_of(workspace, reference, start, budget.window_bytes(max_bytes))
    reading = Reading(workspace, holder, ref, body, also)
    return reading.shown(budget.cut_page(body.window, max_bytes=max_bytes, frame=reading.size_of))


def _body_of(workspace: Workspace, reference: Reference, start: int, length: int) -> Body:
    """What the reference leads to, unless it is gone or reads differently now."""
    attached = workspace.edition.sources[reference.place]
    body = read_body(workspace.project_id, attached, reference.part, start=start, length=length)
    if body is None:
        raise AppError(errors.KNOWLEDGE_CHANGED)
    references.check_content(reference, content_revision=body.revision)
    return body
