"""Asking what may be known, searching in hints, reading by reference: requests, and the checks of their answers."""

from typing import Any, Final

from mawrid_client import inputs, wire
from mawrid_client.errors import broken_answer, refuse_input
from mawrid_client.fields import Fields
from mawrid_client.messages import Answer, Request, get, json_of, post, workspace_path
from mawrid_client.results import Hint, KnowledgeCapabilities, KnowledgePage, KnowledgeSearch, Reading

CAPABILITIES: Final = "get_knowledge_capabilities"
SEARCH: Final = "search_knowledge"
READ: Final = "read_knowledge"
READ_ALL: Final = "read_all"

# Old servers do not know the endpoint; every other status says something else than that.
OLD_SERVER_STATUSES: Final = frozenset({404, 405, 501})

_HINT_MEMBERS: Final = frozenset({"ref", "title", "summary", "revision", "score", "expires_at"})
# A search shows where something is; a member of one of these names would be the body itself.
_BODIES: Final = frozenset({"content", "body", "text", "document", "documents", "memory", "chunks"})


# --- what may be known --------------------------------------------------------------------------------------


def capabilities_request(route: str) -> Request:
    return get(CAPABILITIES, workspace_path(route, "knowledge/capabilities"))


def capabilities_of(answer: Answer, route: str) -> KnowledgeCapabilities:
    said = Fields(json_of(answer))
    said.schema(wire.CAPABILITIES_SCHEMA)
    said.literal("protocol", wire.KNOWLEDGE_PROTOCOL)
    said.literal("route", route)
    if not said.flag("supported"):
        raise said.fault("supported", "is false although the endpoint is there")
    if tuple(said.texts("delivery_modes")) != wire.DELIVERY_MODES:
        raise said.fault("delivery_modes", "are not the published ones")
    limits = said.member("limits")
    for name, value in wire.KNOWLEDGE_LIMITS.items():
        limits.integer(name, low=value, high=value)
    return KnowledgeCapabilities(
        wire=said.raw,
        supported=True,
        enabled=said.flag("enabled"),
        route=route,
        knowledge_scope_revision=said.hex64("knowledge_scope_revision"),
        delivery_modes=wire.DELIVERY_MODES,
        limits=dict(wire.KNOWLEDGE_LIMITS),
    )


def unsupported(route: str) -> KnowledgeCapabilities:
    """What an old server comes to: bodies inline, and nothing to search or read."""
    shown: dict[str, Any] = {"supported": False, "enabled": False, "route": route, "delivery_modes": ["inline"]}
    return KnowledgeCapabilities(
        wire=shown,
        supported=False,
        enabled=False,
        route=route,
        knowledge_scope_revision=None,
        delivery_modes=("inline",),
        limits={},
    )


# --- searching ----------------------------------------------------------------------------------------------


def search_request(route: str, *, query: object, limit: object, run_id: object) -> Request:
    text = inputs.written_text(query, "query", most=wire.QUERY_MAX_LENGTH)
    body: dict[str, Any] = {"query": text}
    if limit is not None:
        body["limit"] = inputs.integer(limit, "limit", low=1, high=wire.SEARCH_MAX_RESULTS)
    if run_id is not None:
        body["run_id"] = inputs.uuid(run_id, "run_id")
    return post(SEARCH, workspace_path(route, "knowledge/search"), body)


def search_of(answer: Answer, route: str, *, limit: int | None, run_id: str | None) -> KnowledgeSearch:
    if len(answer.body) > wire.SEARCH_MAX_BYTES:
        raise broken_answer(f"a search has more than {wire.SEARCH_MAX_BYTES} bytes", operation=SEARCH)
    said = Fields(json_of(answer))
    said.schema(wire.SEARCH_SCHEMA)
    _check_place(said, route, run_id)
    if _BODIES & set(said.raw):
        raise said.fault("content", "has no place in a search")
    status = said.literal("status", *wire.SEARCH_STATUSES)
    hints = hints_of(said, most=limit or wire.SEARCH_MAX_RESULTS)
    if hints and status in {"disabled", "unavailable"}:
        raise said.fault("hints", f"stand beside the status {status}")
    return KnowledgeSearch(
        wire=said.raw,
        route=route,
        run_id=run_id,
        knowledge_scope_revision=said.hex64("knowledge_scope_revision"),
        status=status,
        trust=said.literal("trust", wire.REFERENCE_ONLY),
        hints=hints,
        truncated=said.flag("truncated"),
    )


def hints_of(said: Fields, *, most: int) -> tuple[Hint, ...]:
    return tuple(_hint_of(hint) for hint in said.members("hints", most=most))


