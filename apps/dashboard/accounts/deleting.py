"""A person deletes their own account, with the password once more."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import ReauthenticateForm
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from apps.dashboard import errors
from apps.dashboard.accounts.views import person_of
from apps.dashboard.language import words_of
from apps.kernel.errors import AppError
from apps.projects import queries
from apps.projects.accounts import delete_person


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Refused while a project would be left without an owner; the page names each of them."""
    person = person_of(request)
    only_owned = queries.only_owned(person)
    form = ReauthenticateForm(request.POST or None, user=person)
    problem = ""
    if request.method == "POST" and not only_owned and form.is_valid():
        try:
            return _delete(request)
        except AppError as error:
            problem = errors.sentence(error, words_of(request).language)
    shown = {"form": form, "only_owned": only_owned, "problem": problem}
    status = 409 if request.method == "POST" and (only_owned or problem) else 200
    return render(request, "dashboard/accounts/delete.html", shown, status=status)


def _delete(request: HttpRequest) -> HttpResponse:
    person, t = person_of(request), words_of(request)
    email = person.email
    delete_person(person)
    logout(request)
    get_adapter(request).send_notice_of_deletion(email)
    messages.success(request, t("accounts.said_account_deleted"))
    return redirect("account_login")
