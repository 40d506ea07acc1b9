"""Addresses of the pages of agent clients and sessions, below a project."""

from django.urls import path

from apps.dashboard.clients import views

urlpatterns = [
    path("clients", views.agent_clients, name="agent_clients"),
    path("clients/new", views.new_agent_client, name="new_agent_client"),
    path("clients/<str:agent_client_id>", views.agent_client, name="agent_client"),
    path("clients/<str:agent_client_id>/edit", views.edit_agent_client, name="edit_agent_client"),
    path("clients/<str:agent_client_id>/rotate", views.rotate_client_token, name="rotate_client_token"),
    path("clients/<str:agent_client_id>/remove", views.remove_agent_client, name="remove_agent_client"),
    path("sessions/<str:session_id>/end", views.end_agent_session, name="end_agent_session"),
]
