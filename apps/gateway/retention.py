"""How long logins, sessions, turns and jobs are kept, and the sweep that removes what is past that.

Tokens of a session stay as long as the session may: a used refresh token is what tells of its reuse.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Model, Q
from django.utils import timezone

from apps.gateway.models import (
    OPEN_JOB,
    AgentSession,
    AgentToken,
    Authorization,
    Job,
    TokenKind,
    Turn,
)
from apps.projects.scoping import across_projects

# What a person or a backend may still want to look up.
LOGIN_KEEPING_TIME: Final = timedelta(days=1)
SESSION_KEEPING_TIME: Final = timedelta(days=30)
JOB_KEEPING_TIME: Final = timedelta(days=30)
TURN_KEEPING_TIME: Final = timedelta(days=30)
_AT_ONCE: Final = 5_000


def forget_old_records() -> int:
    """Remove what is past its keeping time, of all projects; returns how many rows."""
    now = timezone.now()
    return sum(forget(now) for forget in FORGETTERS)


def forget_old_logins(now: datetime) -> int:
    return forget(Authorization, Q(expires_at__lt=now - LOGIN_KEEPING_TIME))


def forget_old_tokens(now: datetime) -> int:
    """Access tokens when they have expired, and all tokens of sessions that are over."""
    is_over = Q(session__expires_at__lt=now) | Q(session__revoked_at__lt=now - LOGIN_KEEPING_TIME)
    return forget(AgentToken, Q(kind=TokenKind.ACCESS, expires_at__lt=now) | is_over)


def forget_old_sessions(now: datetime) -> int:
    long_ago = now - SESSION_KEEPING_TIME
    return forget(AgentSession, Q(expires_at__lt=long_ago) | Q(revoked_at__lt=long_ago))


def forget_old_jobs(now: datetime) -> int:
    return forget(Job, Q(created_at__lt=now - JOB_KEEPING_TIME) & ~OPEN_JOB)


def forget_old_turns(now: datetime) -> int:
    """The frozen answers; their runs are the agents' to keep."""
    return forget(Turn, Q(created_at__lt=now - TURN_KEEPING_TIME))


# Each takes the time and removes what is too old by then.
FORGETTERS: Final[list[Callable[[datetime], int]]] = [
    forget_old_logins,
    forget_old_tokens,
    forget_old_sessions,
    forget_old_jobs,
    forget_old_turns,
]


def forget(model: type[Model], which: Q) -> int:
    """A bounded number at a time, so that no transaction grows with the table."""
    removed = 0
    while deleted := _forget_some(model, which):
        removed += deleted
    return removed


def _forget_some(model: type[Model], which: Q) -> int:
    with across_projects():
        rows = model.objects.all_projects()  # type: ignore[attr-defined] # of a tenant's table, as all here
        old = rows.filter(which).order_by("pk").values("pk")[:_AT_ONCE]
        deleted: int = rows.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]
    return deleted
