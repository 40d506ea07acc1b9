"""The address of the consent page, as the agent protocol gives it to agents."""

from django.urls import path

from apps.dashboard.consent import views
from apps.gateway.links import CONSENT_PATH

urlpatterns = [path(CONSENT_PATH.removeprefix("/"), views.consent, name="consent")]
