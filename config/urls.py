"""Every address of the service, a line a room."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("apps.rest.urls")),
    path("v1/", include("apps.projects.urls")),
    path("v1/", include("apps.vault.urls")),
    path("v1/", include("apps.webhooks.urls")),
    path("v1/", include("apps.knowledge.urls")),
    path("v1/", include("apps.knowledge.documents.urls")),
    path("v1/", include("apps.agents.urls")),
    path("", include("apps.gateway.urls")),
    path("", include("apps.dashboard.urls")),
]

handler400 = "apps.dashboard.errors.malformed"
handler403 = "apps.dashboard.errors.permission_denied"
handler404 = "apps.dashboard.errors.page_not_found"
handler500 = "apps.dashboard.errors.server_error"
