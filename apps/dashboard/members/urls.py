"""Addresses of a project's members."""

from django.urls import path

from apps.dashboard.members import views

urlpatterns = [
    path("members", views.members, name="members"),
    path("members/invite", views.invite, name="invite"),
    path("members/leave", views.leave, name="leave"),
    path("members/<str:member_id>/role", views.change_role, name="change_role"),
    path("members/<str:member_id>/remove", views.remove_member, name="remove_member"),
    path("invitations/<str:invitation_id>/resend", views.resend_invitation, name="resend_invitation"),
    path("invitations/<str:invitation_id>/withdraw", views.withdraw_invitation, name="withdraw_invitation"),
]
