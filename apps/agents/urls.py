"""Addresses of agents, below /v1."""

from django.urls import path

from apps.agents import api

urlpatterns = [
    path("agents", api.AgentsView.as_view()),
    path("agents/<str:agent_id>", api.OneAgentView.as_view()),
    path("agents/<str:agent_id>/publish", api.PublishView.as_view()),
    path("agents/<str:agent_id>/versions", api.VersionsView.as_view()),
    path("agents/<str:agent_id>/prompt", api.PromptView.as_view()),
    path("agents/<str:agent_id>/readiness", api.ReadinessView.as_view()),
    path("agents/<str:agent_id>/runs", api.RunsView.as_view()),
    path("agents/<str:agent_id>/runs/<str:run_id>", api.OneRunView.as_view()),
    path("agents/<str:agent_id>/runs/<str:run_id>/search_knowledge", api.RunSearchView.as_view()),
]
