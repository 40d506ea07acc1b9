"""The first page of a project: how things stand, at a glance."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.pages import Place, page


@page
def overview(request: HttpRequest, place: Place) -> HttpResponse:
    return render(request, "dashboard/overview/overview.html", {})
