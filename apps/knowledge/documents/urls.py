"""Addresses of documents and snapshots, below /v1."""

from django.urls import path

from apps.knowledge.documents import api

urlpatterns = [
    path("documents", api.DocumentsView.as_view()),
    path("documents/publish", api.PublishView.as_view()),
    path("documents/<str:document_id>", api.OneDocumentView.as_view()),
    path("documents/<str:document_id>/read", api.ReadDocumentView.as_view()),
    path("documents/<str:document_id>/validate_selection", api.ValidateSelectionView.as_view()),
    path("documents/<str:document_id>/snapshots", api.SnapshotsView.as_view()),
    path("snapshots/<str:snapshot_id>", api.OneSnapshotView.as_view()),
]
