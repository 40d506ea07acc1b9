"""The one door of all pages of a project: who is asking, in which project, and whether the table lets them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Protocol

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.dashboard import errors
from apps.dashboard.access import PAGES, May, reaches
from apps.dashboard.language import words_of
from apps.kernel.errors import AppError
from apps.projects import queries
from apps.projects.models import Project, Role, User
from apps.projects.scoping import project_scope


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands and who looks at it: the project, the person, their role, and all their projects."""

    project: Project
    person: User
    role: Role
    projects: Sequence[tuple[Project, str]]

    @property
    def actor(self) -> str:
        """The person as services and the audit log name them."""
        return f"user:{self.person.pk}"

    @property
    def direction(self) -> str:
        """The direction of lines of the project's content, whatever the language of the page."""
        return "rtl" if self.project.locale == "ar" else "ltr"

    @property
    def may(self) -> May:
        return May(self.role)


class PageView(Protocol):
    def __call__(self, request: HttpRequest, place: Place, **ids: Any) -> HttpResponse: ...


GuardedView = Callable[..., HttpResponse]


def page(view: Callable[..., HttpResponse]) -> GuardedView:
    """Make a view a page of a project.

    It runs in the project's scope, for members whose role the table admits. For everybody else the project does not
    exist; who is not signed in learns nothing about it either. What services refuse becomes a page that says so.
    """

    @wraps(view)
    def guarded(request: HttpRequest, project_id: str, **ids: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        place = _place_in(request.user, project_id)
        # The database cannot even be asked for an id with NUL in it.
        if place is None or any("\0" in str(name) for name in ids.values()):
            return errors.not_found(request)
        request.place = place  # type: ignore[attr-defined] # for the frame of the page, see `context`
        response = _admit(view, request, place, ids)
        # For this person alone, as they may see it now; what is shown once is kept nowhere, see its view.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    guarded.is_page = True  # type: ignore[attr-defined] # a test finds addresses of projects without this door
    return guarded


def _place_in(person: User, project_id: str) -> Place | None:
    projects = queries.projects_of(person.pk)
    for project, role in projects:
        if project.id == project_id:
            return Place(project, person, Role(role), projects)
    return None


def _admit(
    view: Callable[..., HttpResponse], request: HttpRequest, place: Place, ids: dict[str, Any]
) -> HttpResponse:
    row = PAGES[page_name(request)]
    least = row.of(request.method or "")
    if least is None:
        return errors.method_not_allowed(request, row)
    if not reaches(place.role, least):
        return errors.forbidden(request, role=place.role, least=least)
    try:
        with project_scope(place.project.id):
            return view(request, place, **ids)
    except AppError as error:
        return errors.refused(request, error)


def page_name(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.url_name if match else None) or ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a page asks once before something is lost: in the reader's words, ready to be shown."""

    title: str
    lost: Sequence[str]
    action: str
    back: str
    can_be_undone: bool = False


def ask(request: HttpRequest, question: Question, *, problem: str = "") -> HttpResponse:
    """The page that asks; its form is sent to the same address."""
    status = 409 if problem else 200
    return render(request, "dashboard/confirm.html", {"question": question, "problem": problem}, status=status)


def act(request: HttpRequest, deed: Callable[[], Any], said: str) -> bool:
    """Do it in a transaction of its own and say so on the next page, or say there why it was refused."""
    t = words_of(request)
    try:
        with transaction.atomic():
            deed()
    except AppError as error:
        messages.error(request, errors.sentence(error, t.language))
        return False
    messages.success(request, said)
    return True
