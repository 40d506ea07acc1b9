"""Tells a worker, once a transaction is committed, that mail of a project waits; ``tasks`` carries the call."""

from collections.abc import Callable
from functools import partial

from django.db import transaction

from apps.kernel.hooks import HookPoint

# (project_id, invitation_id) -> None: have the mail of the invitation sent.
invitation_senders: HookPoint[Callable[[str, str], None]] = HookPoint("invitation_senders")


def send_invitation_on_commit(project_id: str, invitation_id: str) -> None:
    for send in invitation_senders:
        transaction.on_commit(partial(send, project_id, invitation_id), robust=True)
