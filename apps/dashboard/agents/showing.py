"""One agent: how it stands, what it knows and costs, its draft and its live switches, and what it was used for."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.agents import queries
from apps.agents.models import Agent
from apps.dashboard.agents.arranging import key_of_attached
from apps.dashboard.agents.budget import budget_of
from apps.dashboard.agents.mending import concerns_of, is_ready
from apps.dashboard.language import DIRECTIONS, words_of
from apps.dashboard.pages import Place, page
from apps.knowledge import tokens

SHOWN_RUNS: Final = 5


@page
def agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    shown = queries.get_agent(place.project.id, agent_id)
    t = words_of(request)
    draft = queries.read_edition(shown, None)
    budget = budget_of(draft, direction=DIRECTIONS[t.language])
    shades = {key_of_attached(share.attached): share.shade for share in budget.shares}
    concerns = concerns_of(place, shown, language=t.language)
    runs = list(queries.runs_of(shown).order_by("-created_at", "-id")[:SHOWN_RUNS])
    searches = queries.searches_of(place.project.id, runs)
    about = {
        **heading(shown),
        "attached": [(one, key_of_attached(one), shades.get(key_of_attached(one))) for one in draft.sources],
        "budget": budget,
        "worth_searching": {key_of_attached(one) for one in budget.worth_searching},
        "instruction_tokens": tokens.estimate(shown.instructions),
        "concerns": concerns,
        "is_ready": is_ready(concerns),
        "runs": [(run, searches[run.id]) for run in runs],
    }
    return render(request, "dashboard/agents/agent.html", about)


def heading(agent: Agent) -> dict[str, Any]:
    """What stands on top of every page of an agent."""
    has_news = agent.published_version is None or agent.is_changed
    return {"agent": agent, "has_news": has_news}
