"""Addresses of the agent protocol, and of the objects behind it below /v1."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
