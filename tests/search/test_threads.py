"""Threads share segments and joins, of which much is only worked out when it is first needed."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from apps.search.engine import Hit, Join, Part, search
from tests.search.searches import compiled

CATALOGS = [
    "صندوق بخور 95 ريال\nعسل سدر 500 جرام\nمباخر\nماء ورد",
    "لاكوست قميص\nnestle milk\nالعسل الطبيعي\nشوكولاتة",
]
QUERIES = ["صندق بخور", "عسل نص كيلو", "lacoste", "نستله", "مبخرة", "ماورد", "95", "شكولاطة"]
THREADS = 8


def fresh_parts() -> list[Part]:
    segments = [compiled(catalog) for catalog in CATALOGS]
    return [Part(Join(segments), (1, None)), *(Part(segment, (rank,)) for rank, segment in enumerate(segments))]


def asked(parts: Sequence[Part], queries: Sequence[str]) -> dict[str, list[Hit]]:
    return {query: search(parts, query).hits for query in queries}


@pytest.fixture
def changing_often() -> Iterator[None]:
    """Let threads change places as often as can be."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("changing_often")
def test_threads_may_be_the_first_to_search_all_at_once() -> None:
    parts, together = fresh_parts(), Barrier(THREADS)

    def ask(first: int) -> dict[str, list[Hit]]:
        together.wait()
        return asked(parts, [*QUERIES[first:], *QUERIES[:first]])

    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(ask, range(THREADS)))
    assert found == [asked(fresh_parts(), QUERIES)] * THREADS
