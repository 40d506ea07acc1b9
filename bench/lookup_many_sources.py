"""The lookup service over a thousand small sources of one project: warm, after edits, and as work grows.

It runs in this process, without HTTP, against the PostgreSQL of a started service.
"""

import os
import random
import time
from collections.abc import Sequence
from statistics import median

import django

from bench.search_speed import MAKER, make_catalog, make_queries
from bench.server import serving

SOURCES = 1_000
LINES_OF_A_SOURCE = 200
SEARCHES = 200
EDITS = 40


def main() -> None:
    if not MAKER.exists():
        print("Skipped: the catalog maker is not beside the project.")
        return
    with serving() as server:
        os.environ.update(server.environment)
        django.setup()
        measure(server.project_id)


def measure(project_id: str) -> None:
    from apps.knowledge import shelf
    from apps.projects.services import create_project

    lines = make_catalog(2 * SOURCES * LINES_OF_A_SOURCE).split("\n")
    contents = [
        "\n".join(lines[at : at + LINES_OF_A_SOURCE])
        for at in range(0, 2 * SOURCES * LINES_OF_A_SOURCE, LINES_OF_A_SOURCE)
    ]
    queries = make_queries(lines[: SOURCES * LINES_OF_A_SOURCE], random.Random(3))[:SEARCHES]

    source_ids = fill(project_id, contents[:SOURCES])
    shelf.forget_everything()
    cold = search(project_id, queries[0])
    print(
        f"{SOURCES:,} sources of {LINES_OF_A_SOURCE} lines; first search of a fresh process: {cold * 1000:,.0f} ms"
    )
    warm = median(search(project_id, query) for query in queries)
    print(f"warm, median: {warm * 1000:.2f} ms (wanted: under 10)")

    after = [edit_and_search(project_id, source_ids, contents, query) for query in queries[:EDITS]]
    print(
        f"after an edit, median: {median(after) * 1000:.2f} ms, worst {max(after) * 1000:.2f} (wanted: under 100)"
    )

    one_source, _ = create_project(name="one source")
    fill(one_source.id, ["\n".join(contents[:SOURCES])])
    joined = median(search(one_source.id, query) for query in queries)
    print(f"many sources cost {warm / joined:.2f} times as much as the same lines in one ({joined * 1000:.2f} ms)")

    idle, _ = create_project(name="idle")
    fill(idle.id, contents[:SOURCES])
    beside = median(search(project_id, query) for query in queries)
    print(f"with another project as large beside it: {beside / warm:.2f} times")

    fill(project_id, contents[SOURCES:])
    search(project_id, queries[0])
    doubled = median(search(project_id, query) for query in queries)
    print(f"with twice the sources: {doubled / warm:.2f} times")


def fill(project_id: str, contents: Sequence[str]) -> list[str]:
    from apps.knowledge.services import create_source
    from apps.projects.scoping import project_scope

    made = []
    for number, content in enumerate(contents):
        with project_scope(project_id):
            made.append(
                create_source(
                    project_id, name=f"source {number}", kind="catalog", content=content, actor="bench"
                ).id
            )
    return made


def search(project_id: str, query: str) -> float:
    """Seconds of a search with its transaction."""
    from apps.knowledge import lookup
    from apps.projects.scoping import project_scope

    started = time.perf_counter()
    with project_scope(project_id):
        lookup.search(project_id, query)
    return time.perf_counter() - started


def edit_and_search(project_id: str, source_ids: Sequence[str], contents: Sequence[str], query: str) -> float:
    """Seconds of the search that follows the edit of a source."""
    from apps.knowledge import queries, services
    from apps.projects.scoping import project_scope

    with project_scope(project_id):
        source = queries.get_source(project_id, random.choice(source_ids), lock=True)
        services.update_source(source, content=random.choice(contents[SOURCES:]), actor="bench")
    return search(project_id, query)


if __name__ == "__main__":
    main()
