"""Secrets: the list, a new one, what may be changed of one, and removing it. No page ever holds a value."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.dashboard.errors import sentence
from apps.dashboard.language import words_of
from apps.dashboard.pages import Place, Question, ask, page
from apps.dashboard.paging import page_of
from apps.dashboard.secrets.forms import AllowedHosts, NewSecret, NewValue
from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.kernel.hooks import User
from apps.vault import queries, services
from apps.vault.models import Secret


@page
def secrets(request: HttpRequest, place: Place) -> HttpResponse:
    shown = page_of(request, place, queries.secrets_of(place.project.id))
    return render(request, "dashboard/secrets/secrets.html", {"page": shown})


@page
def new_secret(request: HttpRequest, place: Place) -> HttpResponse:
    form = NewSecret(request.POST or None)
    if request.method == "POST" and form.is_valid():
        kept = form.attempt(
            lambda: services.create_secret(place.project.id, **form.cleaned_data, actor=place.actor),
        )
        if kept is not None:
            messages.success(request, words_of(request).html("secrets.said_created", name=kept.name))
            return redirect("secret", place.project.id, kept.id)
    return render(request, "dashboard/secrets/new_secret.html", {"form": form})


@page
def secret(request: HttpRequest, place: Place, secret_id: str) -> HttpResponse:
    return _shown(request, place, queries.get_secret(place.project.id, secret_id))


@page
def change_secret_value(request: HttpRequest, place: Place, secret_id: str) -> HttpResponse:
    kept = queries.get_secret(place.project.id, secret_id, lock=True)
    form = NewValue(request.POST)
    change = partial(services.update_secret, kept, actor=place.actor)
    if form.is_valid() and form.attempt(lambda: change(value=form.cleaned_data["value"])) is not None:
        messages.success(request, words_of(request)("secrets.said_value"))
        return redirect("secret", place.project.id, kept.id)
    return _shown(request, place, kept, new_value=form)


@page
def change_secret_hosts(request: HttpRequest, place: Place, secret_id: str) -> HttpResponse:
    kept = queries.get_secret(place.project.id, secret_id, lock=True)
    form = AllowedHosts(request.POST)
    change = partial(services.update_secret, kept, actor=place.actor)
    if (
        form.is_valid()
        and form.attempt(lambda: change(allowed_hosts=form.cleaned_data["allowed_hosts"])) is not None
    ):
        messages.success(request, words_of(request)("secrets.said_hosts"))
        return redirect("secret", place.project.id, kept.id)
    return _shown(request, place, kept, hosts=form)


@page
def remove_secret(request: HttpRequest, place: Place, secret_id: str) -> HttpResponse:
    kept, t = queries.get_secret(place.project.id, secret_id, lock=True), words_of(request)
    question = Question(
        title=t.html("secrets.remove_title", name=kept.name),
        lost=[t("secrets.remove_lost")],
        action=t("secrets.remove_action"),
        back=reverse("secret", args=[place.project.id, kept.id]),
    )
    if request.method != "POST":
        return ask(request, question)
    name = kept.name
    try:
        services.delete_secret(kept, actor=place.actor)
    except AppError as error:
        return ask(request, question, problem=sentence(error, t.language))
    messages.success(request, t.html("secrets.said_removed", name=name))
    return redirect("secrets", place.project.id)


def _shown(
    request: HttpRequest,
    place: Place,
    kept: Secret,
    *,
    new_value: NewValue | None = None,
    hosts: AllowedHosts | None = None,
) -> HttpResponse:
    known = {"allowed_hosts": "\n".join(kept.allowed_hosts)}
    shown = {
        "secret": kept,
        "reference": f"{{{{secret.{kept.name}}}}}",
        "users": _users_of(kept),
        "new_value": new_value or NewValue(),
        "hosts": hosts or AllowedHosts(initial=known),
    }
    return render(request, "dashboard/secrets/secret.html", shown)


def _users_of(kept: Secret) -> list[User]:
    """The sources that name the secret, as upper rooms tell."""
    return [user for find in hooks.secret_users for user in find(kept.project_id, kept.name)]
