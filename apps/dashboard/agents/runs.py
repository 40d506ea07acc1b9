"""Runs of an agent: what the model was told in each step, on which contents, and whether these changed since."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.agents import presenters, queries, replay
from apps.agents.models import Run, Step, StepKind
from apps.dashboard.agents.showing import heading
from apps.dashboard.pages import Place, page
from apps.dashboard.paging import page_of
from apps.dashboard.unseen import count_hidden
from apps.knowledge.documents.queries import list_documents
from apps.knowledge.queries import visible_sources


@page
def agent_runs(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id)
    shown = page_of(request, place, queries.runs_of(agent))
    searches = queries.searches_of(place.project.id, shown.data)
    about = {
        **heading(agent),
        "listed": [(run, searches[run.id]) for run in shown.data],
        "next_cursor": shown.next_cursor,
    }
    return render(request, "dashboard/agents/runs.html", about)


@page
def agent_run(request: HttpRequest, place: Place, agent_id: str, run_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id)
    run = queries.get_run(agent, run_id)
    steps = list(queries.steps_of(run))
    is_repeated = bool(request.GET.get("repeat"))
    about = {
        **heading(agent),
        "run": run,
        "steps": shown_steps(run, steps, with_outcomes=is_repeated),
        "is_repeated": is_repeated,
    }
    return render(request, "dashboard/agents/run.html", about)


# --- steps --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source or document as a step names it, and what became of it since: same, changed or gone."""

    named: Mapping[str, Any]
    since: str


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One step; `text` is the prompt, None also when it cannot be put together any more."""

    step: Mapping[str, Any]
    is_prompt: bool
    sources: Sequence[ShownSource]
    text: str | None
    hidden: int
    hits: Sequence[tuple[Mapping[str, Any], str]]
    outcome: str


def shown_steps(run: Run, steps: Sequence[Step], *, with_outcomes: bool = False) -> list[ShownStep]:
    revisions = _revisions_now(run.project_id, (source for step in steps for source in step.sources))
    return [_shown(run, step, revisions, with_outcome=with_outcomes) for step in steps]


def _shown(run: Run, step: Step, revisions: Mapping[str, str | None], *, with_outcome: bool) -> ShownStep:
    is_prompt = step.kind == StepKind.PROMPT
    text = replay.prompt_text(run, step) if is_prompt else None
    told = presenters.step(step, text=text)
    names = {_key(source): source["source_name"] for source in told["sources"]}
    return ShownStep(
        step=told,
        is_prompt=is_prompt,
        sources=[ShownSource(source, _since(source, revisions)) for source in told["sources"]],
        text=text,
        hidden=count_hidden(text or told["content"] or ""),
        hits=[(hit, names.get(_key(hit), "")) for hit in told["hits"] or ()],
        outcome=replay.replay(run, step).value if with_outcome else "",
    )


def _key(named: Mapping[str, Any]) -> str:
    return f"document:{named['document_id']}" if named["source_id"] is None else f"source:{named['source_id']}"


def _since(named: Mapping[str, Any], revisions: Mapping[str, str | None]) -> str:
    key = _key(named)
    if key not in revisions:
        return "gone"
    return "same" if revisions[key] == named["revision"] else "changed"


def _revisions_now(project_id: str, named: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """What the revisions of some sources and documents are called now, by key; those deleted are not among them."""
    keys = list(named)
    source_ids = {one["source_id"] for one in keys if one["source_id"] is not None}
    document_ids = {one["document_id"] for one in keys if one["source_id"] is None}
    return dict(_now(project_id, source_ids, document_ids))


def _now(project_id: str, source_ids: set[str], document_ids: set[str]) -> Iterator[tuple[str, str | None]]:
    sources = visible_sources(project_id, source_ids).values_list("id", "revision__sha256")
    yield from ((f"source:{name}", revision) for name, revision in sources)
    documents = list_documents(project_id).filter(handle__in=document_ids)
    yield from (
        (f"document:{name}", revision) for name, revision in documents.values_list("handle", "revision__revision")
    )
