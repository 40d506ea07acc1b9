"""What projects that nobody uses cost the others: a search and a read, beside more and more of them."""

import os
import random
import time
from collections.abc import Callable
from statistics import median

import django

from bench.http_rate import WORDS, catalog
from bench.server import serving

STEP = 1_000
ROUNDS = 300


def main() -> None:
    with serving() as server:
        os.environ.update(server.environment)
        django.setup()
        measure(server.project_id)


def measure(project_id: str) -> None:
    from apps.knowledge.services import create_source
    from apps.projects.scoping import project_scope

    with project_scope(project_id):
        create_source(project_id, name="prices", kind="catalog", content=catalog(), actor="bench")
    dice = random.Random(5)
    queries = [" ".join(dice.sample(WORDS, 2)) for _ in range(ROUNDS)]
    median_of(lambda query: search(project_id, query), queries)
    first: tuple[float, float] | None = None
    for idle in (0, STEP, 2 * STEP):
        if idle:
            add_idle_projects(STEP)
        now = median_of(lambda query: search(project_id, query), queries), median_of(read(project_id), queries)
        first = first or now
        print(
            f"{idle:5,} idle projects: search {now[0] * 1000:5.2f} ms ({now[0] / first[0]:.2f} of the first), "
            f"project {now[1] * 1000:5.2f} ms ({now[1] / first[1]:.2f})"
        )


def add_idle_projects(count: int) -> None:
    """Each with a source, as a real one would have."""
    from apps.knowledge.services import create_source
    from apps.projects.scoping import project_scope
    from apps.projects.services import create_project

    for number in range(count):
        project, _ = create_project(name=f"idle {number}")
        with project_scope(project.id):
            create_source(project.id, name="prices", kind="catalog", content="صندوق بخور — 95 ريال", actor="bench")


def search(project_id: str, query: str) -> None:
    from apps.knowledge import lookup
    from apps.projects.scoping import project_scope

    with project_scope(project_id):
        lookup.search(project_id, query)


def read(project_id: str) -> Callable[[str], None]:
    from apps.projects import presenters, queries
    from apps.projects.scoping import project_scope

    def once(_: str) -> None:
        with project_scope(project_id):
            presenters.project(queries.get_project(project_id))

    return once


def median_of(work: Callable[[str], None], arguments: list[str]) -> float:
    def seconds(argument: str) -> float:
        started = time.perf_counter()
        work(argument)
        return time.perf_counter() - started

    return median(map(seconds, arguments))


if __name__ == "__main__":
    main()
