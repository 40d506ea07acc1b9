"""Addresses of health, metrics and the API description."""

from django.urls import path

from apps.rest.docs import DescriptionView, ReferenceView
from apps.rest.health import MetricsView, ProcessHealthView, ReadinessView

urlpatterns = [
    path("healthz", ProcessHealthView.as_view()),
    path("readyz", ReadinessView.as_view()),
    path("metrics", MetricsView.as_view()),
    path("v1/openapi.json", DescriptionView.as_view(), name="openapi"),
    path("docs", ReferenceView.as_view(), name="reference"),
]
