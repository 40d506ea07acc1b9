"""Addresses of the search bench, below a project."""

from django.urls import path

from apps.dashboard.search import views

urlpatterns = [
    path("search", views.search, name="search"),
    path("search/examples", views.examples, name="examples"),
    path("search/examples/keep", views.keep_example, name="keep_example"),
    path("search/examples/<str:example_id>/drop", views.drop_example, name="drop_example"),
]
