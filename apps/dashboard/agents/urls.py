"""Addresses of the pages of agents, below a project."""

from django.urls import path

from apps.dashboard.agents import attaching, editing, listing, runs, showing, trying, versions, xray

urlpatterns = [
    path("agents", listing.agents, name="agents"),
    path("agents/new", editing.new_agent, name="new_agent"),
    path("agents/<str:agent_id>", showing.agent, name="agent"),
    path("agents/<str:agent_id>/edit", editing.edit_agent, name="edit_agent"),
    path("agents/<str:agent_id>/switches", editing.agent_switches, name="agent_switches"),
    path("agents/<str:agent_id>/attach", attaching.attach_to_agent, name="attach_to_agent"),
    path("agents/<str:agent_id>/arrange", attaching.arrange_agent, name="arrange_agent"),
    path("agents/<str:agent_id>/documents/<str:document_id>", attaching.select_sections, name="select_sections"),
    path("agents/<str:agent_id>/prompt", xray.agent_prompt, name="agent_prompt"),
    path("agents/<str:agent_id>/try", trying.try_agent, name="try_agent"),
    path("agents/<str:agent_id>/versions", versions.agent_versions, name="agent_versions"),
    path("agents/<str:agent_id>/versions/<str:version>", versions.agent_version, name="agent_version"),
    path("agents/<str:agent_id>/versions/<str:version>/reuse", versions.reuse_version, name="reuse_version"),
    path("agents/<str:agent_id>/publish", versions.publish_agent, name="publish_agent"),
    path("agents/<str:agent_id>/runs", runs.agent_runs, name="agent_runs"),
    path("agents/<str:agent_id>/runs/<str:run_id>", runs.agent_run, name="agent_run"),
    path("agents/<str:agent_id>/delete", editing.delete_agent, name="delete_agent"),
]
