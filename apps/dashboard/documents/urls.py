"""Addresses of the pages of documents, below a project.

The ids of documents are whatever callers chose, so no page of ours stands where one could.
"""

from django.urls import path

from apps.dashboard.documents import changing, reading, showing, writing

urlpatterns = [
    path("documents", showing.documents, name="documents"),
    path("new-document", writing.new_document, name="new_document"),
    path("look-at-document", writing.look_at_document, name="look_at_document"),
    path("documents/<str:document_id>", showing.document, name="document"),
    path("documents/<str:document_id>/edit", writing.edit_document, name="edit_document"),
    path("documents/<str:document_id>/read", reading.read_document, name="read_document"),
    path("documents/<str:document_id>/revision", reading.document_revision, name="document_revision"),
    path("documents/<str:document_id>/restore", changing.restore_document, name="restore_document"),
    path("documents/<str:document_id>/publish", changing.publish_document, name="publish_document"),
    path("documents/<str:document_id>/withdraw", changing.withdraw_document, name="withdraw_document"),
    path("documents/<str:document_id>/delete", changing.delete_document, name="delete_document"),
    path("documents/<str:document_id>/snapshots", reading.document_snapshots, name="document_snapshots"),
    path("snapshots/<str:snapshot_id>", reading.document_snapshot, name="document_snapshot"),
]
