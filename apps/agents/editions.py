"""An agent as its draft or one of its versions has it, with the sources it attaches as they are now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.agents.models import Mode


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


@dataclass(frozen=True, slots=True)
class Edition:
    """What one conversation of an agent goes by: what was frozen, the live switch, and the attached sources.

    `sources` are in the agent's order; `missing` are the ids of those that were deleted since.
    """

    project_id: str
    agent_id: str
    version: int | None
    locale: str
    knowledge_enabled: bool
    instructions: str
    min_score: float
    max_result_tokens: int
    sources: tuple[AttachedSource, ...]
    missing: tuple[str, ...] = ()

    @property
    def always(self) -> tuple[AttachedSource, ...]:
        """The sources that stand in the prompt; none while knowledge is switched off."""
        return self._of(Mode.ALWAYS)

    @property
    def searchable(self) -> tuple[AttachedSource, ...]:
        """The sources that the agent looks things up in; none while knowledge is switched off."""
        return self._of(Mode.SEARCHABLE)

    @property
    def always_characters(self) -> int:
        """How much the always-sources hold together."""
        return sum(source.char_count for source in self.always)

    def _of(self, mode: Mode) -> tuple[AttachedSource, ...]:
        if not self.knowledge_enabled:
            return ()
        return tuple(source for source in self.sources if source.mode == mode)
