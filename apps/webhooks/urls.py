"""Addresses of endpoints, deliveries and events, below /v1."""

from django.urls import path

from apps.webhooks import api

urlpatterns = [
    path("webhook_endpoints", api.EndpointsView.as_view()),
    path("webhook_endpoints/<str:endpoint_id>", api.OneEndpointView.as_view()),
    path("webhook_endpoints/<str:endpoint_id>/rotate_secret", api.RotateSecretView.as_view()),
    path("webhook_endpoints/<str:endpoint_id>/test", api.SendTestView.as_view()),
    path("webhook_endpoints/<str:endpoint_id>/deliveries", api.DeliveriesView.as_view()),
    path("webhook_deliveries/<str:delivery_id>/retry", api.RetryDeliveryView.as_view()),
    path("events", api.EventsView.as_view()),
]
