"""Changing an agent: its name and words, the switches that hold for every version, and deleting it."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.agents import queries, services
from apps.agents.models import Agent
from apps.dashboard.agents.forms import DraftForm, NewAgent, SwitchesForm
from apps.dashboard.agents.showing import heading
from apps.dashboard.agents.states import state_of_switches, state_of_words
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, ask, page
from apps.dashboard.sources.differing import ShownHunk, shown_hunks
from apps.gateway.queries import clients_of
from apps.knowledge.differences import Difference, compare


@page
def new_agent(request: HttpRequest, place: Place) -> HttpResponse:
    form = NewAgent(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = form.attempt(
            lambda: services.create_agent(place.project.id, **form.cleaned_data, actor=place.actor),
        )
        if made is not None:
            messages.success(request, words_of(request)("agents.created"))
            return redirect("agent", place.project.id, made.id)
    return render(request, "dashboard/agents/new.html", {"form": form})


# --- the draft's words --------------------------------------------------------------------------------------


@page
def edit_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id, lock=request.method == "POST")
    state = state_of_words(agent)
    known = {name: getattr(agent, name) for name in ("name", "instructions", "max_result_tokens")}
    known["min_score"] = f"{agent.min_score:g}"
    form = DraftForm(request.POST or None, initial={**known, "seen": state})
    if request.method != "POST" or not form.is_valid():
        return _editor(request, agent, form)
    if form.came_late(state):
        difference = compare(agent.instructions, form.cleaned_data["instructions"])
        return _editor(request, agent, form, difference=difference, hunks=list(shown_hunks(difference)))
    if form.attempt(partial(_change_words, agent, form.cleaned_data, place)) is None:
        return _editor(request, agent, form)
    messages.success(request, words_of(request)("agents.saved"))
    return redirect("agent", place.project.id, agent.id)


def _change_words(agent: Agent, sent: dict[str, Any], place: Place) -> Agent:
    limits = {"min_score": sent["min_score"], "max_result_tokens": sent["max_result_tokens"]}
    return services.update_agent(
        agent, name=sent["name"], instructions=sent["instructions"], knowledge=limits, actor=place.actor
    )


def _editor(
    request: HttpRequest,
    agent: Agent,
    form: DraftForm,
    *,
    difference: Difference | None = None,
    hunks: Sequence[ShownHunk] = (),
) -> HttpResponse:
    """The form; with a difference when it came late: what it makes of what is saved now."""
    about = {**heading(agent), "form": form, "difference": difference, "hunks": hunks}
    return render(request, "dashboard/agents/edit.html", about, status=200 if difference is None else 409)


# --- live switches ------------------------------------------------------------------------------------------


@page
def agent_switches(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id, lock=request.method == "POST")
    state = state_of_switches(agent)
    known = {name: getattr(agent, name) for name in _SWITCHES}
    known["client_audiences"] = "\n".join(agent.client_audiences)
    form = SwitchesForm(request.POST or None, initial={**known, "seen": state})
    if request.method != "POST" or not form.is_valid():
        return _switchboard(request, agent, form)
    if form.came_late(state):
        return _switchboard(request, agent, form, is_late=True)
    if form.attempt(partial(_switch, agent, form.cleaned_data, place)) is None:
        return _switchboard(request, agent, form)
    messages.success(request, words_of(request)("agents.switched"))
    return redirect("agent", place.project.id, agent.id)


def _switchboard(request: HttpRequest, agent: Agent, form: SwitchesForm, *, is_late: bool = False) -> HttpResponse:
    about = {**heading(agent), "form": form, "is_late": is_late, "clients": clients_on(agent)}
    return render(request, "dashboard/agents/switches.html", about, status=409 if is_late else 200)


_SWITCHES: Final = ("knowledge_enabled", "route", "client_enabled", "client_audiences", "client_instructions")


def _switch(agent: Agent, sent: dict[str, Any], place: Place) -> Agent:
    return services.update_agent(
        agent,
        route=sent["route"],
        knowledge={"enabled": sent["knowledge_enabled"]},
        agent_client={
            "enabled": sent["client_enabled"],
            "audiences": sent["client_audiences"],
            "instructions": sent["client_instructions"],
        },
        actor=place.actor,
    )


def clients_on(agent: Agent) -> list[str]:
    """The names of the agent clients that reach the agent by its route."""
    if agent.route is None:
        return []
    clients = clients_of(agent.project_id).filter(allowed_routes__contains=[agent.route])
    return list(clients.order_by("name").values_list("name", flat=True))


# --- deleting -----------------------------------------------------------------------------------------------


@page
def delete_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id, lock=True)
    t = words_of(request)
    if request.method != "POST":
        return ask(request, _deletion(request, place, agent))
    name = agent.name
    services.delete_agent(agent, actor=place.actor)
    messages.success(request, t.html("agents.deleted", name=name))
    return redirect("agents", place.project.id)


def _deletion(request: HttpRequest, place: Place, agent: Agent) -> Question:
    t = words_of(request)
    versions, runs = queries.versions_of(agent).count(), queries.runs_of(agent).count()
    lost = [t("agents.lost_draft"), t.count("agents.lost_versions", versions), t.count("agents.lost_runs", runs)]
    if agent.route is not None:
        lost.append(t.html("agents.lost_route", route=agent.route))
    lost += [t.html("agents.lost_client", client=name) for name in clients_on(agent)]
    return Question(
        title=t.html("agents.delete_title", name=agent.name),
        lost=lost,
        action=t("agents.delete"),
        back=reverse("agent", args=[place.project.id, agent.id]),
    )
