"""Django's registration of the room."""

from django.apps import AppConfig

from apps.kernel import hooks
from apps.rest.errors import use_form


class GatewayConfig(AppConfig):
    name = "apps.gateway"
    label = "gateway"

    def ready(self) -> None:
        from apps.gateway import consent, queries, refusals, tasks  # noqa: F401, PLC0415 -- need the models; tasks carry calls

        use_form(refusals.PATHS, refusals.flat)
        hooks.usage_counters.add(queries.usage)
        hooks.limit_readers.add(queries.limits)
        hooks.departures.add(consent.take_back)
