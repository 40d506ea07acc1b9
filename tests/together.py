"""Has requests happen at the same time: side by side, or one in the middle of another."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.db import connection

_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The results of calls that start together, each in a thread with a connection of its own."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        return _with_own_connection(call)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def held_up(call: Callable[[], Any]) -> "Future[Any]":
    """A call in a thread that has got as far as to wait for what this transaction holds, or that is over."""
    pool = ThreadPoolExecutor(1)
    result = pool.submit(_with_own_connection, call)
    pool.shutdown(wait=False)
    while not result.done() and not _somebody_waits():
        time.sleep(0.01)
    return result


def _with_own_connection(call: Callable[[], Any]) -> Any:
    try:
        return call()
    finally:
        connection.close()


def _somebody_waits() -> bool:
    """Whether a request waits for this very transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return bool(cursor.fetchall()[0][0])
