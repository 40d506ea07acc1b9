"""Tells a worker, once a transaction is committed, that something waits for it.

Who carries the calls is filled in by ``tasks``, so that nothing else here knows of the broker. A call for the
dispatcher that gets lost does no harm: the sweep of every minute finds the same deliveries.
"""

from collections.abc import Callable
from functools import partial

from django.db import transaction

from apps.kernel.hooks import HookPoint

dispatch_callers: HookPoint[Callable[[], None]] = HookPoint("dispatch_callers")
# (project_id, endpoint_id) -> None: have the owners told that the endpoint was disabled.
notice_callers: HookPoint[Callable[[str, str], None]] = HookPoint("notice_callers")


def call_dispatcher() -> None:
    for call in dispatch_callers:
        call()


def call_dispatcher_on_commit() -> None:
    transaction.on_commit(call_dispatcher, robust=True)


def tell_owners_on_commit(project_id: str, endpoint_id: str) -> None:
    for call in notice_callers:
        transaction.on_commit(partial(call, project_id, endpoint_id), robust=True)
