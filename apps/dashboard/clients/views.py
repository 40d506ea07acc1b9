"""Agent clients: the list, writing one, secrets shown once, and the sessions that people have with it."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.agents.queries import agents_of
from apps.dashboard.clients.forms import ClientForm, NewClient
from apps.dashboard.language import current_language, words_of
from apps.dashboard.pages import Place, Question, ask, page
from apps.dashboard.paging import page_of
from apps.gateway import clients, presenters, queries, sessions
from apps.gateway.clients import Secrets
from apps.gateway.models import AgentClient, RevokedReason


@page
def agent_clients(request: HttpRequest, place: Place) -> HttpResponse:
    shown = page_of(request, place, queries.clients_of(place.project.id))
    return render(request, "dashboard/clients/clients.html", {"page": shown})


@page
def new_agent_client(request: HttpRequest, place: Place) -> HttpResponse:
    form = NewClient(request.POST or None, routes=_routes_of(place))
    if request.method == "POST" and form.is_valid():
        made = form.attempt(
            lambda: clients.create_client(place.project.id, **form.cleaned_data, actor=place.actor),
        )
        if made is not None:
            return _shown_once(request, *made)
    return render(request, "dashboard/clients/write.html", {"form": form})


@page
def agent_client(request: HttpRequest, place: Place, agent_client_id: str) -> HttpResponse:
    client = queries.get_client(place.project.id, agent_client_id)
    present = partial(presenters.agent_session, now=timezone.now())
    shown = page_of(request, place, queries.sessions_of(place.project.id).filter(client=client), present)
    return render(
        request,
        "dashboard/clients/client.html",
        {"client": client, "page": shown, "warnings": _warnings_of(client)},
    )


@page
def edit_agent_client(request: HttpRequest, place: Place, agent_client_id: str) -> HttpResponse:
    client = queries.get_client(place.project.id, agent_client_id, lock=True)
    known = {name: getattr(client, name) for name in ClientForm.base_fields}
    form = ClientForm(request.POST or None, initial=known, routes=_routes_of(place, client))
    if request.method == "POST" and form.is_valid():
        change = partial(clients.update_client, client, **form.cleaned_data, actor=place.actor)
        if form.attempt(change) is not None:
            messages.success(request, words_of(request)("clients.said_saved"))
            return redirect("agent_client", place.project.id, client.id)
    return render(request, "dashboard/clients/write.html", {"form": form, "client": client})


@page
def rotate_client_token(request: HttpRequest, place: Place, agent_client_id: str) -> HttpResponse:
    client = queries.get_client(place.project.id, agent_client_id, lock=True)
    if request.method != "POST":
        return ask(request, _question(request, place, client, "rotate"))
    return _shown_once(request, client, clients.rotate_token(client, actor=place.actor))


@page
def remove_agent_client(request: HttpRequest, place: Place, agent_client_id: str) -> HttpResponse:
    client = queries.get_client(place.project.id, agent_client_id, lock=True)
    if request.method != "POST":
        return ask(request, _question(request, place, client, "remove"))
    name = client.name
    clients.delete_client(client, actor=place.actor)
    messages.success(request, words_of(request).html("clients.said_removed", name=name))
    return redirect("agent_clients", place.project.id)


@page
def end_agent_session(request: HttpRequest, place: Place, session_id: str) -> HttpResponse:
    session, t = queries.get_session(place.project.id, session_id, lock=True), words_of(request)
    back = reverse("agent_client", args=[place.project.id, session.client_id])
    if request.method != "POST":
        title = t.html("clients.end_title", person=session.on_behalf_of)
        return ask(request, Question(title, [t("clients.end_lost")], t("clients.end"), back))
    sessions.revoke(session, RevokedReason.PROJECT, actor=place.actor)
    messages.success(request, t("clients.said_ended"))
    return redirect(back)


def _routes_of(place: Place, client: AgentClient | None = None) -> list[str]:
    """Routes of the project's agents, and those that the client has although no agent goes by them now."""
    routes = agents_of(place.project.id).exclude(route=None).order_by("route").values_list("route", flat=True)
    allowed = client.allowed_routes if client else []
    return list(dict.fromkeys([*(route for route in routes if route), *allowed]))


def _warnings_of(client: AgentClient) -> list[dict[str, Any]]:
    workspaces = queries.workspace_routes(client.project_id)
    return presenters.client_warnings(client, workspaces, language=current_language())


def _question(request: HttpRequest, place: Place, client: AgentClient, deed: str) -> Question:
    t = words_of(request)
    return Question(
        title=t.html(f"clients.{deed}_title", name=client.name),
        lost=[t(f"clients.{deed}_lost")],
        action=t("clients.rotate" if deed == "rotate" else "clients.remove_action"),
        back=reverse("agent_client", args=[place.project.id, client.id]),
    )


def _shown_once(request: HttpRequest, client: AgentClient, secrets: Secrets) -> HttpResponse:
    """The only page that ever holds a client's secrets; no browser is to keep it, and neither is the session."""
    response = render(
        request,
        "dashboard/clients/shown_once.html",
        {"client": client, "secrets": secrets, "warnings": _warnings_of(client)},
    )
    response["Cache-Control"] = "no-store"
    return response
