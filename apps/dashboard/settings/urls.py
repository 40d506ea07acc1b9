"""Addresses of the project's settings, below a project."""

from django.urls import path

from apps.dashboard.settings import views

urlpatterns = [
    path("settings", views.settings, name="settings"),
    path("settings/delete", views.delete_project, name="delete_project"),
]
