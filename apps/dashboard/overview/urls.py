"""Addresses of a project's first page."""

from django.urls import path

from apps.dashboard.overview import views

urlpatterns = [path("", views.overview, name="overview")]
