"""An agent at work in one workspace: each call of the protocol in one line."""

import itertools
from collections.abc import Iterator
from typing import Any

from apps.agents import queries, services
from apps.agents.models import Agent
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR
from tests.api_client import ApiClient


class Talk:
    """Calls answer with the response itself; `…ed` forms expect a 200 and give its JSON."""

    def __init__(self, agent: ApiClient, route: str) -> None:
        self.agent, self.route = agent, route
        self._numbers = itertools.count(1)

    @property
    def path(self) -> str:
        return f"/agent-api/v1/workspaces/{self.route}"

    def get(self, what: str, **headers: str) -> Any:
        return self.agent.get(f"{self.path}/{what}", **headers)

    def capabilities(self) -> Any:
        return self.get("knowledge/capabilities")

    def start(self, **changed: Any) -> Any:
        number = next(self._numbers)
        body = {
            "client_conversation_id": "conversation-1",
            "client_turn_id": f"turn-{number}",
            "user_message_id": f"message-{number}",
            "user_input": "بكم صندوق البخور؟",
            **changed,
        }
        return self.agent.post(
            f"{self.path}/turns", {name: value for name, value in body.items() if value is not ...}
        )

    def started(self, **changed: Any) -> dict[str, Any]:
        return told(self.start(**changed))

    def on_demand(self, **changed: Any) -> dict[str, Any]:
        return self.started(knowledge_delivery="on_demand", **changed)

    def complete(self, run_id: str, **changed: Any) -> Any:
        body = {
            "assistant_message_id": f"assistant:{run_id}",
            "status": "completed",
            "content": "95 ريال.",
            **changed,
        }
        return self.agent.post(f"/agent-api/v1/runs/{run_id}/complete", body)

    def search(self, query: Any = "صندوق بخور", **changed: Any) -> Any:
        return self.agent.post(f"{self.path}/knowledge/search", {"query": query, **changed})

    def searched(self, query: str = "صندوق بخور", **changed: Any) -> dict[str, Any]:
        return told(self.search(query, **changed))

    def hint(self, query: str = "صندوق بخور", **changed: Any) -> dict[str, Any]:
        """The first hint of a search."""
        first: dict[str, Any] = self.searched(query, **changed)["hints"][0]
        return first

    def read(self, ref: Any, **changed: Any) -> Any:
        return self.agent.post(f"{self.path}/knowledge/read", {"ref": ref, **changed})

    def page(self, ref: str, **changed: Any) -> dict[str, Any]:
        return told(self.read(ref, **changed))

    def pages(self, ref: str, **changed: Any) -> Iterator[dict[str, Any]]:
        """All pages of a chain."""
        page = self.page(ref, **changed)
        yield page
        while page["next_cursor"] is not None:
            page = self.page(ref, cursor=page["next_cursor"], **changed)
            yield page


def told(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.content.decode()
    body: dict[str, Any] = answer.json()
    return body


def refusal(answer: Any) -> tuple[int, str]:
    """Status and code of a refusal, which has nothing but a code and a sentence."""
    body = answer.json()
    assert set(body) == {"error", "message"}, body
    return answer.status_code, body["error"]


def change(agent: Agent, **changed: Any) -> None:
    """Change the draft and the switches of an agent, and publish."""
    with project_scope(agent.project_id):
        locked = queries.get_agent(agent.project_id, agent.id, lock=True)
        services.publish(services.update_agent(locked, actor=OPERATOR, **changed), actor=OPERATOR)
