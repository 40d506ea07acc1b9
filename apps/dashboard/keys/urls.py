"""Addresses of the pages of API keys, below a project."""

from django.urls import path

from apps.dashboard.keys import views

urlpatterns = [
    path("keys", views.keys, name="keys"),
    path("keys/new", views.new_key, name="new_key"),
    path("keys/<str:key_id>/rotate", views.rotate_key, name="rotate_key"),
    path("keys/<str:key_id>/revoke", views.revoke_key, name="revoke_key"),
]
