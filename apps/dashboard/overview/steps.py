"""The first steps of a new project, which stand on its overview until the ones that matter are done."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from apps.dashboard.pages import Place
from apps.gateway.queries import clients_of
from apps.knowledge.examples import list_examples
from apps.knowledge.queries import was_asked
from apps.projects.models import Project
from apps.projects.queries import live_keys, members_of


@dataclass(frozen=True, slots=True)
class Step:
    """One step by the name of its words; `address` is None where the reader's role does not reach."""

    name: str
    is_done: bool
    address: str | None


def first_steps(place: Place, *, has_sources: bool, has_agents: bool) -> Sequence[Step]:
    """The steps in their order, or none when everything but inviting others is done."""
    project_id = place.project.id
    done = {
        "source": has_sources,
        "search": _is_search_tried(place.project),
        "agent": has_agents,
        "access": live_keys(project_id).exists() or clients_of(project_id).exists(),
    }
    if all(done.values()):
        return []
    done["people"] = members_of(project_id).count() > 1
    return [Step(name, is_done, _address(name, place)) for name, is_done in done.items()]


def _is_search_tried(project: Project) -> bool:
    """By an agent or a program, by a member on the bench, or by one who kept a question from there."""
    return project.search_tried_at is not None or was_asked(project.id) or list_examples(project.id).exists()


_PAGES = {"source": "new_source", "search": "search", "agent": "new_agent", "access": "new_key", "people": "invite"}


def _address(name: str, place: Place) -> str | None:
    page = _PAGES[name]
    return reverse(page, args=[place.project.id]) if place.may[page] else None
