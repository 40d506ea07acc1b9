"""What the tests of jobs share: a workspace that knows prices, a receiver of callbacks, calls nobody follows."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.agents import queries, services
from apps.agents.models import Agent
from apps.gateway.jobs import wakeup
from apps.gateway.models import Job
from apps.kernel.hooks import HookPoint
from apps.outbound import parse_trusted_origins
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.receiver import Receiver, running_receiver
from tests.gateway.making import ROUTE

Submit = Callable[..., Any]


@pytest.fixture(autouse=True)
def job_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The calls for a worker, as project and job, which nobody follows."""
    made: list[tuple[str, str]] = []
    callers: HookPoint[Callable[[str, str], None]] = HookPoint("job_callers")
    callers.add(lambda project_id, job_id: made.append((project_id, job_id)))
    monkeypatch.setattr(wakeup, "job_callers", callers)
    return made


@pytest.fixture(autouse=True)
def callback_calls(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The calls to send callbacks, by the seconds until then, which nobody follows."""
    made: list[float] = []
    callers: HookPoint[Callable[[float], None]] = HookPoint("callback_callers")
    callers.add(made.append)
    monkeypatch.setattr(wakeup, "callback_callers", callers)
    return made


@pytest.fixture
def stocked(api: ApiClient, workspace: Agent) -> Agent:
    """The workspace with a price list to search and hours in its prompt."""
    prices = api.post(
        "/v1/knowledge_sources",
        {
            "name": "الأسعار",
            "kind": "catalog",
            "content": "صندوق بخور — 95 ريال\nعسل سدر — 230 ريال",
            "complete": True,
        },
    ).json()
    hours = api.post(
        "/v1/knowledge_sources", {"name": "الدوام", "kind": "text", "content": "نعمل من التاسعة إلى العاشرة."}
    ).json()
    sources = [{"source_id": prices["id"], "mode": "searchable"}, {"source_id": hours["id"], "mode": "always"}]
    with project_scope(workspace.project_id):
        agent = queries.get_agent(workspace.project_id, workspace.id, lock=True)
        changed = services.update_agent(
            agent, actor=OPERATOR, instructions="أنت مساعد الطلبات.", knowledge={"sources": sources}
        )
        services.publish(changed, actor=OPERATOR)
    return changed


@pytest.fixture
def submit(backend: ApiClient, workspace: Agent) -> Submit:
    """Submit a job, the same one unless told otherwise."""

    def send(**changed: Any) -> Any:
        body = {"request_id": "order-1", "route": ROUTE, "input": "كم سعر صندق البخور؟", **changed}
        return backend.post("/run", body)

    return send


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A backend that is called back; its origin is trusted, since loopback is no public address."""
    with running_receiver() as receiver:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(receiver.origin)
        yield receiver


def row_of(tenant: Tenant, job_id: str) -> Job:
    with project_scope(tenant.id):
        return Job.objects.for_project(tenant.id).get(id=job_id)


def change_row(tenant: Tenant, job_id: str, **fields: Any) -> None:
    with project_scope(tenant.id):
        Job.objects.for_project(tenant.id).filter(id=job_id).update(**fields)
