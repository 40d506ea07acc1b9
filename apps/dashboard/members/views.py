"""Who is in the project: the list, inviting, changing roles, removing and leaving."""

from functools import partial

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.dashboard.language import words_of
from apps.dashboard.members.forms import ChangeRole, Invite
from apps.dashboard.pages import Place, Question, act, ask, page
from apps.projects import membership, queries
from apps.projects.models import Role


@page
def members(request: HttpRequest, place: Place) -> HttpResponse:
    shown = {
        "members": queries.members_of(place.project.id),
        "invitations": queries.invitations_of(place.project.id) if place.may["invite"] else [],
        "roles": ChangeRole().fields["role"].choices,  # type: ignore[attr-defined] # a choice field
        "now": timezone.now(),
    }
    return render(request, "dashboard/members/members.html", shown)


@page
def invite(request: HttpRequest, place: Place) -> HttpResponse:
    form, t = Invite(request.POST or None), words_of(request)
    if request.method == "POST" and form.is_valid():
        if not _may_mail(request, place):
            form.add_error(None, t("members.too_many_today"))
            return render(request, "dashboard/members/invite.html", {"form": form}, status=429)
        sent = form.attempt(
            lambda: membership.invite(
                place.project.id,
                email=form.cleaned_data["email"],
                role=Role(form.cleaned_data["role"]),
                language=t.language,
                actor=place.actor,
            )
        )
        if sent is not None:
            messages.success(request, t.html("members.said_invited", email=sent.email))
            return redirect("members", place.project.id)
    return render(request, "dashboard/members/invite.html", {"form": form})


def _may_mail(request: HttpRequest, place: Place) -> bool:
    """Whether the person may cause one more mail to somebody today; it is counted by asking."""
    return bool(ratelimit.consume(request, action="invite", user=place.person))


@page
def change_role(request: HttpRequest, place: Place, member_id: str) -> HttpResponse:
    member = queries.lock_member(place.project.id, member_id)
    form = ChangeRole(request.POST)
    if form.is_valid():
        t, role = words_of(request), Role(form.cleaned_data["role"])
        said = t.html("members.said_role", email=member.user.email, role=t(f"shell.role_{role.value}"))
        act(request, partial(membership.change_role, member, role=role, actor=place.actor), said)
    return redirect("members", place.project.id)


@page
def remove_member(request: HttpRequest, place: Place, member_id: str) -> HttpResponse:
    member, t = queries.lock_member(place.project.id, member_id), words_of(request)
    email = member.user.email
    question = Question(
        title=t.html("members.remove_title", email=email),
        lost=[t.html("members.remove_lost", email=email), t("members.remove_kept")],
        action=t("members.remove_action"),
        back=reverse("members", args=[place.project.id]),
        can_be_undone=True,
    )
    if request.method != "POST":
        return ask(request, question)
    act(request, partial(membership.remove, member, actor=place.actor), t.html("members.said_removed", email=email))
    return redirect("members", place.project.id)


@page
def leave(request: HttpRequest, place: Place) -> HttpResponse:
    t = words_of(request)
    question = Question(
        title=t.html("members.leave_title", project=place.project.name),
        lost=[t("members.leave_lost")],
        action=t("members.leave_action"),
        back=reverse("members", args=[place.project.id]),
        can_be_undone=True,
    )
    if request.method != "POST":
        return ask(request, question)
    own = queries.lock_own_membership(place.project.id, place.person)
    left = t.html("members.said_left", project=place.project.name)
    is_done = act(request, partial(membership.remove, own, actor=place.actor), left)
    return redirect("home") if is_done else redirect("members", place.project.id)


@page
def resend_invitation(request: HttpRequest, place: Place, invitation_id: str) -> HttpResponse:
    invitation, t = queries.get_invitation(place.project.id, invitation_id, lock=True), words_of(request)
    said = t.html("members.said_resent", email=invitation.email)
    if not _may_mail(request, place):
        messages.error(request, t("members.too_many_today"))
        return redirect("members", place.project.id)
    act(request, partial(membership.resend, invitation, language=t.language, actor=place.actor), said)
    return redirect("members", place.project.id)


@page
def withdraw_invitation(request: HttpRequest, place: Place, invitation_id: str) -> HttpResponse:
    invitation, t = queries.get_invitation(place.project.id, invitation_id, lock=True), words_of(request)
    email = invitation.email
    question = Question(
        title=t.html("members.withdraw_title", email=email),
        lost=[t("members.withdraw_lost")],
        action=t("members.withdraw_action"),
        back=reverse("members", args=[place.project.id]),
        can_be_undone=True,
    )
    if request.method != "POST":
        return ask(request, question)
    act(
        request,
        partial(membership.withdraw, invitation, actor=place.actor),
        t.html("members.said_withdrawn", email=email),
    )
    return redirect("members", place.project.id)
