"""Calls workers for jobs and callbacks, once the transaction that wants it is committed.

Who carries the calls is filled in by ``tasks``, so that nothing else here knows of the broker. A call that gets
lost only costs time: everything stands in the database, and the sweep calls again.
"""

from collections.abc import Callable

from django.db import transaction

from apps.kernel.hooks import HookPoint

# (project_id, job_id) -> None
job_callers: HookPoint[Callable[[str, str], None]] = HookPoint("job_callers")
# (seconds) -> None: have the callbacks sent that are due by then.
callback_callers: HookPoint[Callable[[float], None]] = HookPoint("callback_callers")


def call_worker_on_commit(project_id: str, job_id: str) -> None:
    transaction.on_commit(lambda: _call_worker(project_id, job_id), robust=True)


def call_for_callbacks_on_commit(seconds: float = 0.0) -> None:
    transaction.on_commit(lambda: call_for_callbacks(seconds), robust=True)


def call_for_callbacks(seconds: float = 0.0) -> None:
    for call in callback_callers:
        call(seconds)


def _call_worker(project_id: str, job_id: str) -> None:
    for call in job_callers:
        call(project_id, job_id)
