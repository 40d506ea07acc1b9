"""Django's registration of the room, and what it answers to the rooms below."""

from django.apps import AppConfig


class KnowledgeConfig(AppConfig):
    name = "apps.knowledge"
    label = "knowledge"

    def ready(self) -> None:
        from apps.kernel import hooks  # noqa: PLC0415 -- models can only be imported once apps are loaded
        from apps.knowledge import queries, searched, shelf, tasks  # noqa: F401, PLC0415 -- as above; tasks carry calls

        hooks.known_sources.add(queries.known_ids)
        hooks.secret_users.add(queries.users_of_secret)
        hooks.usage_counters.add(queries.usage)
        hooks.limit_readers.add(queries.limits)
        hooks.project_erasers.add(shelf.forget_project)
        hooks.project_erasers.add(searched.forget_project)
