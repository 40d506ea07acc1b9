"""The runs behind turns: starting one, finding one that is open, and noting in it what was looked up."""

from apps.agents import runs
from apps.agents.errors import TOO_MANY_STEPS
from apps.agents.models import Run
from apps.agents.queries import steps_of
from apps.gateway import errors
from apps.gateway.models import Turn
from apps.gateway.runtime.searching import Findings
from apps.gateway.runtime.workspaces import Workspace
from apps.kernel.errors import AppError


def start(workspace: Workspace, run_id: str) -> tuple[Run, str]:
    """A new run under this id, and the prompt that it begins with; the workspace was entered with content."""
    started = runs.start_run(
        workspace.edition, client_instructions=workspace.agent.client_instructions, run_id=run_id
    )
    return started.run, started.prompt.text


def open_run(workspace: Workspace, run_id: str) -> Run:
    """The run of a turn of this session in this workspace that is not completed.

    Raises `run_not_found` for any other id, whether there is such a run or not.
    """
    turns = Turn.objects.for_project(workspace.project_id).filter(
        id=run_id, session=workspace.caller.session, route=workspace.route, completed_at=None
    )
    run = Run.objects.for_project(workspace.project_id).filter(id__in=turns.values("id")).first()
    if run is None:
        raise AppError(errors.RUN_NOT_FOUND)
    return run


def note_search(run: Run, workspace: Workspace, findings: Findings) -> None:
    """Write down what was found, if it was searched at all; raises `too_many_steps`."""
    if findings.answer is None:
        return
    if steps_of(run).count() >= runs.MAX_STEPS:
        raise AppError(TOO_MANY_STEPS, params={"limit": runs.MAX_STEPS})
    runs.record_search(run, workspace.edition, findings.answer, None)
