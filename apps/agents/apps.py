"""Django's registration of the room."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "apps.agents"
    label = "agents"

    def ready(self) -> None:
        from apps.agents import queries, services  # noqa: PLC0415 -- models can only be imported once apps are loaded
        from apps.kernel import hooks  # noqa: PLC0415 -- beside them

        hooks.source_users.add(queries.users_of_source)
        hooks.source_detachers.add(services.detach_source)
        hooks.revision_users.add(queries.revisions_in_use)
        hooks.selection_users.add(queries.users_of_document)
        hooks.document_detachers.add(services.detach_document)
        hooks.document_revision_users.add(queries.document_revisions_in_use)
        hooks.usage_counters.add(queries.usage)
        hooks.limit_readers.add(queries.limits)
