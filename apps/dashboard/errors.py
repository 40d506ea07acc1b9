"""Pages that say what went wrong and what to do, in the reader's language; programs get the JSON envelope."""

from typing import Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard.access import Least
from apps.dashboard.language import words_of
from apps.kernel.errors import CATALOGUE, AppError
from apps.projects.models import Role
from apps.rest import errors as rest
from apps.rest.request_id import current_request_id

# Under this no answer is a page, whatever the caller says that it accepts.
_FOR_PROGRAMS: Final = "/v1/"


def sentence(error: AppError, language: str) -> str:
    """What a refusal says, for a page."""
    return CATALOGUE[error.code].message(language, error.params)


def not_found(request: HttpRequest) -> HttpResponse:
    """The same for what never was, what is gone, and what belongs to others."""
    return _page(request, "not_found", 404)


def forbidden(request: HttpRequest, *, role: Role, least: Role) -> HttpResponse:
    t = words_of(request)
    text = t("shell.forbidden", role=t(f"shell.role_{role.value}"), least=t(f"shell.role_{least.value}"))
    return _page(request, "forbidden", 403, text)


def method_not_allowed(request: HttpRequest, row: Least) -> HttpResponse:
    response = _page(request, "method", 405)
    methods = {"GET, HEAD": row.read, "POST": row.write}
    response["Allow"] = ", ".join(name for name, least in methods.items() if least is not None)
    return response


def refused(request: HttpRequest, error: AppError) -> HttpResponse:
    """What a service refused where no form could take it."""
    if error.status == 404:  # noqa: PLR2004 -- HTTP
        return not_found(request)
    return _page(request, "refused", error.status, sentence(error, words_of(request).language))


def _page(request: HttpRequest, name: str, status: int, text: str | None = None) -> HttpResponse:
    t = words_of(request)
    shown = {"title": t(f"shell.{name}_title"), "text": t(f"shell.{name}") if text is None else text}
    return render(request, "dashboard/problem.html", shown, status=status)


# --- the handlers that the URL configuration and the settings name ------------------------------------------


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not _is_for_people(request):
        return rest.malformed(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return _page(request, "too_large", 413)
    return _page(request, "malformed", 400)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return not_found(request) if _is_for_people(request) else rest.page_not_found(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What somebody who is signed in may not do at all; pages of projects say more, see `forbidden`."""
    return _page(request, "refused", 403) if _is_for_people(request) else rest.forbidden(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Without the frame of pages: what broke may be what the frame needs."""
    if not _is_for_people(request):
        return rest.server_error(request)
    t = words_of(request)
    shown = {"title": t("shell.broken_title"), "text": t("shell.broken", request_id=current_request_id())}
    return render(request, "dashboard/broken.html", shown, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 -- the framework's signature
    return _page(request, "csrf", 403)


def _is_for_people(request: HttpRequest) -> bool:
    if request.path.startswith(_FOR_PROGRAMS) or rest.has_own_form(request.path):
        return False
    return "text/html" in request.headers.get("Accept", "")
