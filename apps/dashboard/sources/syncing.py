"""How a source stands with its feed: fetching it now, and what came of the last fetches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.dashboard.language import DIRECTIONS, words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.chart import MOST_BARS, Chart, chart_of
from apps.kernel.errors import AppError
from apps.knowledge import errors, presenters, queries
from apps.knowledge.models import Feed, FeedStatus, RunStatus, Source, SyncRun
from apps.knowledge.sync import queue
from apps.rest.pagination import ListPlace, newest_first

LATEST: Final = 5
PAGE_LENGTH: Final = 25


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A fetch, and why it failed in the reader's words."""

    run: SyncRun
    error: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Syncing:
    """All that a page says of a feed."""

    feed: Feed
    error: Mapping[str, str] | None
    is_open: bool
    chart: Chart | None
    latest: Sequence[ShownRun]

    @property
    def http_status(self) -> int | None:
        """What the feed answered in the last fetch that failed."""
        failed = (shown.run for shown in self.latest if shown.run.status == RunStatus.FAILED)
        return next((run.http_status for run in failed), None)


def syncing_of(source: Source, *, language: str) -> Syncing | None:
    """None for a source without a feed."""
    feed = presenters.feed_of(source)
    if feed is None:
        return None
    runs = _latest_runs(source)
    return Syncing(
        feed=feed,
        error=presenters.sync(feed, language=language)["error"],
        is_open=feed.status in {FeedStatus.QUEUED, FeedStatus.RUNNING},
        chart=chart_of(runs, direction=DIRECTIONS[language]),
        latest=[_shown(run, language) for run in runs[:LATEST]],
    )


def _latest_runs(source: Source) -> list[SyncRun]:
    return list(queries.runs_of(source).order_by("-created_at", "-id")[:MOST_BARS])


def _shown(run: SyncRun, language: str) -> ShownRun:
    return ShownRun(run, presenters.sync_run(run, language=language)["error"])


@page
def sync_source(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    """Fetch the feed now; one that is being fetched goes on."""
    source = queries.get_source(place.project.id, source_id, lock=True)
    queue.request_sync(source)
    messages.info(request, words_of(request)("sources.sync_started"))
    return redirect("source", place.project.id, source.id)


@page
def source_runs(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    source = queries.get_listed_source(place.project.id, source_id)
    if source.kind != queue.API:
        raise AppError(errors.NOT_AN_API_SOURCE)
    language = words_of(request).language
    listed = newest_first(
        queries.runs_of(source),
        lambda run: _shown(run, language),
        place=ListPlace(place.project.id, place.actor, request.path, {}),
        limit=PAGE_LENGTH,
        cursor=request.GET.get("cursor"),
    )
    return render(
        request,
        "dashboard/sources/runs.html",
        {
            "source": source,
            "runs": listed.data,
            "next_cursor": listed.next_cursor,
            "chart": chart_of(_latest_runs(source), direction=DIRECTIONS[language]),
        },
    )
