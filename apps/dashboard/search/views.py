"""The search bench: a question as customers type it, and what an agent would find."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.highlights import pieces
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.knowledge import lookup

MAX_QUERY_LENGTH: Final = 2_000


@page
def search(request: HttpRequest, place: Place) -> HttpResponse:
    query = request.GET.get("q", "").replace("\0", "").strip()
    shown: dict[str, Any] = {"query": query}
    if len(query) > MAX_QUERY_LENGTH:
        shown["problem"] = words_of(request)("search.too_long")
    elif query:
        result = lookup.search(place.project.id, query)
        shown["result"] = result
        shown["hits"] = [{**hit, "pieces": list(pieces(hit["text"], hit["highlights"]))} for hit in result["hits"]]
    return render(request, "dashboard/search/search.html", shown)
