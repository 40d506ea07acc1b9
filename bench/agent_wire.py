"""Requests a second of agents over HTTP: searching and reading against reading the project, in one run."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bench.http_rate import WORDS, catalog, rate
from bench.server import Server, serving

ROUTE = "bench-assistant"
KNOWLEDGE = f"/agent-api/v1/workspaces/{ROUTE}/knowledge"
ROUNDS = 5
WANTED = 0.5

Requests = Sequence[tuple[str, str, object]]


def agent_at_work(server: Server) -> Server:
    """The same server as an agent sees it whose workspace searches a catalog of 10,000 lines."""
    owner = server.connect()
    source = owner.call("POST", "/v1/knowledge_sources", {"name": "bench", "kind": "catalog", "content": catalog()})
    attached = [{"source_id": source["id"], "mode": "searchable"}]
    agent = owner.call("POST", "/v1/agents", {"name": "bench", "route": ROUTE, "knowledge": {"sources": attached}})
    owner.call("POST", f"/v1/agents/{agent['id']}/publish")
    client = owner.call(
        "POST", "/v1/agent_clients", {"app_id": "bench", "name": "bench", "allowed_routes": [ROUTE]}
    )
    session = {
        "agent_client_id": client["id"],
        "principal": {"id": "bench", "audience": "internal"},
        "on_behalf_of": "bench",
        "allowed_routes": [ROUTE],
        "device_label": "bench",
    }
    return replace(server, key=owner.call("POST", "/v1/agent_sessions", session)["access_token"])


def searches() -> Requests:
    dice = Random(11)
    queries = [" ".join(dice.sample(WORDS, 2)) + " ملكى" for _ in range(200)]
    return [("POST", f"{KNOWLEDGE}/search", {"query": query}) for query in queries]


def reads(agent: Server) -> Requests:
    """The first two pages of what a search found."""
    connection = agent.connect()
    found = connection.call("POST", f"{KNOWLEDGE}/search", {"query": "دهن عود ملكي"})
    first: dict[str, Any] = {"ref": found["hints"][0]["ref"]}
    page = connection.call("POST", f"{KNOWLEDGE}/read", first)
    return [("POST", f"{KNOWLEDGE}/read", body) for body in (first, {**first, "cursor": page["next_cursor"]})]


def main() -> None:
    with serving() as server:
        agent = agent_at_work(server)
        asked = searches()
        rate(agent, asked)
        ratios: dict[str, list[float]] = {"search": [], "read": []}
        for _ in range(ROUNDS):
            projects = rate(server, [("GET", "/v1/project", None)])
            each = {"search": rate(agent, asked), "read": rate(agent, reads(agent))}
            for name, reached in each.items():
                ratios[name].append(reached / projects)
            told = "   ".join(f"{name} {reached:7.0f}/s ({ratios[name][-1]:.2f})" for name, reached in each.items())
            print(f"  GET /v1/project {projects:7.0f}/s   {told}")
    for name, rounds in ratios.items():
        print(
            f"agents: {name} / project requests a second, median {statistics.median(rounds):.2f} (wanted: {WANTED})"
        )


if __name__ == "__main__":
    main()
