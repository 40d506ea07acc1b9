"""What a member should look at: everything that is not as it should be, the worst first, with where to go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils import timezone

from apps.agents import readiness
from apps.agents.editions import Edition
from apps.dashboard.issues import sentences_of
from apps.dashboard.pages import Place
from apps.dashboard.texts import Words
from apps.knowledge import presenters as knowledge
from apps.knowledge.models import FeedStatus, Source
from apps.knowledge.queries import OVERDUE, troubled_sources
from apps.webhooks import queries as webhooks

SHOWN_SOURCES: Final = 5
SHOWN_ENDPOINTS: Final = 3
_A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing to look at, in the reader's words; `since` is the age of the copy that is still in use."""

    tone: str
    title: str
    text: str
    address: str
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Attention:
    """What is shown, and how many further sources are in trouble."""

    concerns: Sequence[Concern]
    more_sources: int

    @property
    def count(self) -> int:
        return len(self.concerns) + self.more_sources

    @property
    def tone(self) -> str:
        return "bad" if any(concern.tone == "bad" for concern in self.concerns) else "warn"


def attention(place: Place, drafts: Sequence[tuple[str, Edition]], t: Words) -> Attention:
    """`drafts` are the project's agents by name."""
    now = timezone.now()
    troubled = troubled_sources(place.project.id, now=now)
    concerns = [_of_source(source, place, t, now) for source in troubled[:SHOWN_SOURCES]]
    more_sources = troubled.count() - SHOWN_SOURCES if len(concerns) == SHOWN_SOURCES else 0
    concerns += [*_of_webhooks(place, t, now), *_of_agents(place, drafts, t, now)]
    return Attention(sorted(concerns, key=lambda one: one.tone != "bad"), more_sources)


def _of_source(source: Source, place: Place, t: Words, now: datetime) -> Concern:
    shown, feed = knowledge.listed_source(source, language=t.language), knowledge.feed_of(source)
    address = reverse("source", args=[place.project.id, source.id])

    def concern(tone: str, kind: str, text: str, since: datetime | None = None) -> Concern:
        return Concern(tone, t.html(f"overview.{kind}", name=source.name), text, address, since)

    if feed is not None and feed.status == FeedStatus.FAILING:
        return concern("bad", "failing", shown["sync"]["error"]["message"], feed.last_success_at)
    if feed is not None and feed.last_success_at is None:
        return concern("warn", "unread", t("overview.unread_text"))
    if feed is not None and feed.next_sync_at is not None and feed.next_sync_at < now - OVERDUE:
        return concern("warn", "overdue", t("overview.overdue_text"), feed.last_success_at)
    return concern("warn", "doubted", " ".join(warning["message"] for warning in shown["warnings"]))


def _of_webhooks(place: Place, t: Words, now: datetime) -> Iterator[Concern]:
    """Only for those who may open the pages of webhooks."""
    if not place.may["webhooks"]:
        return
    project_id = place.project.id
    for endpoint in webhooks.stopped_endpoints(project_id)[:SHOWN_ENDPOINTS]:
        title = t.html("overview.stopped", host=urlsplit(endpoint.url).hostname)
        address = reverse("webhook", args=[project_id, endpoint.id])
        yield Concern("bad", title, t("overview.stopped_text"), address)
    given_up = webhooks.failed_deliveries(project_id, since=now - _A_DAY)
    if given_up:
        said = t.count("overview.given_up", given_up)
        yield Concern("warn", said, t("overview.given_up_text"), reverse("webhooks", args=[project_id]))


def _of_agents(place: Place, drafts: Sequence[tuple[str, Edition]], t: Words, now: datetime) -> Iterator[Concern]:
    """What keeps an agent from answering; what its sources lack has been said of them."""
    for name, edition in drafts:
        found = readiness.judge(edition, client_units=0, now=now)
        grave = [issue for issue in found if issue.severity == "error" and issue.code != "knowledge_never_synced"]
        if grave:
            text = sentences_of(grave, t.language)
            address = reverse("agent", args=[place.project.id, edition.agent_id])
            yield Concern("bad", t.html("overview.not_ready", name=name), text, address)
