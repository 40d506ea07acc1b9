"""The page of an invitation's link: whoever was invited signs in or up, and joins."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from apps.dashboard import errors
from apps.dashboard.accounts.adapter import VERIFIED_EMAIL
from apps.dashboard.language import words_of
from apps.kernel.errors import AppError
from apps.projects import links, membership, queries
from apps.projects.models import Invitation, User
from apps.projects.scoping import project_scope


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        return _accept(request, token) if request.method == "POST" else _show(request, token)
    except AppError as error:
        if error.status == 404:  # noqa: PLR2004 -- HTTP
            return render(request, "dashboard/accounts/invitation_gone.html", {}, status=404)
        return errors.refused(request, error)


def _show(request: HttpRequest, token: str) -> HttpResponse:
    invited = _invited(token)
    person = request.user
    shown: dict[str, Any] = {
        "invitation": invited,
        "role": words_of(request)(f"shell.role_{invited.role}"),
        "is_other": person.is_authenticated and person.email.lower() != invited.email,
    }
    if not person.is_authenticated:
        # Who holds the link reads the mail of this address, so signing up needs no second message.
        request.session[VERIFIED_EMAIL] = invited.email
    return render(request, "dashboard/accounts/invitation.html", shown)


def _invited(token: str) -> Invitation:
    """Raises `invitation_not_found`."""
    promise = links.read_invitation(token)
    if promise is None:
        raise AppError("invitation_not_found")
    with project_scope(promise.project_id):
        return queries.promised_invitation(promise)


def _accept(request: HttpRequest, token: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    project_id = membership.accept(token, person=request.user)
    messages.success(request, words_of(request)("accounts.invitation_joined"))
    return redirect("overview", project_id)
