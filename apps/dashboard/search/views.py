"""The search bench: a question as customers type it, what an agent would find, and questions kept for later."""

from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, ask, page
from apps.dashboard.search.forms import MAX_QUESTION_LENGTH, KeepForm
from apps.dashboard.search.reading import shown_hits, shown_miss
from apps.knowledge import examples as kept
from apps.knowledge import lookup, queries
from apps.projects import services

MOST_OFFERED: Final = 100
_WEEK: Final = timedelta(days=7)
_MOST_MISSED: Final = 8


@page
def search(request: HttpRequest, place: Place) -> HttpResponse:
    question = request.GET.get("q", "").replace("\0", "").strip()
    chosen = list(dict.fromkeys(request.GET.getlist("source")))[:MOST_OFFERED]
    shown: dict[str, Any] = {"query": question, "chosen": chosen, **_about(place, chosen)}
    if len(question) > MAX_QUESTION_LENGTH:
        shown["problem"] = words_of(request)("search.too_long")
    elif question:
        answer = lookup.try_search(place.project.id, question, chosen or None)
        shown |= {"result": answer, "hits": list(shown_hits(answer)), "miss": shown_miss(answer)}
        services.note_trial(place.project)
    return render(request, "dashboard/search/search.html", shown)


def _about(place: Place, chosen: list[str]) -> dict[str, Any]:
    """What stands around the question: sources to choose from, kept questions, and what customers missed."""
    newest = queries.visible_sources(place.project.id, None).order_by("-created_at", "-id").only("id", "name")
    offered = list(newest[: MOST_OFFERED + 1])
    # A chosen one stays to be seen and unchosen, however old it is.
    hidden = set(chosen) - {source.id for source in offered}
    others = list(newest.filter(id__in=hidden)) if hidden else []
    since = (timezone.now() - _WEEK).date()
    return {
        "offered": [*offered[:MOST_OFFERED], *others],
        "has_more_sources": len(offered) > MOST_OFFERED,
        "example_count": kept.list_examples(place.project.id).count(),
        "missed": queries.top_missed(place.project.id, since=since, count=_MOST_MISSED),
    }


@page
def examples(request: HttpRequest, place: Place) -> HttpResponse:
    listed = list(kept.list_examples(place.project.id))
    outcomes = kept.check_examples(listed) if request.GET.get("check") else None
    shown = {
        "examples": listed,
        "outcomes": outcomes,
        "bad": 0 if outcomes is None else sum(not outcome.is_good for outcome in outcomes),
    }
    return render(request, "dashboard/search/examples.html", shown)


@page
def keep_example(request: HttpRequest, place: Place) -> HttpResponse:
    """Keep a question with the hit that is right, or with none where nothing should be found."""
    form = KeepForm(request.POST)
    if form.is_valid():
        sent = form.cleaned_data
        kept.keep_example(
            place.project.id,
            question=sent["question"],
            source_id=sent["source_id"] or None,
            text=sent["text"],
            actor=place.actor,
        )
        messages.success(request, words_of(request)("search.kept"))
    return redirect(_back(request, place))


def _back(request: HttpRequest, place: Place) -> str:
    """The bench with the question as it was."""
    asked = QueryDict(mutable=True)
    asked["q"] = request.POST.get("question", "")[:MAX_QUESTION_LENGTH]
    asked.setlist("source", request.POST.getlist("source"))
    return f"{reverse('search', args=[place.project.id])}?{asked.urlencode()}"


@page
def drop_example(request: HttpRequest, place: Place, example_id: str) -> HttpResponse:
    example = kept.get_example(place.project.id, example_id)
    t = words_of(request)
    if request.method != "POST":
        question = Question(
            title=t("search.drop_title"),
            lost=[t.html("search.drop_lost", question=example.question)],
            action=t("search.drop_now"),
            back=reverse("examples", args=[place.project.id]),
        )
        return ask(request, question)
    kept.drop_example(example, actor=place.actor)
    messages.success(request, t("search.dropped"))
    return redirect("examples", place.project.id)
