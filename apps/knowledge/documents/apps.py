"""Django's registration of documents, and what they answer to the rooms below."""

from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "apps.knowledge.documents"
    label = "documents"

    def ready(self) -> None:
        from apps.kernel import hooks  # noqa: PLC0415 -- models can only be imported once apps are loaded
        from apps.knowledge.documents import corpus, queries, reading  # noqa: PLC0415 -- as above

        hooks.usage_counters.add(queries.usage)
        hooks.limit_readers.add(queries.limits)
        hooks.project_erasers.add(reading.forget_project)
        hooks.project_erasers.add(corpus.forget_project)
