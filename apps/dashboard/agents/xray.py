"""The prompt X-ray: all that a model is told before anybody asks, section by section, and where it comes from."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.agents import queries
from apps.agents.context import (
    CONTEXT_TITLE,
    LIVE_LABEL,
    MAX_CLIENT_UNITS,
    Section,
    assemble,
    client_units,
    parts_of,
)
from apps.agents.editions import Attached, Edition
from apps.agents.models import Agent
from apps.agents.tools import FORMS, search_tools
from apps.dashboard.agents.showing import heading
from apps.dashboard.errors import sentence
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, page
from apps.dashboard.unseen import count_hidden
from apps.kernel.errors import AppError
from apps.knowledge import tokens

# So much of a text is shown at once; who wants all of it asks for that.
MOST_SHOWN: Final = 20_000
DRAFT: Final = "draft"
_CLIENTS: Final = "clients"
_LONGEST_NUMBER: Final = 9


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A piece of a section: of one source, or of none; `cut` is how much of it is not shown."""

    attached: Attached | None
    text: str
    cut: int
    hidden: int
    token_estimate: int


@dataclass(frozen=True, slots=True)
class ShownSection:
    """`title` is what it is called in the prompt, `word` the key of what we call it."""

    title: str
    word: str
    is_live: bool
    token_estimate: int
    parts: Sequence[ShownPart]

    @property
    def hidden(self) -> int:
        return sum(part.hidden for part in self.parts)


@page
def agent_prompt(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    agent = queries.get_agent(place.project.id, agent_id)
    version, for_clients = version_asked(request.GET.get("version", "")), request.GET.get("for") == _CLIENTS
    about = {
        **heading(agent),
        "version": version,
        "for_clients": for_clients,
        "numbers": queries.versions_of(agent).order_by("-number").values_list("number", flat=True)[:_MOST_VERSIONS],
    }
    try:
        edition = queries.read_edition(agent, version, with_content=True)
    except AppError as error:
        if error.status == 404:  # noqa: PLR2004 -- HTTP
            raise
        problem = sentence(error, words_of(request).language)
        return render(request, "dashboard/agents/prompt.html", {**about, "problem": problem})
    about |= _xray(agent, edition, for_clients=for_clients, is_whole=bool(request.GET.get("whole")))
    return render(request, "dashboard/agents/prompt.html", about)


_MOST_VERSIONS: Final = 50


def version_asked(asked: str) -> int | None:
    """The version that an address names; the draft for everything that is no number."""
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= _LONGEST_NUMBER
    return int(asked) if is_number else None


def _xray(agent: Agent, edition: Edition, *, for_clients: bool, is_whole: bool) -> dict[str, object]:
    prompt = assemble(edition, client_instructions=agent.client_instructions if for_clients else "")
    sections = [_shown(section, edition, is_whole=is_whole) for section in prompt.sections]
    return {
        "prompt": prompt,
        "edition": edition,
        "sections": sections,
        "hidden": sum(section.hidden for section in sections),
        "units": client_units(prompt.text),
        "most_units": MAX_CLIENT_UNITS,
        "tools": list(_tools(edition)),
    }


def _shown(section: Section, edition: Edition, *, is_whole: bool) -> ShownSection:
    return ShownSection(
        title=section.title,
        word=_WORDS[section.title],
        is_live=section.label == LIVE_LABEL,
        token_estimate=section.token_estimate,
        parts=[_part(attached, text, is_whole=is_whole) for attached, text in parts_of(section, edition.locale)],
    )


_WORDS: Final = {"Instructions": "instructions", "Agent client": "client_instructions", CONTEXT_TITLE: "context"}


def _part(attached: Attached | None, text: str, *, is_whole: bool) -> ShownPart:
    shown = text if is_whole else text[:MOST_SHOWN]
    estimate = tokens.estimate(text) if attached is None else attached.token_estimate
    return ShownPart(attached, shown, len(text) - len(shown), count_hidden(text), estimate)


def _tools(edition: Edition) -> Iterator[tuple[str, str]]:
    """The search tool in every form that model APIs take, as JSON."""
    for form in FORMS:
        found = search_tools(edition, form)
        if found:
            yield form, json.dumps(found, ensure_ascii=False, indent=2)
