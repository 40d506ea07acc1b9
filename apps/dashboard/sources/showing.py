"""One source: what is in it, how it stands with its feed, who uses it, and its content to take along."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.sources.looks import columns_of, rows_of
from apps.dashboard.sources.states import standing_of
from apps.dashboard.sources.syncing import syncing_of
from apps.kernel.errors import AppError
from apps.knowledge import chunk_csv, corpus, presenters, queries
from apps.knowledge.models import Source
from apps.knowledge.shelf import RevisionGoneError
from apps.search.chunks import Chunk
from apps.search.segment import Segment, compile_segment

PAGE_LENGTH: Final = 50
_LONGEST_POSITION: Final = 9


@page
def source(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    shown = queries.get_listed_source(place.project.id, source_id)
    language = words_of(request).language
    try:
        pieces = _pieces_of(shown, request.GET.get("from", ""))
    except RevisionGoneError:
        return redirect(request.get_full_path())
    return render(
        request,
        "dashboard/sources/source.html",
        {
            "source": shown,
            "revision": shown.revision,
            "standing": standing_of(shown),
            "warnings": presenters.listed_source(shown, language=language)["warnings"],
            "pieces": pieces,
            "syncing": syncing_of(shown, language=language),
            "users": queries.users_of_source(place.project.id, shown.id),
        },
    )


# --- pieces -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pieces:
    """A page of a source's pieces; positions count from 1."""

    first: int
    last: int
    total: int
    chunks: Sequence[Chunk]

    @property
    def before(self) -> int:
        return max(self.first - PAGE_LENGTH, 1)

    @property
    def has_more(self) -> bool:
        return self.last < self.total

    @property
    def columns(self) -> Sequence[str]:
        return columns_of(self.chunks)

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        return rows_of(self.chunks, self.columns)

    @property
    def groups(self) -> list[tuple[str | None, list[tuple[int, str]]]]:
        """The pieces under their headings, each with its position."""
        numbered = enumerate(self.chunks, start=self.first)
        by_group = groupby(numbered, key=lambda pair: pair[1].group)
        return [(group, [(at, chunk.text) for at, chunk in members]) for group, members in by_group]


def _pieces_of(shown: Source, first: str) -> Pieces | None:
    """The pieces from a position on, which is a wish of whoever wrote the address."""
    if shown.revision is None:
        return None
    segment = corpus.segment_of(shown.revision)
    start = (
        wished - 1 if first.isascii() and first.isdigit() and 1 <= (wished := int(first[:9])) <= len(segment) else 0
    )
    stop = min(start + PAGE_LENGTH, len(segment))
    return Pieces(start + 1, stop, len(segment), [segment.chunk(at) for at in range(start, stop)])


# --- to take along ------------------------------------------------------------------------------------------


@page
def download_source(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:  # noqa: ARG001 -- a page
    """The content as it is stored; never as a table, which a spreadsheet would calculate."""
    shown = queries.get_source(place.project.id, source_id)
    content = "" if shown.revision is None else shown.revision.content
    return HttpResponse(content, content_type="text/plain; charset=utf-8", headers=_as_file(f"{shown.name}.txt"))


@page
def export_source(request: HttpRequest, place: Place, source_id: str) -> Any:  # noqa: ARG001 -- a page
    """The pieces as a table, made while it is sent."""
    shown = queries.get_listed_source(place.project.id, source_id)
    pieces = chunk_csv.written(_segment_of(shown))
    return StreamingHttpResponse(
        pieces, content_type="text/csv; charset=utf-8", headers=_as_file(f"{shown.name}.csv")
    )


def _segment_of(shown: Source) -> Segment:
    if shown.revision is None:
        return Segment(compile_segment([]))
    try:
        return corpus.segment_of(shown.revision)
    except RevisionGoneError as error:
        raise AppError("service_unavailable") from error


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or "attachment"}
