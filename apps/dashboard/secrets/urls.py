"""Addresses of the pages of secrets, below a project."""

from django.urls import path

from apps.dashboard.secrets import views

urlpatterns = [
    path("secrets", views.secrets, name="secrets"),
    path("secrets/new", views.new_secret, name="new_secret"),
    path("secrets/<str:secret_id>", views.secret, name="secret"),
    path("secrets/<str:secret_id>/value", views.change_secret_value, name="change_secret_value"),
    path("secrets/<str:secret_id>/hosts", views.change_secret_hosts, name="change_secret_hosts"),
    path("secrets/<str:secret_id>/remove", views.remove_secret, name="remove_secret"),
]
