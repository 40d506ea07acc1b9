"""What operations return: typed attributes over the object that the server sent.

`page.content` and `page["content"]` are the same; items are the wire's own names and values.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mawrid_client.wire import FINAL_JOB_STATUSES


@dataclass(frozen=True, kw_only=True)
class WireObject(Mapping[str, Any]):
    """A checked answer, also readable as the mapping that it was on the wire."""

    wire: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.wire[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.wire)

    def __len__(self) -> int:
        return len(self.wire)


# --- knowledge ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class KnowledgeCapabilities(WireObject):
    """Whether the server has the protocol, and whether the workspace has knowledge switched on.

    `supported` is false only for a server that does not know the endpoint at all.
    """

    supported: bool
    enabled: bool
    route: str
    knowledge_scope_revision: str | None
    delivery_modes: tuple[str, ...]
    limits: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Hint(WireObject):
    """Where something was found. A hint is no proof that anything was read."""

    ref: str
    title: str
    summary: str
    revision: str
    score: float
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class KnowledgeSearch(WireObject):
    """`status` tells a failure from an empty result: only `ok` without hints means that nothing matched."""

    route: str
    run_id: str | None
    knowledge_scope_revision: str
    status: str
    trust: str
    hints: tuple[Hint, ...]
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class KnowledgePage(WireObject):
    """One page of a source. `truncated` says that there is more of it than was shown up to here."""

    route: str
    run_id: str | None
    knowledge_scope_revision: str
    ref: str
    revision: str
    title: str
    content: str
    trust: str
    next_cursor: str | None
    truncated: bool
    budget_exhausted: bool
    total_content_bytes: int | None
    read_chain_max_bytes: int | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The joined pages of one reference; `complete` is false when the source goes on behind them."""

    text: str
    complete: bool
    title: str
    revision: str
    pages: int
    total_content_bytes: int | None

    def __str__(self) -> str:
        return self.text


# --- turns --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class KnowledgeDelivery(WireObject):
    """The hints with which a turn starts when its knowledge is delivered on demand."""

    mode: str
    knowledge_scope_revision: str
    status: str
    hints: tuple[Hint, ...]
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class Turn(WireObject):
    """A turn's frozen context. `knowledge_delivery` is None where bodies are inline."""

    run_id: str
    profile_revision: str
    capability_revision: str
    instructions: str
    knowledge: tuple[Mapping[str, Any], ...]
    knowledge_refs: tuple[Mapping[str, Any], ...]
    knowledge_delivery: KnowledgeDelivery | None
    active_tools: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class Completion(WireObject):
    run_id: str
    status: str


# --- sessions and workspaces --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class SessionView(WireObject):
    """What a session may do and until when."""

    session_id: str
    client_app_id: str
    device_label: str
    on_behalf_of: str
    allowed_routes: tuple[str, ...]
    expires_at: datetime
    refresh_expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Workspace(WireObject):
    route: str
    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Profile(WireObject):
    """What a workspace is told before any turn."""

    route: str
    revision: str
    instructions: str


# --- jobs ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Job(WireObject):
    """A governed job; `terminal` says that its status will not change any more."""

    job_id: str
    request_id: str
    status: str
    result: Mapping[str, Any] | None
    report: Mapping[str, Any] | None
    usage: Mapping[str, Any] | None
    raw_result: str | None
    error: str | None

    @property
    def terminal(self) -> bool:
        return self.status in FINAL_JOB_STATUSES


@dataclass(frozen=True, kw_only=True)
class JobWait:
    """A job after waiting for it."""

    job: Job
    timed_out: bool
    polls: int
    elapsed_ms: int
