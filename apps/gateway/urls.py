"""Addresses of the agent protocol, and of the objects behind it below /v1."""

from django.urls import include, path

from apps.gateway import api, job_api, login_api
from apps.gateway.mcp.door import mcp

urlpatterns = [
    path("v1/agent_clients", api.AgentClientsView.as_view()),
    path("v1/agent_clients/<str:agent_client_id>", api.OneAgentClientView.as_view()),
    path("v1/agent_clients/<str:agent_client_id>/rotate_token", api.RotateClientTokenView.as_view()),
    path("v1/agent_sessions", api.AgentSessionsView.as_view()),
    path("v1/agent_sessions/<str:session_id>", api.OneAgentSessionView.as_view()),
    path("v1/agent_sessions/<str:session_id>/revoke", api.RevokeAgentSessionView.as_view()),
    path("agent-auth/v1/authorizations", login_api.AuthorizationsView.as_view()),
    path("agent-auth/v1/authorizations/<str:authorization_id>", login_api.AuthorizationView.as_view()),
    path("agent-auth/v1/authorizations/<str:authorization_id>/approve", login_api.ApproveView.as_view()),
    path("agent-auth/v1/authorizations/<str:authorization_id>/deny", login_api.DenyView.as_view()),
    path("agent-auth/v1/token", login_api.TokenView.as_view()),
    path("agent-auth/v1/session", login_api.SessionView.as_view()),
    path("agent-auth/v1/revoke", login_api.LogOutView.as_view()),
    path("agent-auth/v1/sessions/<str:session_id>/revoke", login_api.RevokeSessionView.as_view()),
    path("agent-api/v1/", include("apps.gateway.runtime.urls")),
    path("run", job_api.RunView.as_view()),
    path("jobs/<str:job_id>", job_api.JobView.as_view()),
    path("health", job_api.HealthView.as_view()),
    path("mcp", mcp),
]
