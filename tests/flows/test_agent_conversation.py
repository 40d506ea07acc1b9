"""A conversation over HTTP with the running product: log in by PKCE, ask, search, read, be told of an edit."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest

from tests.flows.stack import Stack, running_stack, wait_for
from tests.gateway.making import CALLBACK, PRINCIPAL, ROUTE, told, verifier_and_challenge

pytestmark = pytest.mark.processes

WORKSPACE: Final = f"/agent-api/v1/workspaces/{ROUTE}"
PRICES: Final = "\n".join(f"صندوق بخور رقم {number} — 95 ريال" for number in range(2_000))


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running_stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


def good(answer: tuple[int, Any]) -> Any:
    status, body = answer
    assert 200 <= status < 300, body
    return body


@pytest.fixture(scope="module")
def source(stack: Stack) -> str:
    """The path of a price list that a published agent searches."""
    prices = {"name": "قائمة الأسعار", "kind": "catalog", "content": PRICES}
    source = good(stack.call("POST", "/v1/knowledge_sources", prices))
    attached = {"sources": [{"source_id": source["id"], "mode": "searchable"}]}
    agent = good(stack.call("POST", "/v1/agents", {"name": "مساعد", "route": ROUTE, "knowledge": attached}))
    good(stack.call("POST", f"/v1/agents/{agent['id']}/publish"))
    return f"/v1/knowledge_sources/{source['id']}"


@pytest.fixture(scope="module")
def agent_token(stack: Stack) -> str:
    """The access token that an agent gets which a business's backend lets in."""
    wanted = {"app_id": "merchant-agent", "name": "مساعد المتجر", "allowed_routes": [ROUTE]}
    client = good(stack.call("POST", "/v1/agent_clients", wanted))
    verifier, challenge = verifier_and_challenge()
    request = {
        "client_app_id": "merchant-agent",
        "redirect_uri": CALLBACK,
        "state": "a-state",
        "requested_routes": [ROUTE],
        "device_label": "حاسوب المكتب",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    asked = good(stack.call("POST", "/agent-auth/v1/authorizations", request))
    decision = {"principal": PRINCIPAL, "on_behalf_of": "نورة", "allowed_routes": [ROUTE]}
    path = f"/agent-auth/v1/authorizations/{asked['authorization_id']}/approve"
    approved = good(stack.call("POST", path, decision, token=client["client_token"]))
    exchange = {
        "grant_type": "authorization_code",
        "client_app_id": "merchant-agent",
        "code": told(approved["redirect_uri"])["code"],
        "redirect_uri": CALLBACK,
        "code_verifier": verifier,
    }
    return str(good(stack.call("POST", "/agent-auth/v1/token", exchange))["access_token"])


class Agent:
    """An agent in a run of its own, over HTTP."""

    def __init__(self, stack: Stack, token: str) -> None:
        self._stack, self._token = stack, token
        turn = {
            "client_conversation_id": "conversation-1",
            "client_turn_id": str(uuid4()),
            "user_message_id": "message-1",
            "user_input": "بكم صندوق البخور؟",
            "knowledge_delivery": "on_demand",
        }
        self.turn = good(self.call(f"{WORKSPACE}/turns", turn))
        self.run_id = self.turn["run_id"]

    def call(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        return self._stack.call("POST", path, body, token=self._token)

    def search(self, query: str) -> Any:
        return good(self.call(f"{WORKSPACE}/knowledge/search", {"query": query, "run_id": self.run_id}))

    def read(self, ref: str, **further: Any) -> tuple[int, Any]:
        return self.call(f"{WORKSPACE}/knowledge/read", {"ref": ref, "run_id": self.run_id, **further})

    def pages(self, ref: str, count: int) -> Iterator[Any]:
        cursor: dict[str, str] = {}
        for _ in range(count):
            page = good(self.read(ref, **cursor))
            yield page
            cursor = {"cursor": page["next_cursor"]}


@pytest.mark.conformance("BH-021", "BH-032", "BH-041", "BH-057", "BH-067", "BH-077", "BH-081", "BH-085", "SDK-047")
def test_an_agent_reads_three_pages_and_is_told_when_the_source_is_edited_under_it(
    stack: Stack, source: str, agent_token: str
) -> None:
    agent = Agent(stack, agent_token)
    [hint] = agent.search("صندوق بخور")["hints"]
    pages = list(agent.pages(hint["ref"], 3))
    good(stack.call("PATCH", source, {"content": PRICES.replace("95", "99")}))

    status, refusal = agent.read(hint["ref"], cursor=pages[-1]["next_cursor"])

    assert PRICES.startswith("".join(page["content"] for page in pages))
    assert (status, refusal["error"]) == (409, "knowledge_changed")
    assert "99 ريال" in agent.search("صندوق بخور")["hints"][0]["summary"]

    said = {"assistant_message_id": "answer-1", "status": "completed", "content": "99 ريال."}
    good(agent.call(f"/agent-api/v1/runs/{agent.run_id}/complete", said))
    assert agent.read(hint["ref"])[1]["error"] == "run_not_found"


@pytest.mark.conformance("BH-083", "BH-052", "BH-031")
def test_without_the_database_knowledge_is_unavailable_and_comes_back_with_it(
    stack: Stack, source: str, agent_token: str
) -> None:
    agent = Agent(stack, agent_token)
    question = {"query": "صندوق بخور"}
    stack.stop_postgres()

    status, refusal = agent.call(f"{WORKSPACE}/knowledge/search", question)
    stack.services.start_postgres()

    assert (status, refusal["error"]) == (503, "knowledge_unavailable")
    wait_for(lambda: agent.call(f"{WORKSPACE}/knowledge/search", question)[0] == 200)
