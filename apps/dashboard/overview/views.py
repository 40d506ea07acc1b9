"""A project at a glance: is everything fresh, what failed, what is searched and not found, and what it costs."""

from datetime import timedelta
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from apps.agents.advice import ADVISED_ALWAYS_TOKENS
from apps.agents.editions import Edition
from apps.agents.queries import agents_of, read_drafts
from apps.dashboard.language import DIRECTIONS, words_of
from apps.dashboard.overview.attention import attention
from apps.dashboard.overview.cost import costs_of
from apps.dashboard.overview.steps import first_steps
from apps.dashboard.pages import Place, page
from apps.dashboard.settings.chart import chart_of
from apps.knowledge import queries as knowledge

SHOWN_DAYS: Final = 7
SHOWN_QUESTIONS: Final = 5
# More are not looked at here: their pages say how they stand.
LOOKED_AT_AGENTS: Final = 50


@page
def overview(request: HttpRequest, place: Place) -> HttpResponse:
    t, project_id = words_of(request), place.project.id
    today = timezone.now().date()
    first_day = today - timedelta(days=SHOWN_DAYS - 1)
    days = knowledge.asked_by_day(project_id, first=first_day, last=today)
    totals, drafts = knowledge.totals(project_id), _drafts(project_id)
    shown = {
        "attention": attention(place, drafts, t),
        "totals": totals,
        "first_day": first_day,
        "chart": chart_of(days, direction=DIRECTIONS[t.language]),
        "missed": knowledge.top_missed(project_id, since=first_day, count=SHOWN_QUESTIONS),
        "asked": knowledge.top_asked(project_id, since=first_day, count=SHOWN_QUESTIONS),
        "costs": costs_of(drafts),
        "advised": ADVISED_ALWAYS_TOKENS,
        "steps": first_steps(place, has_sources=totals.sources > 0, has_agents=bool(drafts)),
    }
    return render(request, "dashboard/overview/overview.html", shown)


def _drafts(project_id: str) -> list[tuple[str, Edition]]:
    """Agents by name, as their drafts have them."""
    agents = list(agents_of(project_id).order_by("name", "id")[:LOOKED_AT_AGENTS])
    names = {agent.id: agent.name for agent in agents}
    return [(names[edition.agent_id], edition) for edition in read_drafts(project_id, agents)]
