"""The programs that make Mawrid run and the shop of its demo, as arguments of the environment's Python."""

import os
from pathlib import Path

_CELERY = ["-m", "celery", "--quiet", "-A", "config.celery"]
_ROOT_WARNING = "ignore:You're running the worker with superuser privileges"


def web(bind: str, port: int) -> list[str]:
    # Fewer threads a process than its pool has connections, so that none waits for one.
    how_many = ["--workers", "2", "--blocking-threads", "4"]
    where = ["--host", bind, "--port", str(port)]
    return [
        "-m",
        "granian",
        "--interface",
        "wsgi",
        "--log-level",
        "warning",
        *how_many,
        *where,
        "config.wsgi:application",
    ]


def worker() -> list[str]:
    # Root's own machine is root's own affair; the image runs as somebody else.
    quiet = ["-W", _ROOT_WARNING] if os.geteuid() == 0 else []
    alone = ["--without-mingle", "--without-gossip"]
    return [*quiet, *_CELERY, "worker", "--concurrency", "2", "--prefetch-multiplier", "1", *alone]


def beat(schedule: Path) -> list[str]:
    return [*_CELERY, "beat", "--pidfile=", "--schedule", str(schedule)]


def shop(port: int, data_dir: Path) -> list[str]:
    return ["-m", "apps.demo.feed", "--port", str(port), "--data-dir", str(data_dir)]
