"""Trying an agent: a run of its draft, in which a person searches as the model would and reads what it is told."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.agents import queries, runs
from apps.agents.models import Agent, Run
from apps.dashboard.agents.forms import QuestionForm
from apps.dashboard.agents.runs import shown_steps
from apps.dashboard.agents.showing import heading
from apps.dashboard.pages import Place, page
from apps.knowledge.examples import list_examples

SHOWN_EXAMPLES: Final = 5


@page
def try_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    if request.method != "POST":
        agent = queries.get_agent(place.project.id, agent_id)
        return _bench(request, place, agent, QuestionForm(initial={"run": request.GET.get("run", "")}))
    agent = queries.get_agent(place.project.id, agent_id)
    form = QuestionForm(request.POST)
    if form.is_valid():
        run = form.attempt(lambda: _asked(agent, form.cleaned_data["question"], form.cleaned_data["run"]))
        if run is not None:
            return redirect(reverse("try_agent", args=[place.project.id, agent.id]) + f"?run={run.id}#latest")
    return _bench(request, place, agent, form)


def _asked(agent: Agent, question: str, run_id: str) -> Run:
    """Search in a run that goes on, or in a new one of the draft; nobody's question, so it is not counted."""
    if run_id:
        run = queries.get_run(agent, run_id, lock=True)
    else:
        run = runs.start_run(queries.read_edition(agent, None, with_content=True)).run
    runs.search_in_run(run, queries.read_edition(agent, run.version), question, counted=False)
    return run


def _bench(request: HttpRequest, place: Place, agent: Agent, form: QuestionForm) -> HttpResponse:
    run_id = str(form["run"].value() or "").replace("\0", "")
    run = queries.get_run(agent, run_id) if run_id else None
    edition = queries.read_edition(agent, None if run is None else run.version)
    about: dict[str, Any] = {
        **heading(agent),
        "form": form,
        "run": run,
        "edition": edition,
        "steps": [] if run is None else shown_steps(run, list(queries.steps_of(run))),
        "examples": [] if run else list_examples(place.project.id)[:SHOWN_EXAMPLES],
    }
    return render(request, "dashboard/agents/try.html", about)
