"""The programs that make Mawrid run and the shop of its demo, as arguments of the environment's Python."""

import os
from pathlib import Path

_CELERY = ["-m", "celery", "--quiet", "-A", "config.celery"]
_ROOT_WARNING = "ignore:You're running the worker with superuser privileges"


def web(bind: str, port: int) -> list[str]:
    # Fewer threads a process than its pool has connections, so that none waits for one.
    how_many = ["--workers", "2", "--blocking-threads", "4"]
    # A process that is killed, or has grown past its cache, is replaced; the others serve meanwhile.
    renewed = ["--respawn-failed-workers", "--workers-max-rss", "2048"]
    where = ["--host", bind, "--port", str(port)]
    return [
        "-m",
        "granian",
        "--interface",
        "wsgi",
        "--log-level",
        "warning",
        *how_many,
        *renewed,
        *where,
        "config.wsgi:application",
    ]


def worker() -> list[str]:
    """Syncs and everything else but jobs and webhooks, in processes that may use a core each."""
    return _worker("celery", "--concurrency", "2")


def preparer() -> list[str]:
    """Jobs of backends, of which one client may send hundreds at once; like the worker's tasks they compute."""
    return _worker("jobs", "--concurrency", "2")


def dispatcher() -> list[str]:
    """Webhooks, which mostly wait for receivers: one process will do.

    One of its threads claims; the others wait for the last answers to what they claimed before, or send mail.
    """
    return _worker("webhooks", "--pool", "threads", "--concurrency", "4")


def _worker(queue: str, *pool: str) -> list[str]:
    # Root's own machine is root's own affair; the image runs as somebody else.
    quiet = ["-W", _ROOT_WARNING] if os.geteuid() == 0 else []
    alone = ["--without-mingle", "--without-gossip"]
    name = ["--queues", queue, "--hostname", f"{queue}@%h"]
    return [*quiet, *_CELERY, "worker", *name, *pool, "--prefetch-multiplier", "1", *alone]


def beat(schedule: Path) -> list[str]:
    return [*_CELERY, "beat", "--pidfile=", "--schedule", str(schedule)]


def shop(port: int, data_dir: Path) -> list[str]:
    return ["-m", "apps.demo.feed", "--port", str(port), "--data-dir", str(data_dir)]
