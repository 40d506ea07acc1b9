"""Addresses of secrets, below /v1."""

from django.urls import path

from apps.vault import api

urlpatterns = [
    path("secrets", api.SecretsView.as_view()),
    path("secrets/<str:secret_id>", api.OneSecretView.as_view()),
]
