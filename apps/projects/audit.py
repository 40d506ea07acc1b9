"""The record of deeds that someone may have to answer for; written in the transaction of the deed."""

from typing import Any

from apps.projects.models import AuditEntry


def record(project_id: str, *, actor: str, action: str, target: str, **details: Any) -> None:
    """`actor` is an id of a key or ``user:<id>`` or ``operator``; details hold no secret and no content."""
    AuditEntry.objects.add(project_id=project_id, actor=actor, action=action, target=target, details=details)
