"""A client that is deleted in the middle of a request is nobody in that request's answer already, at every door."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.agents.models import Agent
from apps.gateway.models import AgentClient
from apps.gateway.sessions import Tokens
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE
from tests.gateway.mcp.asking import Mcp
from tests.gateway.runtime.talking import Talk, refusal

# What a turn and a job ask for after their caller was let in and before they store anything.
IN_A_TURN = "apps.gateway.runtime.turns.look_up"
IN_A_JOB = "apps.gateway.jobs.submit.fault_of"

pytestmark = pytest.mark.django_db(transaction=True)

Interrupt = Callable[[str], None]


@pytest.fixture
def delete_client_at(
    shop: Tenant, agent_client: AgentClient, workspace: Agent, monkeypatch: pytest.MonkeyPatch
) -> Interrupt:
    """Have somebody else delete the client as soon as a function is called, and then go on with it."""

    def delete() -> None:
        try:
            answer = ApiClient(shop.key).delete(f"/v1/agent_clients/{agent_client.id}")
            assert answer.status_code in {204, 404}
        finally:
            connection.close()

    def put(place: str) -> None:
        module, _, name = place.rpartition(".")
        real = getattr(__import__(module, fromlist=[name]), name)

        def interrupted(*args: Any, **options: Any) -> Any:
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(delete).result()
            return real(*args, **options)

        monkeypatch.setattr(place, interrupted)

    return put


@pytest.mark.conformance("BH-005")
@pytest.mark.parametrize("knowledge_delivery", ["on_demand", ...])
def test_an_agent_in_its_turn(agent: ApiClient, delete_client_at: Interrupt, knowledge_delivery: Any) -> None:
    delete_client_at(IN_A_TURN)

    answer = Talk(agent, ROUTE).start(knowledge_delivery=knowledge_delivery)

    assert refusal(answer) == (401, "unauthorized")


def test_an_agent_in_its_turn_over_mcp(tokens: Tokens, delete_client_at: Interrupt) -> None:
    delete_client_at(IN_A_TURN)

    told = Mcp(tokens.access_token).refused("start_business_turn", {"user_input": "بكم صندوق البخور؟"})

    assert (told["error"], told["status"], told["next_action"]) == ("unauthorized", 401, "log_in")


def test_a_backend_that_submits_a_job(backend: ApiClient, delete_client_at: Interrupt) -> None:
    delete_client_at(IN_A_JOB)

    answer = backend.post("/run", {"request_id": "order-1", "route": ROUTE, "input": "كم سعر صندوق البخور؟"})

    assert refusal(answer) == (401, "unauthorized")


def test_a_backend_that_submits_a_job_over_mcp(
    client_and_token: tuple[AgentClient, str], delete_client_at: Interrupt
) -> None:
    delete_client_at(IN_A_JOB)

    told = Mcp(client_and_token[1]).refused("submit_governed_job", {"request_id": "order-1", "input": "كم السعر؟"})

    assert (told["error"], told["status"], told["next_action"]) == ("unauthorized", 401, "log_in")
