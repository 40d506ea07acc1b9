"""What an agent is given: sources and documents attached to its draft, in order, and how it uses each."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.agents import queries, services
from apps.agents.advice import worth_searching
from apps.agents.models import Agent, Mode
from apps.agents.queries import MAX_ATTACHMENTS, Attaching
from apps.dashboard.agents.arranging import (
    DEEDS,
    NotAttachedError,
    all_searchable,
    as_given,
    joined,
    key_of,
    key_of_attached,
    put,
)
from apps.dashboard.agents.showing import heading
from apps.dashboard.documents.reading import Chosen
from apps.dashboard.documents.showing import direction_of, read_now
from apps.dashboard.documents.tree import rows_of
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, act, page
from apps.kernel.errors import AppError
from apps.knowledge.documents import reading
from apps.knowledge.documents.models import Document
from apps.knowledge.documents.queries import list_documents
from apps.knowledge.models import Source
from apps.knowledge.queries import list_sources
from apps.sections import Selection

M = TypeVar("M", bound=Model)

MOST_OFFERED: Final = 100
# From so many tokens on a source is better looked up than told in every turn.
LARGE: Final = 1_500
# What a button asks for that is about all attachments together.
FOLLOW_ADVICE: Final = "advice"


def _arrange(agent: Agent, wanted: Sequence[Attaching], place: Place) -> Agent:
    if len(wanted) > MAX_ATTACHMENTS:
        raise AppError("too_many_items", params={"limit": MAX_ATTACHMENTS})
    return services.update_agent(agent, knowledge={"sources": as_given(wanted)}, actor=place.actor)


def _knowledge_of(place: Place, agent: Agent) -> str:
    return reverse("agent", args=[place.project.id, agent.id]) + "#knowledge"


# --- more ---------------------------------------------------------------------------------------------------


@page
def attach_to_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    """Choose among what is not attached yet; on a form, attach what was chosen."""
    agent = queries.get_agent(place.project.id, agent_id, lock=request.method == "POST")
    if request.method != "POST":
        return _offer(request, place, agent)
    t, mode = words_of(request), request.POST.get("mode", "")
    chosen = _chosen(request, mode)
    if mode not in Mode.values or not chosen:
        return _offer(request, place, agent, problem=t("agents.choose_something"), chosen=chosen)
    wanted = joined(queries.draft_of(agent), chosen)
    if act(request, lambda: _arrange(agent, wanted, place), t("agents.attached")):
        return redirect(_knowledge_of(place, agent))
    return redirect("attach_to_agent", place.project.id, agent.id)


def _chosen(request: HttpRequest, mode: str) -> list[Attaching]:
    whole = Selection().as_mapping()
    return [
        *(Attaching(name, mode, None) for name in _sent(request, "source")),
        *(Attaching(name, mode, whole) for name in _sent(request, "document")),
    ]


def _sent(request: HttpRequest, name: str) -> list[str]:
    """The values of a field, without what no id holds."""
    return [value for value in dict.fromkeys(request.POST.getlist(name)) if "\0" not in value]


def _offer(
    request: HttpRequest, place: Place, agent: Agent, *, problem: str = "", chosen: Sequence[Attaching] = ()
) -> HttpResponse:
    asked = request.GET.get("q", "").replace("\0", "").strip()
    known = queries.draft_of(agent)
    sources, documents = _sources(place, known, asked), _documents(place, known, asked)
    about = {
        **heading(agent),
        "asked": asked,
        "sources": sources[:MOST_OFFERED],
        "documents": documents[:MOST_OFFERED],
        "has_more": max(len(sources), len(documents)) > MOST_OFFERED,
        "knows_something": bool(known),
        "large": LARGE,
        "problem": problem,
        "chosen": {key_of(one) for one in chosen},
        "mode": request.POST.get("mode", ""),
    }
    return render(request, "dashboard/agents/attach.html", about)


def _sources(place: Place, known: Collection[Attaching], asked: str) -> list[Source]:
    attached = [one.attached_id for one in known if not one.is_document]
    return _newest(list_sources(place.project.id, name_part=asked or None).exclude(id__in=attached))


def _documents(place: Place, known: Collection[Attaching], asked: str) -> list[Document]:
    attached = [one.attached_id for one in known if one.is_document]
    return _newest(list_documents(place.project.id, title_part=asked or None).exclude(handle__in=attached))


def _newest(offered: QuerySet[M]) -> list[M]:
    """One more than is shown, to see whether there are more."""
    return list(offered.order_by("-created_at", "-pk")[: MOST_OFFERED + 1])


# --- what is attached ---------------------------------------------------------------------------------------


@page
def arrange_agent(request: HttpRequest, place: Place, agent_id: str) -> HttpResponse:
    """One change to the list as it stands: a place up or down, another mode, out of it, or the advice followed."""
    agent, t = queries.get_agent(place.project.id, agent_id, lock=True), words_of(request)
    try:
        wanted = _wanted(agent, request.POST.get("do", ""), request.POST.get("attachment", ""))
    except NotAttachedError:
        messages.warning(request, t("agents.not_attached"))
        return redirect(_knowledge_of(place, agent))
    act(request, lambda: _arrange(agent, wanted, place), t("agents.draft_changed"))
    return redirect(_knowledge_of(place, agent))


def _wanted(agent: Agent, deed: str, key: str) -> Sequence[Attaching]:
    known = queries.draft_of(agent)
    if deed == FOLLOW_ADVICE:
        chosen = worth_searching(queries.read_edition(agent, None).always)
        return all_searchable(known, {key_of_attached(one) for one in chosen})
    return DEEDS[deed](known, key) if deed in DEEDS else known


# --- sections of a document ---------------------------------------------------------------------------------


@page
def select_sections(request: HttpRequest, place: Place, agent_id: str, document_id: str) -> HttpResponse:
    """Which sections of a document the agent gets, and how it uses them; nothing beyond reaches it."""
    agent = queries.get_agent(place.project.id, agent_id, lock=request.method == "POST")
    known = _attached_document(agent, document_id)
    ask = partial(_ask_sections, request, place, agent, document_id, is_attached=known is not None)
    if request.method != "POST":
        selection = Selection() if known is None else known.wanted.selection
        chosen = Chosen(selection.mode, selection.section_ids, None)
        return ask(chosen=chosen, use=known.mode if known else "")
    chosen, use, t = Chosen.of(request.POST), request.POST.get("use", ""), words_of(request)
    if chosen.selection is None or use not in Mode.values:
        return ask(chosen=chosen, use=use, problem=t("agents.choose_sections"))
    wanted = put(queries.draft_of(agent), Attaching(document_id, use, chosen.selection.as_mapping()))
    if act(request, lambda: _arrange(agent, wanted, place), t("agents.draft_changed")):
        return redirect(_knowledge_of(place, agent))
    return redirect("select_sections", place.project.id, agent.id, document_id)


def _attached_document(agent: Agent, document_id: str) -> Attaching | None:
    attached = (one for one in queries.draft_of(agent) if one.is_document)
    return next((one for one in attached if one.attached_id == document_id), None)


def _ask_sections(
    request: HttpRequest,
    place: Place,
    agent: Agent,
    document_id: str,
    *,
    is_attached: bool,
    chosen: Chosen,
    use: str,
    problem: str = "",
) -> HttpResponse:
    """The sections of the document to choose from; raises `document_not_found`."""
    document, revision = read_now(place.project.id, document_id)
    compiled = reading.compiled(revision)
    about: dict[str, Any] = {
        **heading(agent),
        "document": document,
        "rows": list(rows_of(compiled)),
        "gone": [name for name in chosen.section_ids if name not in compiled.section_ids],
        "chosen": chosen,
        "use": use,
        "is_attached": is_attached,
        "problem": problem,
        "direction_of_text": direction_of(revision.locale, place),
    }
    return render(request, "dashboard/agents/sections.html", about)
