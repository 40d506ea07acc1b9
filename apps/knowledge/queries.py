"""Everything that is read of sources and their contents, but for searching."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Case, Count, Max, Q, QuerySet, Sum, When
from django.db.models.fields.json import KeyTextTransform

from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.kernel.hooks import User
from apps.knowledge import errors
from apps.knowledge.kinds import MAX_ITEMS, MAX_LINE_LENGTH, MAX_TEXT_LENGTH
from apps.knowledge.models import BUSY, FeedStatus, QueryCount, Revision, Source, SyncRun
from apps.knowledge.sync.claims import PER_PROJECT, PER_PROJECT_A_MINUTE
from apps.projects.errors import KNOWLEDGE_SOURCE_NOT_FOUND
from apps.rest.views import KNOWLEDGE_BODY_LIMIT

_HEAVY_COLUMNS = ("content", "segment")


def visible_sources(project_id: str, visible: Collection[str] | None) -> QuerySet[Source]:
    """The project's sources, or only those of a limited key."""
    sources = Source.objects.for_project(project_id)
    return sources if visible is None else sources.filter(id__in=visible)


def list_sources(
    project_id: str,
    *,
    visible: Collection[str] | None = None,
    kind: str | None = None,
    sync_status: str | None = None,
    name_part: str | None = None,
    updated_since: datetime | None = None,
) -> QuerySet[Source]:
    """Sources with what a list shows of their revisions; every filter narrows, None does not."""
    sources = visible_sources(project_id, visible)
    if kind is not None:
        sources = sources.filter(kind=kind)
    if sync_status is not None:
        sources = sources.filter(feed__status=sync_status)
    if name_part is not None:
        sources = sources.filter(name__icontains=name_part)
    if updated_since is not None:
        sources = sources.filter(updated_at__gte=updated_since)
    return sources.select_related("revision", "feed").defer(*(f"revision__{column}" for column in _HEAVY_COLUMNS))


def get_source(
    project_id: str, source_id: str, *, visible: Collection[str] | None = None, lock: bool = False
) -> Source:
    """A source with its revision.

    Raises `knowledge_source_not_found`, and `key_limited_to_sources` for every id outside of `visible`, whether
    there is such a source or not.
    """
    if visible is not None and source_id not in visible:
        raise AppError("key_limited_to_sources")
    sources = visible_sources(project_id, visible).filter(id=source_id)
    shown = sources.select_related("revision", "feed").defer("revision__segment")
    source = _locked(sources) if lock else shown.first()
    if source is None:
        raise AppError(KNOWLEDGE_SOURCE_NOT_FOUND)
    return source


def get_listed_source(project_id: str, source_id: str) -> Source:
    """A source as a list shows it, without its content. Raises `knowledge_source_not_found`."""
    source = list_sources(project_id).filter(id=source_id).first()
    if source is None:
        raise AppError(KNOWLEDGE_SOURCE_NOT_FOUND)
    return source


def lock_source(project_id: str, source_id: str) -> Source | None:
    """The same for whoever knows what it means that the source is gone."""
    return _locked(visible_sources(project_id, None).filter(id=source_id))


_HOLD: Final = """
SELECT id FROM knowledge_source WHERE project_id = %s AND id = ANY(%s) ORDER BY id FOR KEY SHARE
"""


def hold_sources(project_id: str, source_ids: Collection[str]) -> set[str]:
    """Those of the sources that exist; none of them can be deleted before the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [project_id, list(source_ids)])
        return {row[0] for row in cursor.fetchall()}


def runs_of(source: Source) -> QuerySet[SyncRun]:
    return SyncRun.objects.for_project(source.project_id).filter(source_id=source.id)


def _locked(sources: QuerySet[Source]) -> Source | None:
    """The row is locked alone and its revision read afterwards: read together, it could be older than the lock."""
    source = sources.select_for_update().first()
    if source is not None and source.revision_id is not None:
        revisions = Revision.objects.for_project(source.project_id).defer(*_HEAVY_COLUMNS)
        source.revision = revisions.get(id=source.revision_id)
    return source


def earlier_revisions(source: Source) -> QuerySet[Revision]:
    revisions = Revision.objects.for_project(source.project_id).filter(source_id=source.id).defer(*_HEAVY_COLUMNS)
    return revisions if source.revision_id is None else revisions.exclude(id=source.revision_id)


def revision_before(source: Source, revision: Revision) -> Revision | None:
    """The content that the source had before another one, as far as it is kept."""
    revisions = Revision.objects.for_project(source.project_id).filter(source_id=source.id, id__lt=revision.id)
    return revisions.defer("segment").order_by("-id").first()


def get_revision(source: Source, sha256: str) -> Revision:
    """One content that the source has or had; raises `revision_not_found`."""
    revisions = Revision.objects.for_project(source.project_id).filter(source_id=source.id, sha256=sha256)
    revision = revisions.defer("segment").first()
    if revision is None:
        raise AppError(errors.REVISION_NOT_FOUND)
    return revision


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as it was folded, how often it was asked, and how often nothing was found."""

    words: str
    asked: int
    missed: int


