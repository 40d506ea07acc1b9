"""Addresses of the agent protocol under ``/agent-api/v1``; none ends with a slash, and none redirects."""

from django.urls import path

from apps.gateway.runtime import api

# A route may come with slashes in it: that is a malformed route then, and never an address that is not there.
urlpatterns = [
    path("workspaces", api.WorkspacesView.as_view()),
    path("workspaces/<path:route>/bootstrap", api.BootstrapView.as_view()),
    path("workspaces/<path:route>/system-info", api.SystemInfoView.as_view()),
    path("workspaces/<path:route>/turns", api.TurnsView.as_view()),
    path("workspaces/<path:route>/capabilities/search", api.CapabilitySearchView.as_view()),
    path("workspaces/<path:route>/knowledge/capabilities", api.KnowledgeCapabilitiesView.as_view()),
    path("workspaces/<path:route>/knowledge/search", api.KnowledgeSearchView.as_view()),
    path("workspaces/<path:route>/knowledge/read", api.KnowledgeReadView.as_view()),
    path("runs/<str:run_id>/complete", api.CompletionView.as_view()),
    path("tool-invocations", api.InvocationsView.as_view()),
    path("tool-invocations/<str:invocation_id>/resume", api.InvocationView.as_view()),
    path("tool-invocations/<str:invocation_id>/receipt", api.InvocationView.as_view()),
    path("conversation-audits", api.ConversationAuditsView.as_view()),
    path("conversation-audits/capabilities", api.ConversationAuditsView.as_view()),
    path("conversation-audits/<str:conversation_id>/confirm", api.ConversationAuditsView.as_view()),
    path("conversation-audits/<str:conversation_id>/events", api.ConversationAuditsView.as_view()),
]
