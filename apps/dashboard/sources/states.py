"""How a source stands, in a word and a tone, and which state of it somebody has seen."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from apps.knowledge import presenters, warnings
from apps.knowledge.models import FeedStatus, Source
from apps.rest.etag import etag_of

_TONES: Final = {
    FeedStatus.NEVER: "warn",
    FeedStatus.QUEUED: "info",
    FeedStatus.RUNNING: "info",
    FeedStatus.OK: "ok",
    FeedStatus.FAILING: "bad",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What a badge says of a source: the key of its words, its tone, and since when the content is as it is."""

    text: str
    tone: str
    fresh_at: datetime | None


def standing_of(source: Source) -> Standing:
    feed = presenters.feed_of(source)
    doubts = source.warnings if feed is None else [*source.warnings, *feed.warnings]
    is_doubtful = not warnings.SPOIL_EVIDENCE.isdisjoint(doubts)
    if feed is None:
        text, tone = ("state_doubtful", "warn") if is_doubtful else ("state_live", "ok")
        return Standing(text, tone, source.updated_at)
    status = FeedStatus(feed.status)
    if status == FeedStatus.OK and is_doubtful:
        return Standing("state_doubtful", "warn", feed.last_success_at)
    return Standing(f"state_{status.value}", _TONES[status], feed.last_success_at)


def state_of(source: Source) -> str:
    """What an edit starts from and must still find; a sync that brings a feed's news is nobody's edit."""
    content = None if source.kind == "api" or source.revision is None else source.revision.sha256
    return etag_of({"name": source.name, "config": source.config, "complete": source.complete, "revision": content})
