"""Django's registration of the room."""

from django.apps import AppConfig

from apps.kernel import hooks


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from apps.webhooks import queries, tasks  # noqa: F401, PLC0415 -- need the models; tasks carry the calls

        hooks.usage_counters.add(queries.usage)
        hooks.limit_readers.add(queries.limits)
