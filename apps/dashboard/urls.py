"""Addresses of the pages."""

from django.urls import include, path

from apps.dashboard import views

urlpatterns = [
    path("", views.home, name="home"),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