def _hint_of(said: Fields) -> Hint:
    said.refuse_others(_HINT_MEMBERS)
    return Hint(
        wire=said.raw,
        ref=said.text("ref", least=1, most_bytes=wire.REFERENCE_MAX_BYTES),
        title=said.text("title"),
        summary=said.text("summary"),
        revision=said.hex64("revision"),
        score=said.number("score"),
        expires_at=said.time("expires_at"),
    )


def _check_place(said: Fields, route: str, run_id: str | None) -> None:
    """The answer is about the workspace and the run that were asked."""
    said.literal("route", route)
    if said.optional_text("run_id") != run_id:
        raise said.fault("run_id", "is not the one that was asked about")


# --- reading ------------------------------------------------------------------------------------------------


def read_request(route: str, *, ref: object, run_id: object, cursor: object, max_bytes: object) -> Request:
    body: dict[str, Any] = {"ref": inputs.reference(ref, "ref")}
    if run_id is not None:
        body["run_id"] = inputs.uuid(run_id, "run_id")
    if cursor is not None:
        body["cursor"] = inputs.reference(cursor, "cursor")
    if max_bytes is not None:
        body["max_bytes"] = inputs.integer(
            max_bytes, "max_bytes", low=wire.READ_MIN_BYTES, high=wire.READ_MAX_BYTES
        )
    return post(READ, workspace_path(route, "knowledge/read"), body)


def page_of(answer: Answer, route: str, *, ref: str, run_id: str | None, max_bytes: int | None) -> KnowledgePage:
    budget = max_bytes or wire.READ_DEFAULT_BYTES
    if len(answer.body) > budget:
        raise broken_answer(f"a page has more than the {budget} bytes that were asked for", operation=READ)
    said = Fields(json_of(answer))
    said.schema(wire.READ_SCHEMA)
    _check_place(said, route, run_id)
    said.literal("ref", ref)
    page = KnowledgePage(
        wire=said.raw,
        route=route,
        run_id=run_id,
        knowledge_scope_revision=said.hex64("knowledge_scope_revision"),
        ref=ref,
        revision=said.hex64("revision"),
        title=said.text("title"),
        content=said.text("content"),
        trust=said.literal("trust", wire.REFERENCE_ONLY),
        next_cursor=_cursor_of(said),
        truncated=said.flag("truncated"),
        budget_exhausted=said.flag("budget_exhausted"),
        total_content_bytes=said.optional_integer("total_content_bytes"),
        read_chain_max_bytes=said.optional_integer("read_chain_max_bytes"),
    )
    if page.truncated != (page.next_cursor is not None or page.budget_exhausted):
        raise said.fault("truncated", "does not fit next_cursor and budget_exhausted")
    if page.budget_exhausted and page.next_cursor is not None:
        raise said.fault("budget_exhausted", "stands beside a further page")
    return page


def _cursor_of(said: Fields) -> str | None:
    if said.value("next_cursor") is None:
        return None
    return said.text("next_cursor", least=1, most_bytes=wire.REFERENCE_MAX_BYTES)


# --- all pages of a reference -------------------------------------------------------------------------------


class Chain:
    """Joins the pages of one reference and refuses a server that would never come to an end."""

    def __init__(self) -> None:
        self._pages: list[KnowledgePage] = []
        self._seen: set[str] = set()
        self._bytes = 0

    def add(self, page: KnowledgePage) -> str | None:
        """Take the next page; the cursor of the one behind it, or None at the end."""
        first = self._pages[0] if self._pages else page
        if (page.revision, page.title, page.total_content_bytes) != (
            first.revision,
            first.title,
            first.total_content_bytes,
        ):
            raise broken_answer("pages of one reference are of different revisions", operation=READ_ALL)
        self._pages.append(page)
        self._bytes += len(page.content.encode())
        if self._bytes > wire.READ_CHAIN_MAX_BYTES:
            raise broken_answer("a reference shows more than it may", operation=READ_ALL)
        cursor = page.next_cursor
        if cursor is not None and (cursor in self._seen or not page.content):
            raise broken_answer("the pages of a reference do not advance", operation=READ_ALL)
        if cursor is not None:
            self._seen.add(cursor)
        return cursor

    def joined(self) -> Reading:
        last = self._pages[-1]
        complete = not last.truncated
        if complete and last.total_content_bytes not in {None, self._bytes}:
            raise broken_answer("the pages together are not the whole that they say they are", operation=READ_ALL)
        return Reading(
            text="".join(page.content for page in self._pages),
            complete=complete,
            title=last.title,
            revision=last.revision,
            pages=len(self._pages),
            total_content_bytes=last.total_content_bytes,
        )


def check_delivery_choice(choice: object) -> str | None:
    if choice not in {None, wire.ON_DEMAND}:
        raise refuse_input("knowledge_delivery is on_demand, or left out for bodies inline.")
    return None if choice is None else wire.ON_DEMAND
