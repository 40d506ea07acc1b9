"""Creating the largest catalog through the API: how long until the 201, and until a search finds it."""

import statistics
import time

from apps.search.chunks import lines
from apps.search.segment import compile_segment
from bench.search_speed import MAKER, make_catalog
from bench.server import Connection, Server, serving

BODY_BYTES = 5 * 1024 * 1024
# What the rest of the body takes, and more lines than the rest can hold.
ENVELOPE_BYTES = 200
LINES = 80_000
ROUNDS = 5


def main() -> None:
    if not MAKER.exists():
        print("Skipped: the catalog maker is not beside the project.")
        return
    content = largest_content()
    print(f"{content.count(chr(10)) + 1:,} lines, {len(content.encode()) / 2**20:.2f} MiB")
    started = time.perf_counter()
    compile_segment(lines(content))
    compiling = time.perf_counter() - started
    with serving() as server:
        creating, finding = zip(
            *(create_and_find(server, content, number) for number in range(ROUNDS)), strict=True
        )
    creation = statistics.median(creating)
    print(
        f"until the 201, median: {creation:.2f} s (wanted: under 3) = {creation / compiling:.1f} of compiling alone"
    )
    print(f"until a search then finds a line of it, median: {statistics.median(finding) * 1000:.0f} ms more")


def largest_content() -> str:
    """As many whole lines as a body takes; a line end is two bytes there."""
    left = BODY_BYTES - ENVELOPE_BYTES
    kept: list[str] = []
    for line in make_catalog(LINES).split("\n"):
        left -= len(line.replace('"', '\\"').encode()) + 2
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def create_and_find(server: Server, content: str, number: int) -> tuple[float, float]:
    """Seconds until the answer, and from there until the newest line is found."""
    connection: Connection = server.connect()
    marked = f"{content[: content.rindex(chr(10))]}\nعلامة {7_000_000 + number}"
    request = connection.prepare(
        "POST", "/v1/knowledge_sources", {"name": f"catalog {number}", "kind": "catalog", "content": marked}
    )
    started = time.perf_counter()
    status, answer = connection.send(request)
    creating = time.perf_counter() - started
    if status != 201:
        raise RuntimeError(f"answered {status}: {answer[:300]!r}")
    started = time.perf_counter()
    found = connection.call("POST", "/v1/knowledge/search", {"query": f"{7_000_000 + number}"})
    finding = time.perf_counter() - started
    if not found["hits"]:
        raise RuntimeError("the new catalog was not searched")
    connection.close()
    return creating, finding


if __name__ == "__main__":
    main()
