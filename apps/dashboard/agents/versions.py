"""Versions of an agent: what each froze, what differs from the draft, publishing, and starting from one again."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.agents import queries, services
from apps.agents.models import Agent, AgentVersion
from apps.agents.queries import Attaching
from apps.dashboard.agents.arranging import as_given, key_of
from apps.dashboard.agents.budget import budget_of
from apps.dashboard.agents.changes import Changes, Frozen, changes_between
from apps.dashboard.agents.mending import concerns_of
from apps.dashboard.agents.naming import name_of, names_of
from apps.dashboard.agents.showing import heading
from apps.dashboard.agents.states import state_of_draft
from apps.dashboard.agents.xray import version_asked
from apps.dashboard.digits import localised
from apps.dashboard.errors import sentence
from apps.dashboard.language import DIRECTIONS, words_of
from apps.dashboard.pages import Place, Question, act, ask, page
from apps.dashboard.paging import page_of
from apps.dashboard.sources.differing import shown_hunks
from apps.kernel.errors import AppError

PREVIOUS, DRAFT = "previous", "draft"


@page
def agent_versions(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id)
    shown = page_of(request, place, queries.versions_of(agent))
    attached = queries.attachments_by_version(agent, [version.number for version in shown.data])
    listed = [(version, len(attached[version.number])) for version in shown.data]
    about = {**heading(agent), "listed": listed, "next_cursor": shown.next_cursor}
    return render(request, "dashboard/agents/versions.html", about)


@page
def agent_version(request: HttpRequest, place: Place, agent_id: str, version: str) -> HttpResponse:
    """What a version froze, beside the draft or the version before it."""
    agent = queries.get_agent(place.project.id, agent_id)
    shown = _version(agent, version)
    this = Frozen.of(shown, queries.attached_by(agent, shown.number))
    names = names_of(place.project.id, this.attached)
    against = PREVIOUS if request.GET.get("against") == PREVIOUS else DRAFT
    pair = (_before(agent, shown, this), this) if against == PREVIOUS else (this, _draft(agent))
    about = {
        **heading(agent),
        "version": shown,
        "frozen": this,
        "against": against,
        **_compared(place, *pair),
        "given": [(name_of(names, one), one, key_of(one) in names) for one in this.attached],
    }
    return render(request, "dashboard/agents/version.html", about)


def _version(agent: Agent, asked: str) -> AgentVersion:
    """Raises `agent_version_not_found`."""
    return queries.get_version(agent, version_asked(asked) or 0)


def _draft(agent: Agent) -> Frozen:
    return Frozen.of(agent, queries.draft_of(agent))


def _frozen(agent: Agent, number: int) -> Frozen:
    return Frozen.of(queries.get_version(agent, number), queries.attached_by(agent, number))


def _before(agent: Agent, version: AgentVersion, this: Frozen) -> Frozen:
    """What the version before one froze; nothing before the first."""
    return this.blank if version.number == 1 else _frozen(agent, version.number - 1)


def _compared(place: Place, before: Frozen, after: Frozen) -> dict[str, Any]:
    """What differs, with what people call the attachments in it."""
    changes = changes_between(before, after)
    names = names_of(place.project.id, [change.one for change in changes.attached])
    return {
        "changes": changes,
        "attachment_changes": [(change, name_of(names, change.one)) for change in changes.attached],
        **_difference(changes, before.instructions, after.instructions),
    }


def _difference(changes: Changes, before: str, after: str) -> dict[str, Any]:
    """How instructions differ; those that came or went altogether are only shown."""
    if changes.instructions is None:
        return {}
    if not before or not after:
        return {"only": after or before, "only_sign": "added" if after else "removed"}
    return {"difference": changes.instructions, "hunks": list(shown_hunks(changes.instructions))}


# --- publishing ---------------------------------------------------------------------------------------------


@page
def publish_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id, lock=request.method == "POST")
    state = state_of_draft(agent, queries.draft_of(agent))
    if request.method != "POST":
        return _ask_publishing(request, place, agent, state)
    t = words_of(request)
    if request.POST.get("seen", "") not in {"", state}:
        return _ask_publishing(request, place, agent, state, problem=t("agents.draft_moved"))
    try:
        version = services.publish(agent, actor=place.actor)
    except AppError as error:
        return _ask_publishing(request, place, agent, state, problem=sentence(error, t.language))
    messages.success(request, t.html("agents.said_published", n=localised(version.number, t.language)))
    return redirect("agent", place.project.id, agent.id)


def _ask_publishing(
    request: HttpRequest, place: Place, agent: Agent, state: str, *, problem: str = ""
) -> HttpResponse:
    """What publishing changes, and what keeps the draft from answering well."""
    t = words_of(request)
    wanted, draft = _draft(agent), queries.read_edition(agent, None)
    before = wanted.blank if agent.published_version is None else _frozen(agent, agent.published_version)
    concerns = [one for one in concerns_of(place, agent, language=t.language) if None in one.versions]
    about = {
        **heading(agent),
        "state": state,
        "problem": problem,
        "concerns": concerns,
        "budget": budget_of(draft, direction=DIRECTIONS[t.language]),
        "attached": len(draft.sources),
        "next_version": (agent.published_version or 0) + 1,
        **_compared(place, before, wanted),
    }
    return render(request, "dashboard/agents/publish.html", about, status=409 if problem else 200)


# --- an earlier one again -----------------------------------------------------------------------------------


@page
def reuse_version(request: HttpRequest, place: Place, agent_id: str, version: str) -> HttpResponse:
    """Make the draft what a version was, without what has been deleted since."""
    agent = queries.get_agent(place.project.id, agent_id, lock=True)
    wanted, t = _version(agent, version), words_of(request)
    attached = queries.attached_by(agent, wanted.number)
    names = names_of(place.project.id, attached)
    if request.method != "POST":
        gone = [one for one in attached if key_of(one) not in names]
        return ask(request, _replacement(request, place, agent, wanted, gone))
    kept = [one for one in attached if key_of(one) in names]
    said = t.html("agents.reused", n=localised(wanted.number, t.language))
    act(request, lambda: _reuse(agent, wanted, kept, place), said)
    return redirect("agent", place.project.id, agent.id)


def _reuse(agent: Agent, version: AgentVersion, attached: Sequence[Attaching], place: Place) -> Agent:
    knowledge = {
        "min_score": version.min_score,
        "max_result_tokens": version.max_result_tokens,
        "sources": as_given(attached),
    }
    return services.update_agent(agent, instructions=version.instructions, knowledge=knowledge, actor=place.actor)


def _replacement(
    request: HttpRequest, place: Place, agent: Agent, version: AgentVersion, gone: Sequence[Attaching]
) -> Question:
    t = words_of(request)
    has_news = agent.published_version is None or agent.is_changed
    return Question(
        title=t.html("agents.reuse_title", n=localised(version.number, t.language)),
        lost=[
            t("agents.lost_changes" if has_news else "agents.lost_no_changes"),
            *(t.html("agents.reuse_without", id=one.attached_id) for one in gone),
        ],
        action=t("agents.reuse"),
        back=reverse("agent_version", args=[place.project.id, agent.id, version.number]),
        can_be_undone=not has_news,
    )
