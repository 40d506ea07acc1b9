"""Tells a worker, once a transaction is committed, that deliveries are waiting.

Who carries the call is filled in by ``tasks``, so that nothing else here knows of the broker. A call that gets lost
does no harm: the sweep of every minute finds the same deliveries.
"""

from collections.abc import Callable

from django.db import transaction

from apps.kernel.hooks import HookPoint

dispatch_callers: HookPoint[Callable[[], None]] = HookPoint("dispatch_callers")


def call_dispatcher() -> None:
    for call in dispatch_callers:
        call()


def call_dispatcher_on_commit() -> None:
    transaction.on_commit(call_dispatcher, robust=True)
