"""Address of the audit log, below a project."""

from django.urls import path

from apps.dashboard.audit import views

urlpatterns = [path("audit", views.audit, name="audit")]
