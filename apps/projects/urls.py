"""Addresses of projects and keys, below /v1."""

from django.urls import path

from apps.projects import api

urlpatterns = [
    path("project", api.ProjectView.as_view()),
    path("api_keys", api.ApiKeysView.as_view()),
    path("api_keys/<str:key_id>", api.OneApiKeyView.as_view()),
    path("api_keys/<str:key_id>/rotate", api.RotateApiKeyView.as_view()),
]
