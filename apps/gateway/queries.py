"""Everything that is read of agent clients, logins, sessions and jobs."""

import re
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.agents.queries import workspaces_of
from apps.gateway import errors
from apps.gateway.clients import MAX_CLIENTS
from apps.gateway.models import AgentClient, AgentSession, Authorization, Job
from apps.kernel.errors import AppError

_JOB_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


def clients_of(project_id: str) -> QuerySet[AgentClient]:
    return AgentClient.objects.for_project(project_id)


def workspace_routes(project_id: str) -> frozenset[str]:
    """The routes that lead somewhere: those of published agents."""
    return frozenset(route for route in workspaces_of(project_id).values_list("route", flat=True) if route)


def get_client(project_id: str, client_id: str, *, lock: bool = False, param: str | None = None) -> AgentClient:
    """Raises `agent_client_not_found`, for the field that named it; `lock` keeps others from changing it."""
    clients = clients_of(project_id)
    client = (clients.select_for_update() if lock else clients).filter(id=client_id).first()
    if client is None:
        raise AppError(errors.AGENT_CLIENT_NOT_FOUND, param=param)
    return client


def get_authorization(client: AgentClient, authorization_id: str, *, lock: bool = False) -> Authorization:
    """A login with this client; raises `authorization_not_found`."""
    authorizations = Authorization.objects.for_project(client.project_id).select_related("client")
    if lock:
        authorizations = authorizations.select_for_update(of=("self",), no_key=True)
    authorization = authorizations.filter(id=authorization_id, client=client).first()
    if authorization is None:
        raise AppError(errors.AUTHORIZATION_NOT_FOUND)
    return authorization


def sessions_of(project_id: str, *, client_id: str | None = None) -> QuerySet[AgentSession]:
    """The project's sessions; with `client_id` those of one client. Raises `agent_client_not_found`."""
    sessions = AgentSession.objects.for_project(project_id).select_related("client")
    if client_id is None:
        return sessions
    return sessions.filter(client=get_client(project_id, client_id, param="agent_client_id"))


def get_session(
    project_id: str, session_id: str, *, client: AgentClient | None = None, lock: bool = False
) -> AgentSession:
    """Raises `agent_session_not_found`, with a client also for the session of another one."""
    sessions = AgentSession.objects.for_project(project_id).select_related("client")
    if lock:
        sessions = sessions.select_for_update(of=("self",), no_key=True)
    whose = Q() if client is None else Q(client=client)
    session = sessions.filter(whose, id=session_id).first()
    if session is None:
        raise AppError(errors.SESSION_NOT_FOUND)
    return session


def get_job(client: AgentClient, job_id: str) -> Job:
    """A job of this client; raises `job_not_found`."""
    job = _jobs_with(client, job_id).first() if _JOB_ID.fullmatch(job_id) else None
    if job is None:
        raise AppError(errors.JOB_NOT_FOUND)
    return job


def _jobs_with(client: AgentClient, job_id: str) -> QuerySet[Job]:
    return Job.objects.for_project(client.project_id).filter(id=job_id, client=client)


def usage(project_id: str) -> dict[str, int]:
    live = Q(revoked_at=None, expires_at__gt=timezone.now())
    return {
        "agent_clients": clients_of(project_id).count(),
        "agent_sessions": AgentSession.objects.for_project(project_id).filter(live).count(),
    }


def limits() -> dict[str, int]:
    return {"agent_clients": MAX_CLIENTS}
