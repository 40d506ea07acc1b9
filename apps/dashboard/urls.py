"""Addresses of the pages: those of people and accounts, and those of a project, a line a room."""

from django.urls import include, path

urlpatterns = [
    path("", include("apps.dashboard.accounts.urls")),
    path("", include("apps.dashboard.consent.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("p/<str:project_id>", include("apps.dashboard.overview.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.members.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.sources.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.search.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.documents.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.agents.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.secrets.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.keys.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.webhooks.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.clients.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.audit.urls")),
    path("p/<str:project_id>/", include("apps.dashboard.settings.urls")),
]
