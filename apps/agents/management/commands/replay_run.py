"""`manage.py replay_run PROJECT AGENT RUN`: repeat what a run was told, and say whether it comes out the same.

It looks into what a tenant's people asked, so the tenant's audit log tells of it.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.agents import queries, replay
from apps.kernel.errors import AppError
from apps.projects import audit
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR


class Command(BaseCommand):
    help = "Repeat every step of an agent's run from the contents it names."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="id of the project")
        parser.add_argument("agent", help="id of the agent")
        parser.add_argument("run", help="id of the run")

    def handle(self, *_: Any, project: str, agent: str, run: str, **__: Any) -> None:
        try:
            with project_scope(project):
                found = queries.get_run(queries.get_agent(project, agent), run)
                audit.record(project, actor=OPERATOR, action="run.replayed", target=run, agent=agent)
                for step in queries.steps_of(found):
                    self.stdout.write(f"{step.id} {step.kind}: {replay.replay(found, step)}")
        except AppError as error:
            raise CommandError(f"The project has no such run of this agent ({error.code}).") from error
