"""Requests a second through HTTP: searching a project of 10,000 lines against reading the project, in one run."""

import random
import statistics
import threading
import time
from collections.abc import Sequence

from bench.server import Connection, Server, serving

LINES = 10_000
CONNECTIONS = 4
ROUND_SECONDS = 3.0
ROUNDS = 5
WORDS = [
    "عود",
    "مسك",
    "عنبر",
    "بخور",
    "عطر",
    "دهن",
    "صندوق",
    "مبخرة",
    "زعفران",
    "عسل",
    "تمر",
    "قهوة",
    "هيل",
    "ورد",
    "لبان",
    "صندل",
    "كمبودي",
    "ملكي",
    "فاخر",
    "طبيعي",
]


def catalog() -> str:
    """Lines of four words and a price; the numbers make the words of a line different enough."""
    dice = random.Random(7)
    return "\n".join(
        f"{' '.join(dice.sample(WORDS, 4))} موديل {dice.randrange(900)} — {dice.randrange(5, 900)} ريال"
        for _ in range(LINES)
    )


def rate(server: Server, requests: Sequence[tuple[str, str, object]]) -> float:
    """Requests a second over a few connections, each sending its own order of the same requests."""
    counts: list[int] = []
    stop = time.monotonic() + ROUND_SECONDS

    def work(seed: int) -> None:
        connection: Connection = server.connect()
        prepared = [connection.prepare(*request) for request in requests]
        random.Random(seed).shuffle(prepared)
        done = 0
        while time.monotonic() < stop:
            status, _ = connection.send(prepared[done % len(prepared)])
            if status != 200:
                raise RuntimeError(f"answered {status}")
            done += 1
        connection.close()
        counts.append(done)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / ROUND_SECONDS


def main() -> None:
    dice = random.Random(11)
    queries = [" ".join(dice.sample(WORDS, 2)) + " ملكى" for _ in range(200)]
    with serving() as server:
        server.connect().call(
            "POST", "/v1/knowledge_sources", {"name": "bench", "kind": "catalog", "content": catalog()}
        )
        searches = [("POST", "/v1/knowledge/search", {"query": query}) for query in queries]
        reads: list[tuple[str, str, object]] = [("GET", "/v1/project", None)]
        rate(server, searches)
        ratios = []
        for _ in range(ROUNDS):
            search_rate, read_rate = rate(server, searches), rate(server, reads)
            ratios.append(search_rate / read_rate)
            print(f"  search {search_rate:7.0f}/s   GET /v1/project {read_rate:7.0f}/s   ratio {ratios[-1]:.2f}")
    print(f"http: search / project requests a second, median ratio {statistics.median(ratios):.2f} (wanted: 0.6)")


if __name__ == "__main__":
    main()
