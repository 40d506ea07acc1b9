"""A worker whose processes die, or stand still, at the point they are told.

Run as ``python -m tests.knowledge.sync.dying_worker``; the environment says which database it works on. Each line
it reads is an order for a process of its own, forked from this one so that none starts from nothing. It answers
with the number of the process, or with how the process ended when it is asked to wait for it.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 -- needs Django to be set up

from apps.knowledge.sync import claims, fetching, run, settle  # noqa: E402 -- as above
from apps.outbound import client, parse_trusted_origins  # noqa: E402 -- as above

ROOM_BYTES = 300 * 1024 * 1024


def die(*_: Any, **__: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def then_die(step: Callable[..., Any]) -> Callable[..., Any]:
    def stepped(*arguments: Any, **named: Any) -> Any:
        step(*arguments, **named)
        die()

    return stepped


def stand_still_before(step: Callable[..., Any]) -> Callable[..., Any]:
    def stepped(*arguments: Any, **named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return step(*arguments, **named)

    return stepped


def exhaust_memory(*_: Any, **__: Any) -> Any:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM_BYTES, ROOM_BYTES))
    return [bytearray(ROOM_BYTES) for _ in range(100)]


# Module and name of the step that is replaced, and by what.
POINTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "before the claim commits": (claims, "_lease", then_die(claims._lease)),
    "before the fetch": (run, "_prepare", die),
    "in the fetch": (client, "_read_body", die),
    "before the transaction": (run, "settle", die),
    "in the transaction": (settle, "_tell", then_die(settle._tell)),
    "before the acknowledgement": (run, "wake_next", die),
    "still before the transaction": (run, "settle", stand_still_before(settle.settle)),
    "out of memory": (fetching, "apply", exhaust_memory),
}


def obey(order: dict[str, Any]) -> None:
    settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(order["origin"])
    if order["point"] is not None:
        module, name, replacement = POINTS[order["point"]]
        setattr(module, name, replacement)
    run.run_sync(order["project_id"], order["run_id"])


def fork(order: dict[str, Any]) -> int:
    number = os.fork()
    if number == 0:
        try:
            obey(order)
        finally:
            os._exit(0)
    return number


if __name__ == "__main__":
    for line in sys.stdin:
        order = json.loads(line)
        if "wait_for" in order:
            _, status = os.waitpid(order["wait_for"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 -- its answer
        else:
            print(fork(order), flush=True)  # noqa: T201 -- its answer
