"""The first page of all, a person's account, and founding a project."""

from typing import Any, Final

from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.dashboard import errors
from apps.dashboard import mailbox as mail
from apps.dashboard.accounts.forms import NewProject
from apps.dashboard.language import current_language, words_of
from apps.projects import queries, services
from apps.projects.models import User
from apps.rest import health

# Of a session's number.
MAX_DIGITS: Final = 18


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """For strangers what this is and whether it runs; members go on to a project of theirs."""
    if not request.user.is_authenticated:
        return render(request, "dashboard/accounts/welcome.html", _status(request))
    projects = queries.projects_of(request.user.pk)
    if not projects:
        return redirect("new_project")
    return redirect("overview", projects[0][0].id)


def _status(request: HttpRequest) -> dict[str, Any]:
    t = words_of(request)
    passed = {name: health.outcome_of(name, check)["status"] == "ok" for name, check in health.CHECKS.items()}
    parts = [{"title": t(f"accounts.{name}"), "ok": ok} for name, ok in passed.items()]
    return {"ready": all(passed.values()), "parts": parts, "signup_is_open": settings.SIGNUP_OPEN}


@login_required
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    shown = {
        "has_second_factor": is_mfa_enabled(person),
        "session_count": UserSession.objects.filter(user=person).count(),
    }
    return render(request, "dashboard/accounts/account.html", shown)


@login_required
@require_POST
def end_session(request: HttpRequest, session_id: str) -> HttpResponse:
    """End one of the person's own sessions, on whatever device it is."""
    is_number = session_id.isascii() and session_id.isdigit() and len(session_id) < MAX_DIGITS
    own = UserSession.objects.filter(user=person_of(request), id=int(session_id)) if is_number else None
    session = own.first() if own is not None else None
    if session is None:
        return errors.not_found(request)
    session.end()
    messages.success(request, words_of(request)("accounts.session_ended"))
    return redirect("usersessions_list")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_project(request: HttpRequest) -> HttpResponse:
    form = NewProject(request.POST or None, initial={"locale": current_language()})
    if form.is_valid():
        project = form.attempt(lambda: services.found_project(owner=person_of(request), **form.cleaned_data))
        if project is not None:
            messages.success(request, words_of(request)("accounts.project_created"))
            return redirect("overview", project.id)
    return render(request, "dashboard/accounts/new_project.html", {"form": form})


def person_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- behind `login_required`
    return request.user


@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """What was mailed on a machine without a mail server."""
    if not mail.is_open_to(request):
        return errors.not_found(request)
    return render(request, "dashboard/accounts/mailbox.html", {"kept": mail.kept_messages()})
