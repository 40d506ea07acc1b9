"""One hostile answer raises a worker's memory by less than 64 MiB, from the fetch to the stored segment."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import Feed, Says, listing
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import runs
from tests.webhooks.test_killed_dispatchers import database_url

REPOSITORY = Path(__file__).parents[3]
MIB = 1_048_576
KIB_ALLOWED = 64 * 1024
ORDINARY = listing(
    [{"name": f"دهن عود {number} Royal oud", "price": number, "category": "عود"} for number in range(5_000)]
)


def array_of(unit: bytes) -> bytes:
    return b"[" + unit * ((MIB - 2) // len(unit) - 1) + unit.rstrip(b",") + b"]"


def one_text(unit: str, separator: str = "") -> bytes:
    repeated = (unit * 60_000 + separator).encode()
    return b'["' + repeated * ((MIB - 4) // len(repeated)) + b'"]'


def five_letters(number: int) -> str:
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(5))


DISTINCT = [five_letters(number) for number in range(130_000)]

# Body, transform, and what becomes of it.
HOSTILE: dict[str, tuple[bytes, dict[str, Any] | None, str | None]] = {
    "half a million numbers": (array_of(b"1,"), None, "too_large"),
    "a quarter of a million numbers": (b"[" + b"1," * 249_999 + b"1]", None, None),
    "as many, and a face": (b"[" + b"1," * 249_999 + '"\U0001f600"]'.encode(), None, None),
    "one past as many": (b"[" + b"1," * 250_000 + b"1]", None, "too_large"),
    "empty lists": (array_of(b"[],")[:-3] + b"1]", None, None),
    "distinct words, a line each": (json.dumps(DISTINCT, separators=(",", ":")).encode(), None, None),
    "distinct words in one line": (json.dumps([" ".join(DISTINCT)]).encode(), None, None),
    "distinct words, each in several lines' worth": (
        json.dumps([DISTINCT[at : at + 25] for at in range(0, 120_000, 25)], separators=(",", ":")).encode(),
        {"line": " ".join(f"{{{at}}}{letter}" for at in range(25) for letter in "abcdef"), "max_items": 5_000},
        None,
    ),
    "one giant word": (one_text("a"), None, "too_large"),
    "giant words": (one_text("a", " b "), None, None),
    "letters and digits in turn": (one_text("a1"), None, None),
    "letters and digits in turn, four times over": (
        b"[" + one_text("a1") + b"]",
        {"line": "{0}{0}{0}{0}"},
        "too_large",
    ),
    "ligatures": (one_text("\ufdf4", " "), None, None),
    "all code points": (f'["{"".join(map(chr, range(0x20000, 0x5F000)))}"]'.encode(), None, None),
    "deep paths": (b'{"aaaaaaaa":' * 10 + array_of(b"1,")[: MIB // 16] + b"1]" + b"}" * 10, None, None),
}


class MeasuredWorker:
    def __init__(self, process: subprocess.Popen[str], feed: Feed) -> None:
        self._process, self._feed = process, feed

    def kib_of(self, tenant: Tenant, run_id: str) -> int:
        """By how much one run raised the worker's memory."""
        order = {"project_id": tenant.id, "run_id": run_id, "origin": self._feed.origin}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@pytest.fixture
def worker(feed: Feed) -> Iterator[MeasuredWorker]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.knowledge.sync.measured_worker"],
        env={**os.environ, "DATABASE_URL": database_url(), "LOG_LEVEL": "CRITICAL"},
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield MeasuredWorker(process, feed)
    process.communicate(timeout=30)


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
@pytest.mark.conformance("C-23")
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells a process its peak")
@pytest.mark.parametrize("answer", HOSTILE)
def test_a_hostile_answer_takes_little_of_a_worker_until_it_is_stored(
    api: ApiClient,
    shop: Tenant,
    create: CreateFeed,
    feed: Feed,
    worker: MeasuredWorker,
    *,
    answer: str,
) -> None:
    body, transform, error = HOSTILE[answer]
    feed.says = ORDINARY
    worker.kib_of(shop, str(runs(api, create()["id"])[0]["id"]))
    source_id = create(config={"transform": transform})["id"]
    feed.says = Says(body)
    raised = worker.kib_of(shop, str(runs(api, source_id)[0]["id"]))
    ended = runs(api, source_id)[0]
    assert (ended["error"] and ended["error"]["code"]) == error
    assert raised < KIB_ALLOWED
