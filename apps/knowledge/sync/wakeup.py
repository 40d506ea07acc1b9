"""Calls a worker for a run or a sample, once the transaction that wants it is committed.

Who carries the call is filled in by ``tasks``, so that nothing else here knows of the broker. A call that gets lost
only costs time: the run stands in the database, and workers are called for it again.
"""

from collections.abc import Callable

from django.db import transaction

from apps.kernel.hooks import HookPoint

# (project_id, run_id) -> None
sync_callers: HookPoint[Callable[[str, str], None]] = HookPoint("sync_callers")
# (project_id, sample_id) -> None
sample_callers: HookPoint[Callable[[str, str], None]] = HookPoint("sample_callers")


def call_worker_on_commit(project_id: str, run_id: str) -> None:
    transaction.on_commit(lambda: _call(sync_callers, project_id, run_id), robust=True)


def call_for_sample_on_commit(project_id: str, sample_id: str) -> None:
    """Nobody is called again: whoever waits for a sample sees that none comes, and asks for another."""
    transaction.on_commit(lambda: _call(sample_callers, project_id, sample_id), robust=True)


def _call(callers: HookPoint[Callable[[str, str], None]], project_id: str, row_id: str) -> None:
    for call in callers:
        call(project_id, row_id)
