"""The list of agents: which are ready, what is in use, and what each turn costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.agents import readiness
from apps.agents.editions import Edition
from apps.agents.models import Agent
from apps.agents.queries import agents_of, read_drafts, read_published, versions_in_use
from apps.dashboard.agents.budget import Budget, budget_of
from apps.dashboard.language import DIRECTIONS, words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of


@dataclass(frozen=True, slots=True)
class Listed:
    """An agent with how it stands, and the budget of what is in use."""

    agent: Agent
    standing: str
    budget: Budget
    attached: int


@page
def agents(request: HttpRequest, place: Place) -> HttpResponse:
    shown = page_of(request, place, agents_of(place.project.id))
    drafts = {edition.agent_id: edition for edition in read_drafts(place.project.id, shown.data)}
    published = {edition.agent_id: edition for edition in read_published(place.project.id, shown.data)}
    direction, now = DIRECTIONS[words_of(request).language], timezone.now()
    listed = [_listed(agent, drafts, published, direction, now) for agent in shown.data]
    return render(request, "dashboard/agents/agents.html", {"listed": listed, "next_cursor": shown.next_cursor})


def _listed(
    agent: Agent,
    drafts: Mapping[str, Edition],
    published: Mapping[str, Edition],
    direction: str,
    now: datetime,
) -> Listed:
    editions = [drafts[agent.id] if version is None else published[agent.id] for version in versions_in_use(agent)]
    in_use = editions[0]
    return Listed(agent, standing_of(editions, now), budget_of(in_use, direction=direction), len(in_use.sources))


def standing_of(editions: list[Edition], now: datetime) -> str:
    """The worst that is to be said of an agent's editions; the prompts are not read for it, only measured."""
    found = [
        issue
        for edition in editions
        for issue in readiness.judge(edition, client_units=edition.always_characters, now=now)
    ]
    if not readiness.is_ready(found):
        return "not_ready"
    return "look" if found else "ready"
