"""The first page: what is running, where the reference is, and a search box for members."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.dashboard.context import words
from apps.dashboard.highlights import pieces
from apps.knowledge import lookup
from apps.projects import queries
from apps.projects.models import Project
from apps.projects.scoping import project_scope
from apps.rest import health

MAX_QUERY_LENGTH: Final = 2_000


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    page = {**_status(request), **_search(request)}
    return render(request, "dashboard/home.html", page)


def _status(request: HttpRequest) -> dict[str, Any]:
    titles = words(request)["t"]
    passed = {name: health.outcome_of(name, check)["status"] == "ok" for name, check in health.CHECKS.items()}
    parts = [{"title": titles[name], "ok": ok} for name, ok in passed.items()]
    return {"ready": all(passed.values()), "parts": parts}


def _search(request: HttpRequest) -> dict[str, Any]:
    """The member's projects, and the result when something was asked of one of them."""
    if not request.user.is_authenticated:
        return {}
    projects = [project for project, _role in queries.projects_of(request.user.pk)]
    if not projects:
        return {}
    chosen = _chosen(projects, request.GET.get("project"))
    query = request.GET.get("q", "").replace("\0", "").strip()
    shown = {"projects": projects, "chosen": chosen, "query": query}
    if len(query) > MAX_QUERY_LENGTH:
        return {**shown, "problem": words(request)["t"]["too_long"]}
    if not query:
        return shown
    return {**shown, **_result(chosen, query)}


def _chosen(projects: list[Project], project_id: str | None) -> Project:
    """The project asked for when the person is a member of it, else the first of theirs."""
    return next((project for project in projects if project.id == project_id), projects[0])


def _result(project: Project, query: str) -> dict[str, Any]:
    with project_scope(project.id):
        result = lookup.search(project.id, query)
    hits = [{**hit, "pieces": list(pieces(hit["text"], hit["highlights"]))} for hit in result["hits"]]
    return {"result": result, "hits": hits, "line_direction": "rtl" if project.locale == "ar" else "ltr"}
