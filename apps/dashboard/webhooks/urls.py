"""Addresses of the pages of webhooks, below a project."""

from django.urls import path

from apps.dashboard.webhooks import views

urlpatterns = [
    path("webhooks", views.webhooks, name="webhooks"),
    path("webhooks/new", views.new_webhook, name="new_webhook"),
    path("webhooks/<str:endpoint_id>", views.webhook, name="webhook"),
    path("webhooks/<str:endpoint_id>/edit", views.edit_webhook, name="edit_webhook"),
    path("webhooks/<str:endpoint_id>/test", views.test_webhook, name="test_webhook"),
    path("webhooks/<str:endpoint_id>/on", views.switch_webhook_on, name="switch_webhook_on"),
    path("webhooks/<str:endpoint_id>/off", views.switch_webhook_off, name="switch_webhook_off"),
    path("webhooks/<str:endpoint_id>/rotate", views.rotate_webhook_secret, name="rotate_webhook_secret"),
    path("webhooks/<str:endpoint_id>/remove", views.remove_webhook, name="remove_webhook"),
    path("deliveries/<str:delivery_id>/retry", views.retry_delivery, name="retry_delivery"),
]