def top_asked(project_id: str, *, since: date, count: int) -> list[AskedQuestion]:
    """The questions of all days since then that were asked most often."""
    return _first_questions(project_id, since, count, "-asked", "query")


def top_missed(project_id: str, *, since: date, count: int) -> list[AskedQuestion]:
    """The questions of all days since then that most often found nothing."""
    return _first_questions(project_id, since, count, "-missed", "-asked", "query", only=Q(missed__gt=0))


def _first_questions(
    project_id: str, since: date, count: int, *order: str, only: Q | None = None
) -> list[AskedQuestion]:
    counts = QueryCount.objects.for_project(project_id).filter(day__gte=since).values("query")
    summed = counts.annotate(asked=Sum("queries"), missed=Sum("misses")).filter(only or Q())
    rows = summed.order_by(*order)[:count]
    return [AskedQuestion(row["query"], row["asked"], row["missed"]) for row in rows]


def was_asked(project_id: str) -> bool:
    """Whether anybody searched the project in the last weeks, for as long as counts are kept."""
    return QueryCount.objects.for_project(project_id).exists()


@dataclass(frozen=True, slots=True)
class DayOfQuestions:
    """How many questions were asked on a day, and how many of them found nothing."""

    day: date
    asked: int
    missed: int


def asked_by_day(project_id: str, *, first: date, last: date) -> list[DayOfQuestions]:
    """Every day from the first to the last, those without a question among them."""
    counts = QueryCount.objects.for_project(project_id).filter(day__range=(first, last)).values("day")
    rows = {row["day"]: row for row in counts.annotate(asked=Sum("queries"), missed=Sum("misses"))}
    days = [first + timedelta(days=step) for step in range((last - first).days + 1)]
    none = {"asked": 0, "missed": 0}
    return [DayOfQuestions(day, rows.get(day, none)["asked"], rows.get(day, none)["missed"]) for day in days]


# --- how a project's sources stand together -----------------------------------------------------------------

# A feed that nobody fetched for so long after its time waits for a worker that is not there.
OVERDUE: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Totals:
    """All sources of a project together."""

    sources: int
    feeds: int
    tokens: int
    last_success_at: datetime | None
    last_change_at: datetime | None


def totals(project_id: str) -> Totals:
    summed = Source.objects.for_project(project_id).aggregate(
        sources=Count("id"),
        feeds=Count("feed"),
        tokens=Sum("revision__token_estimate", default=0),
        last_success_at=Max("feed__last_success_at"),
        last_change_at=Max("updated_at"),
    )
    return Totals(**summed)


def troubled_sources(project_id: str, *, now: datetime) -> QuerySet[Source]:
    """Sources that somebody should look at, the worst first: failing, never fetched, overdue, or in doubt."""
    is_failing = Q(feed__status=FeedStatus.FAILING)
    is_unread = Q(feed__isnull=False, feed__last_success_at=None) & ~Q(feed__status__in=BUSY)
    is_overdue = Q(feed__next_sync_at__lt=now - OVERDUE)
    is_doubted = Q(warnings__len__gt=0) | Q(feed__warnings__len__gt=0)
    worst_first = Case(When(is_failing, then=0), When(is_unread, then=1), When(is_overdue, then=2), default=3)
    troubled = list_sources(project_id).filter(is_failing | is_unread | is_overdue | is_doubted)
    return troubled.order_by(worst_first, "name", "id")


def users_of_source(project_id: str, source_id: str) -> list[User]:
    """The agents that use a source, as upper rooms tell."""
    return [user for find in hooks.source_users for user in find(project_id, source_id)]


# --- what lower rooms ask through hooks ---------------------------------------------------------------------


def known_ids(project_id: str, source_ids: list[str]) -> set[str]:
    return set(Source.objects.for_project(project_id).filter(id__in=source_ids).values_list("id", flat=True))


def usage(project_id: str) -> dict[str, int]:
    sources = Source.objects.for_project(project_id)
    characters = sources.aggregate(total=Sum("revision__char_count"))["total"]
    return {"knowledge_sources": sources.count(), "knowledge_characters": characters or 0}


def limits() -> dict[str, int]:
    return {
        "knowledge_body_bytes": KNOWLEDGE_BODY_LIMIT,
        "text_source_characters": MAX_TEXT_LENGTH,
        "catalog_line_characters": MAX_LINE_LENGTH,
        "catalog_items": MAX_ITEMS,
        "syncs_at_once": PER_PROJECT,
        "syncs_per_minute": PER_PROJECT_A_MINUTE,
    }


def users_of_secret(project_id: str, name: str) -> list[User]:
    """The sources that name a secret in a header."""
    headers = KeyTextTransform("headers", "config")
    sources = Source.objects.for_project(project_id).annotate(headers=headers)
    named = sources.filter(headers__contains=f"{{{{secret.{name}}}}}").order_by("created_at", "id")
    return [User(*row) for row in named.values_list("id", "name")]
