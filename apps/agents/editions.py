"""An agent as its draft or one of its versions has it, with what it attaches as that is now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from apps.agents.models import Mode
from apps.sections import Selection


@dataclass(frozen=True, slots=True)
class FeedState:
    """How an attached API source stands with its feed."""

    is_failing: bool
    last_success_at: datetime | None
    interval: timedelta


@dataclass(frozen=True, slots=True)
class AttachedSource:
    """A source and the way an agent uses it. Only an always-source that was read for a prompt has content."""

    source_id: str
    mode: str
    name: str
    kind: str
    complete: bool
    updated_at: datetime
    # None before the first good sync of a feed.
    revision: str | None
    char_count: int
    chunk_count: int
    token_estimate: int
    content: str | None = None
    feed: FeedState | None = None

    # What was attached of it can always be seen; a feed that was never fetched just says nothing yet.
    is_visible: ClassVar[bool] = True

    @property
    def is_readable(self) -> bool:
        return self.revision is not None


@dataclass(frozen=True)
class AttachedDocument:
    """A selection of a document and the way an agent uses it; sizes and content are those of the selection.

    Agents do not see drafts, nor selections of which no section is left.
    """

    document_id: str
    selection: Selection
    mode: str
    name: str
    updated_at: datetime
    revision: str
    char_count: int
    token_estimate: int
    is_draft: bool
    is_visible: bool
    missing_section_ids: tuple[str, ...] = ()
    content: str | None = None

    # It is prose: what it does not mention may well be there.
    complete: ClassVar[bool] = False

    @property
    def is_readable(self) -> bool:
        return self.is_visible


Attached = AttachedSource | AttachedDocument


@dataclass(frozen=True, slots=True)
class Edition:
    """What one conversation of an agent goes by: what was frozen, the live switch, and what is attached.

    `sources` are in the agent's order, documents among them; `missing` and `missing_documents` are the ids of what
    was deleted since.
    """

    project_id: str
    agent_id: str
    version: int | None
    locale: str
    knowledge_enabled: bool
    instructions: str
    min_score: float
    max_result_tokens: int
    sources: tuple[Attached, ...]
    missing: tuple[str, ...] = ()
    missing_documents: tuple[str, ...] = ()

    @property
    def always(self) -> tuple[Attached, ...]:
        """What stands in the prompt; nothing while knowledge is switched off."""
        return self._of(Mode.ALWAYS)

    @property
    def searchable(self) -> tuple[Attached, ...]:
        """What the agent looks things up in; nothing while knowledge is switched off."""
        return self._of(Mode.SEARCHABLE)

    @property
    def always_characters(self) -> int:
        """How much of what always stands in the prompt there is together."""
        return sum(attached.char_count for attached in self.always)

    @property
    def has_unreadable(self) -> bool:
        """Whether something that the agent should look things up in is gone, a draft, or was never fetched."""
        searchable = [attached for attached in self.sources if attached.mode == Mode.SEARCHABLE]
        return bool(self.missing or self.missing_documents) or not all(one.is_readable for one in searchable)

    def _of(self, mode: Mode) -> tuple[Attached, ...]:
        if not self.knowledge_enabled:
            return ()
        return tuple(attached for attached in self.sources if attached.mode == mode and attached.is_visible)
