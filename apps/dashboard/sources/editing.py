"""The one address under which a source is edited, whatever its kind."""

from django.http import HttpRequest, HttpResponse

from apps.dashboard.pages import Place, page
from apps.dashboard.sources.feeds import edit_feed
from apps.dashboard.sources.writing import edit_content
from apps.knowledge import queries


@page
def edit_source(request: HttpRequest, place: Place, source_id: str) -> HttpResponse:
    source = queries.get_source(place.project.id, source_id, lock=request.method == "POST")
    edit = edit_feed if source.kind == "api" else edit_content
    return edit(request, place, source)
