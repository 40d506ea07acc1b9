"""The prompt of an agent with 20 always-sources of 5,000 characters, against reading the project, in one run."""

import statistics
import time

from bench.server import Connection, serving

SOURCES = 20
CHARACTERS = 5_000
LINE = "صندوق بخور كمبودي فاخر — 95 ريال\n"
ROUNDS = 5
CALLS = 100


def content() -> str:
    """A whole source of lines as shops have them."""
    return (LINE * (CHARACTERS // len(LINE) + 1))[:CHARACTERS]


def make_agent(connection: Connection) -> str:
    """An agent that always has every source in its prompt; its id."""
    sources = []
    for number in range(SOURCES):
        body = {"name": f"source {number}", "kind": "text", "content": content()}
        source = connection.call("POST", "/v1/knowledge_sources", body)
        sources.append({"source_id": source["id"], "mode": "always"})
    agent = {"name": "bench", "instructions": "Be brief.", "knowledge": {"sources": sources}}
    return str(connection.call("POST", "/v1/agents", agent)["id"])


def median_of(connection: Connection, request: bytes) -> float:
    """Seconds from sending a request to having its whole answer."""
    taken = []
    for _ in range(CALLS):
        started = time.perf_counter()
        status, _ = connection.send(request)
        taken.append(time.perf_counter() - started)
        if status != 200:
            raise RuntimeError(f"answered {status}")
    return statistics.median(taken)


def main() -> None:
    with serving() as server:
        connection = server.connect()
        prompt = connection.prepare("GET", f"/v1/agents/{make_agent(connection)}/prompt")
        project = connection.prepare("GET", "/v1/project")
        median_of(connection, prompt)
        ratios = []
        for _ in range(ROUNDS):
            of_prompt, of_project = median_of(connection, prompt), median_of(connection, project)
            ratios.append(of_prompt / of_project)
            print(
                f"  prompt {of_prompt * 1000:5.2f} ms   GET /v1/project {of_project * 1000:5.2f} ms   "
                f"ratio {ratios[-1]:.2f}"
            )
        print(f"prompt: prompt / project, median ratio {statistics.median(ratios):.2f} (wanted: below 2)")


if __name__ == "__main__":
    main()
