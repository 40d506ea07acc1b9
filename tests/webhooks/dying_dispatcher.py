"""A dispatcher in a process of its own that is killed, as by `kill -9`, at the point it is told.

Run as ``python -m tests.webhooks.dying_dispatcher POINT``; the environment says which database it works on.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

django.setup()

# They need the apps to be loaded.
from apps.webhooks import delivery  # noqa: E402
from apps.webhooks.claims import claim  # noqa: E402
from apps.webhooks.sending import send  # noqa: E402
from apps.webhooks.settling import settle  # noqa: E402


def die(*_: Any, **__: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def then_die(step: Callable[..., Any]) -> Callable[..., Any]:
    def stepped(*arguments: Any, **named: Any) -> Any:
        step(*arguments, **named)
        die()

    return stepped


# The step that is replaced, and by what.
POINTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "before the claim": ("claim", die),
    "after the claim": ("claim", then_die(claim)),
    "before the send": ("send", die),
    "after the send": ("send", then_die(send)),
    "before the mark": ("settle", die),
    "after the mark": ("settle", then_die(settle)),
}

if __name__ == "__main__":
    name, replacement = POINTS[sys.argv[1]]
    setattr(delivery, name, replacement)
    delivery.drain(hand_over=lambda: None)
