"""Django's registration of the room."""

from django.apps import AppConfig

from apps.rest.errors import use_form


class GatewayConfig(AppConfig):
    name = "apps.gateway"
    label = "gateway"

    def ready(self) -> None:
        from apps.gateway import refusals  # noqa: PLC0415 -- rooms are imported before the apps are set up

        use_form(refusals.PATHS, refusals.flat)
