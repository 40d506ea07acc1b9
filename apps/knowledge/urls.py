"""Addresses of sources and of searching, below /v1."""

from django.urls import path

from apps.knowledge import api

urlpatterns = [
    path("knowledge_sources", api.SourcesView.as_view()),
    path("knowledge_sources/preview_transform", api.PreviewTransformView.as_view()),
    path("knowledge_sources/<str:source_id>", api.OneSourceView.as_view()),
    path("knowledge_sources/<str:source_id>/content", api.SourceContentView.as_view()),
    path("knowledge_sources/<str:source_id>/chunks", api.SourceChunksView.as_view()),
    path("knowledge_sources/<str:source_id>/revisions", api.SourceRevisionsView.as_view()),
    path("knowledge_sources/<str:source_id>/revisions/<str:revision>", api.OneSourceRevisionView.as_view()),
    path("knowledge_sources/<str:source_id>/restore", api.RestoreView.as_view()),
    path("knowledge_sources/<str:source_id>/sync", api.SyncView.as_view()),
    path("knowledge_sources/<str:source_id>/sync_runs", api.SyncRunsView.as_view()),
    path("knowledge/search", api.SearchView.as_view()),
    path("knowledge/stop_words", api.StopWordsView.as_view()),
]
