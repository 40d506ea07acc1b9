"""Addresses of sources, below a project."""

from django.urls import path

from apps.dashboard.sources import deleting, editing, feeds, history, listing, showing, syncing, writing

urlpatterns = [
    path("sources", listing.sources, name="sources"),
    path("sources/new", writing.new_source, name="new_source"),
    path("sources/new/look", writing.look_at_content, name="look_at_content"),
    path("sources/new_feed", feeds.new_feed, name="new_feed"),
    path("sources/new_feed/try", feeds.try_feed, name="try_feed"),
    path("sources/<str:source_id>", showing.source, name="source"),
    path("sources/<str:source_id>/edit", editing.edit_source, name="edit_source"),
    path("sources/<str:source_id>/delete", deleting.delete_source, name="delete_source"),
    path("sources/<str:source_id>/download", showing.download_source, name="download_source"),
    path("sources/<str:source_id>/export", showing.export_source, name="export_source"),
    path("sources/<str:source_id>/sync", syncing.sync_source, name="sync_source"),
    path("sources/<str:source_id>/runs", syncing.source_runs, name="source_runs"),
    path("sources/<str:source_id>/history", history.source_history, name="source_history"),
    path("sources/<str:source_id>/history/<str:revision>", history.source_revision, name="source_revision"),
    path("sources/<str:source_id>/history/<str:revision>/restore", history.restore_source, name="restore_source"),
]
