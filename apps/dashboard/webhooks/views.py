"""Webhooks: endpoints, their deliveries with every attempt, tests, repeats, and secrets shown once."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, act, ask, page
from apps.dashboard.paging import page_of
from apps.dashboard.webhooks.forms import EndpointForm
from apps.webhooks import presenters, queries, services
from apps.webhooks.models import Endpoint


@page
def webhooks(request: HttpRequest, place: Place) -> HttpResponse:
    shown = page_of(request, place, queries.endpoints_of(place.project.id))
    return render(request, "dashboard/webhooks/webhooks.html", {"page": shown})


@page
def new_webhook(request: HttpRequest, place: Place) -> HttpResponse:
    form = EndpointForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = form.attempt(
            lambda: services.create_endpoint(place.project.id, **form.cleaned_data, actor=place.actor),
        )
        if made is not None:
            return _shown_once(request, *made, is_rotated=False)
    return render(request, "dashboard/webhooks/write.html", {"form": form})


@page
def webhook(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint = queries.get_endpoint(place.project.id, endpoint_id)
    deliveries = page_of(request, place, queries.deliveries_to(endpoint), presenters.delivery)
    return render(request, "dashboard/webhooks/webhook.html", {"endpoint": endpoint, "page": deliveries})


@page
def edit_webhook(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint = queries.get_endpoint(place.project.id, endpoint_id, lock=True)
    form = EndpointForm(request.POST or None, initial={"url": endpoint.url, "events": endpoint.events})
    if request.method == "POST" and form.is_valid():
        change = partial(services.update_endpoint, endpoint, **form.cleaned_data, actor=place.actor)
        if form.attempt(change) is not None:
            messages.success(request, words_of(request)("webhooks.said_saved"))
            return redirect("webhook", place.project.id, endpoint.id)
    return render(request, "dashboard/webhooks/write.html", {"form": form, "endpoint": endpoint})


@page
def test_webhook(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint = queries.get_endpoint(place.project.id, endpoint_id)
    act(request, partial(services.send_test, endpoint), words_of(request)("webhooks.said_test"))
    return redirect("webhook", place.project.id, endpoint.id)


@page
def switch_webhook_on(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint = queries.get_endpoint(place.project.id, endpoint_id, lock=True)
    switch = partial(services.update_endpoint, endpoint, enabled=True, actor=place.actor)
    act(request, switch, words_of(request)("webhooks.said_on"))
    return redirect("webhook", place.project.id, endpoint.id)


@page
def switch_webhook_off(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint, t = queries.get_endpoint(place.project.id, endpoint_id, lock=True), words_of(request)
    if request.method != "POST":
        return ask(request, _question(request, place, endpoint, "off", action=t("webhooks.switch_off"), undo=True))
    switch = partial(services.update_endpoint, endpoint, enabled=False, actor=place.actor)
    act(request, switch, t("webhooks.said_off"))
    return redirect("webhook", place.project.id, endpoint.id)


@page
def rotate_webhook_secret(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint, t = queries.get_endpoint(place.project.id, endpoint_id, lock=True), words_of(request)
    if request.method != "POST":
        return ask(request, _question(request, place, endpoint, "rotate", action=t("webhooks.rotate")))
    return _shown_once(request, endpoint, services.rotate_secret(endpoint, actor=place.actor), is_rotated=True)


@page
def remove_webhook(request: HttpRequest, place: Place, endpoint_id: str) -> HttpResponse:
    endpoint, t = queries.get_endpoint(place.project.id, endpoint_id, lock=True), words_of(request)
    if request.method != "POST":
        return ask(request, _question(request, place, endpoint, "remove", action=t("webhooks.remove_action")))
    services.delete_endpoint(endpoint, actor=place.actor)
    messages.success(request, t("webhooks.said_removed"))
    return redirect("webhooks", place.project.id)


@page
def retry_delivery(request: HttpRequest, place: Place, delivery_id: str) -> HttpResponse:
    delivery = queries.lock_delivery(place.project.id, delivery_id)
    act(request, partial(services.retry_delivery, delivery), words_of(request)("webhooks.said_retry"))
    return redirect("webhook", place.project.id, delivery.endpoint_id)


def _question(
    request: HttpRequest, place: Place, endpoint: Endpoint, deed: str, *, action: str, undo: bool = False
) -> Question:
    t = words_of(request)
    return Question(
        title=t(f"webhooks.{deed}_title"),
        lost=[t(f"webhooks.{deed}_lost"), t.html("webhooks.at", url=endpoint.url)],
        action=action,
        back=reverse("webhook", args=[place.project.id, endpoint.id]),
        can_be_undone=undo,
    )


def _shown_once(request: HttpRequest, endpoint: Endpoint, text: str, *, is_rotated: bool) -> HttpResponse:
    """The only page that ever holds a signing secret; no browser is to keep it, and neither is the session."""
    shown = {"endpoint": endpoint, "text": text, "is_rotated": is_rotated}
    response = render(request, "dashboard/webhooks/shown_once.html", shown)
    response["Cache-Control"] = "no-store"
    return response
