"""Addresses of signing up and in, of a person's own account, and of what belongs to no project yet."""

from django.urls import include, path

from apps.dashboard.accounts import views

urlpatterns = [
    path("", views.home, name="home"),
    path("account", views.account, name="account"),
    path("projects/new", views.new_project, name="new_project"),
    path("mail", views.mailbox, name="mailbox"),
    path("accounts/", include("allauth.urls")),
]
