"""Django's registration of the room."""

from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "apps.projects"
    label = "projects"

    def ready(self) -> None:
        from apps.projects import checks, tasks  # noqa: F401, PLC0415 -- registers the checks; tasks carry the calls
