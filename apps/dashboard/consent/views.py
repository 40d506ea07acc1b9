"""Where a member lets an agent in or keeps it out, for clients without a consent page of their own."""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from apps.agents.queries import workspaces_of
from apps.dashboard import errors
from apps.dashboard.access import reaches
from apps.dashboard.consent.forms import Approval
from apps.dashboard.language import words_of
from apps.gateway import consent as logins
from apps.gateway.credentials import find_authorization
from apps.gateway.models import Authorization
from apps.gateway.queries import get_authorization
from apps.kernel.errors import AppError
from apps.projects import queries
from apps.projects.models import Project, Role, User
from apps.projects.scoping import project_scope

# An agent reads what the project's editors put into its knowledge, so whoever may change that may share it.
LEAST: Final = Role.EDITOR
AUDIENCE: Final = "internal"


@dataclass(frozen=True, slots=True)
class Asked:
    """A login that waits for this member's decision."""

    authorization: Authorization
    project: Project
    person: User
    role: Role


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def consent(request: HttpRequest) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    asked = _asked_of(request.user, request.GET.get("authorization_id", ""))
    if asked is None:
        return errors.not_found(request)
    if not reaches(asked.role, LEAST):
        return errors.forbidden(request, role=asked.role, least=LEAST)
    try:
        with project_scope(asked.project.id):
            return _decide(request, asked) if request.method == "POST" else _show(request, asked)
    except AppError as error:
        return errors.refused(request, error)


def _asked_of(person: User, authorization_id: str) -> Asked | None:
    """None for what is not the person's to decide: of another project, or of a client with a page of its own."""
    authorization = find_authorization(authorization_id.replace("\0", ""))
    if authorization is None or authorization.client.authorize_url is not None:
        return None
    for project, role in queries.projects_of(person.pk):
        if project.id == authorization.project_id:
            return Asked(authorization, project, person, Role(role))
    return None


def _show(request: HttpRequest, asked: Asked) -> HttpResponse:
    logins.require_pending(asked.authorization)
    return _page(request, asked, Approval(agents=_agents(asked)))


def _decide(request: HttpRequest, asked: Asked) -> HttpResponse:
    # Whoever is being removed in this moment lets nobody in any more.
    queries.lock_own_membership(asked.project.id, asked.person)
    authorization = get_authorization(asked.authorization.client, asked.authorization.id, lock=True)
    actor = f"user:{asked.person.pk}"
    if request.POST.get("decision") != "approve":
        return _lead_back(request, logins.deny(authorization, actor=actor), decision="denied")
    form = Approval(request.POST, agents=_agents(asked))
    if not form.is_valid():
        return _page(request, asked, form)
    redirect_uri = logins.approve(
        authorization,
        principal=_principal(asked),
        on_behalf_of=asked.person.email,
        allowed_routes=form.cleaned_data["routes"],
        actor=actor,
    )
    return _lead_back(request, redirect_uri, decision="approved")


def _principal(asked: Asked) -> dict[str, object]:
    return {
        "id": f"user:{asked.person.pk}",
        "tenant": asked.project.id,
        "roles": [asked.role.value],
        "audience": AUDIENCE,
    }


def _agents(asked: Asked) -> list[tuple[str, str]]:
    """The routes that were asked for and that the client still has, each with the name of its agent."""
    authorization = asked.authorization
    names = {agent.route: agent.name for agent in workspaces_of(asked.project.id)}
    routes = [route for route in authorization.requested_routes if route in authorization.client.allowed_routes]
    return [(route, names.get(route, route)) for route in routes]


def _page(request: HttpRequest, asked: Asked, form: Approval) -> HttpResponse:
    shown = {
        "authorization": asked.authorization,
        "project": asked.project,
        "form": form,
        "days": settings.AGENT_SESSION_DAYS,
    }
    return render(request, "dashboard/consent/consent.html", shown)


def _lead_back(request: HttpRequest, redirect_uri: str, *, decision: str) -> HttpResponse:
    """A page that goes on to the agent by itself.

    A redirect would count as sending the form there, and our policy could not allow that for addresses like [::1],
    which it has no words for.
    """
    shown = {"title": words_of(request)(f"consent.{decision}"), "redirect_uri": redirect_uri}
    response = render(request, "dashboard/consent/decided.html", shown)
    response["Refresh"] = f"0;url={redirect_uri}"
    return response
